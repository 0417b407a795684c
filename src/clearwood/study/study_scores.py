"""The scores of a study: of the rows that judge it, or where none can, of those it was learned from."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clearwood.errors import SchemaError, SettingError
from clearwood.predict.columns import table_for
from clearwood.scoring.baseline import ConstantClasses
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.scoring.positive import check_positive
from clearwood.scoring.predictions import Predictions, predictions_of
from clearwood.scoring.score import Scored, Stakes
from clearwood.scoring.scores import Scores
from clearwood.study.scoring_rows import scores_of
from clearwood.study.study import Study
from clearwood.words.numbers import amount, count_words

FEW_CLASSES: Final = 5  # so many that a confusion matrix is read at a glance


def with_positive(study: Study, positive: str) -> Study:
    """The study with its scores about this class, or the sentence that there is none of it."""
    classes = study.model.schema.classes
    if not classes:
        raise SettingError("A positive class is for classes, but the target is a number. Leave it out.")
    check_positive(positive, classes)
    return replace(study, positive=positive)


def study_predictions(study: Study) -> Predictions | None:
    """What the rows that judge got, from models that had not seen them where there are such rows."""
    if study.judged is not None:
        return study.predictions
    rows = study.table if study.grown_on is None else study.grown_on
    return predictions_of(study.model, table_for(study.model, rows, with_target=True)) if len(rows) else None


def study_scores(study: Study, *, only: tuple[str, ...] = ()) -> Scores | None:
    """All scores that fit, or `only` these; None where no row has a true answer."""
    predictions = study_predictions(study)
    if predictions is None:
        return None
    try:
        return scores_of(predictions, Stakes(study.positive), study.model, only=only)
    except SchemaError:  # no row has a true answer
        return None


def positive_of_study(study: Study) -> str:
    """The class that its scores are about, named or guessed; "" where there is none."""
    scores = study_scores(study, only=("accuracy",)) if len(study.model.schema.classes) == 2 else None
    return study.positive if scores is None else scores.positive


def short_scores(study: Study) -> Scores | None:
    """Those that stand beside the accuracy where a study is printed: of two classes recall and AUC."""
    classes = study.model.schema.classes
    if not classes:
        return study_scores(study, only=(_of_numbers(study),))
    of_two = ("recall", "auc") if len(classes) == 2 or study.positive else ()
    return study_scores(study, only=("accuracy", *of_two))


def baseline_phrase(scores: Scores) -> str:
    """What the baseline does on the same rows; the first of the scores is the one that is compared."""
    first, constant = scores.scored[0], scores.baseline
    if first.baseline is None or first.baseline != first.baseline:
        return ""
    if isinstance(constant, ConstantClasses):
        return f"accuracy {100 * first.baseline:.1f} % (always {constant.classes[constant.commonest]})"
    how = {"rmse": "root mean square; ", "mae": "mean; "}.get(first.name)
    off = f"quantile loss {first.baseline:.4g} (" if how is None else f"off by {first.baseline:.4g} ({how}"
    return f"{off}always {amount(constant.number)})"


def lines_of_classes(scores: Scores) -> list[str]:
    """What a printed study says beside the accuracy: recall and AUC, and of few classes the matrix."""
    evaluation = scores.evaluation
    if not isinstance(evaluation, ClassEvaluation) or not evaluation.weight > 0:
        return []
    small = 1 < len(evaluation.classes) <= FEW_CLASSES
    matrix = evaluation.matrix(with_figures=False) if small else []
    return [*filter(None, [positive_phrase(scores)]), *matrix]


def positive_phrase(scores: Scores) -> str:
    """Recall and AUC of the positive class, with their intervals; empty where there is none."""
    if not scores.positive:
        return ""
    evaluation = scores.evaluation
    assert isinstance(evaluation, ClassEvaluation)
    own = evaluation.classes.index(scores.positive)
    hits, rows = evaluation.confusion[own][own], sum(evaluation.confusion[own])
    recall = _with_interval(scores["recall"], 100, " %", 1, f"{count_words(hits)} of {count_words(rows)}; ")
    guessed = " (guessed)" if scores.guessed == "rarity" else ""
    return f"for {scores.positive}{guessed}: recall {recall}, AUC {_with_interval(scores['auc'], 1, '', 3)}"


def _with_interval(scored: Scored, times: float, unit: str, digits: int, before: str = "") -> str:
    if scored.value != scored.value:
        return f"unknown ({scored.why})"
    text = f"{times * scored.value:.{digits}f}{unit}"
    if scored.interval is None:
        return text
    low, high = (f"{times * end:.{digits}f}" for end in scored.interval)
    return f"{text} ({before}{low} to {high}{unit})"


def _of_numbers(study: Study) -> str:
    evaluation = study.judged or study.training
    name = "RMSE" if evaluation is None or isinstance(evaluation, ClassEvaluation) else evaluation.score[0]
    return {"RMSE": "rmse", "MAE": "mae"}.get(name, "pinball")
