"""The evaluation: how the model does on rows that it was not learned from."""

from __future__ import annotations

from typing import Final, assert_never

import numpy as np

from clearwood.draw.escaping import escape_xml
from clearwood.models.in_words import costs_in_words
from clearwood.reporting.evaluation_charts import MANY_CLASSES, calibrated, charts_of, growth_of, price_of
from clearwood.reporting.markup import (
    columns_table,
    details,
    isolated,
    name_in_sentence,
    paragraph,
    percentage,
    pictures,
    table,
)
from clearwood.reporting.page import Section
from clearwood.scoring import SCORES
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation
from clearwood.scoring.intervals import CORRECTED
from clearwood.scoring.scores import score_figure
from clearwood.study.cross_validation import CrossValidation
from clearwood.study.designs import Bootstrap, ByTime, Folds, GivenFolds, HoldOut, LeaveOneOut, TrainingRows
from clearwood.study.known_rows import also_chosen
from clearwood.study.study import Study, study_scores
from clearwood.words.numbers import amount, many

_PAIRS: Final = 20  # of classes that are taken for each other


def evaluation_section(study: Study) -> Section:
    """In a sentence, then by class, then as charts."""
    parts = [paragraph(_where(study))]
    evaluation = study.judged or study.seen
    if evaluation is not None:
        weighed = study.table.weights is not None
        parts.append(paragraph(sentence_of(evaluation, "rows by weight" if weighed else "rows")))
        parts += [paragraph(each) for each in _compared(study, evaluation)]
        parts += _scores(study)
    if study.folds is not None:
        parts.append(_folds(study.folds))
    if isinstance(evaluation, ClassEvaluation):
        parts.append(_by_class(evaluation))
        if len(evaluation.classes) > MANY_CLASSES:
            parts.append(_confused(evaluation))
    if drawn := charts_of(study, evaluation):
        parts.append(pictures(drawn))
    parts += calibrated(study)
    parts += growth_of(study)
    parts += price_of(study)
    return Section("evaluation", "How good it is", "\n".join(parts))


def _scores(study: Study) -> list[str]:
    """Every score that fits, with its interval, beside the baseline."""
    scores = study_scores(study)
    if scores is None:
        return []
    about = f" Recall, AUC and lift are about {name_in_sentence(scores.positive)}." if scores.positive else ""
    guessed = " That class was not named: it was guessed." if scores.guessed else ""
    columns = {
        "score": [isolated(each.label) for each in scores.scored],
        "value": [score_figure(each.value) for each in scores.scored],
        "95 % interval": [" to ".join(map(score_figure, each.interval or ())) for each in scores.scored],
        "baseline": ["" if each.baseline is None else score_figure(each.baseline) for each in scores.scored],
        "what it is": [escape_xml(SCORES[each.name].about) for each in scores.scored],
    }
    caption = f"Scores. The baseline is {name_in_sentence(scores.baseline_words)}.{about}{guessed}"
    return [columns_table(columns, numbers=(1, 2, 3), caption=caption)]


def sentence_of(evaluation: Evaluation, rows: str = "rows") -> str:
    """An evaluation in a sentence; `rows` is what the weights are of."""
    left = ""
    if evaluation.left_out:
        left = f" {many(evaluation.left_out, 'row')} without a true value left out."
    if isinstance(evaluation, ClassEvaluation):
        low, high = map(percentage, evaluation.interval)
        unanswered, unknown = sum(evaluation.silent), sum(evaluation.unknown)
        predicted = f"{rows}{' with a prediction' if unanswered else ''}"
        sentence = (
            f"{amount(evaluation.right)} of {amount(evaluation.weight_answered)} {predicted} are predicted "
            f"correctly:  {percentage(evaluation.accuracy)} (95 % interval {low} to {high})."
        )
        if unanswered:
            sentence += (
                f" {amount(unanswered)} of {amount(evaluation.weight)} are left without a prediction, and "
                "counted neither as correct nor as wrong."
            )
        if unknown:
            sentence += f" {amount(unknown)} are of classes it does not know."
        return f"{sentence}{left}{cost_sentence(evaluation)}"
    if evaluation.silent:
        left = f" {amount(evaluation.silent)} more are left without a prediction.{left}"
    on = f"On {amount(evaluation.weight)} {rows}"
    if evaluation.quantile is not None:
        return f"{on} {quantile_sentence(evaluation)}{left}"
    explained = (
        "" if np.isnan(evaluation.r2) else f" It explains {percentage(evaluation.r2)} of the variance (R²)."
    )
    return (
        f"{on} the predictions are off by {amount(evaluation.mae)} on average (MAE), "
        f"by {amount(evaluation.rmse)} in the root mean square (RMSE).{explained}{left}"
    )


def quantile_sentence(evaluation: NumberEvaluation) -> str:
    """How good a predicted median or quantile is; what comes before says on which rows."""
    quantile = evaluation.quantile
    assert quantile is not None
    if quantile == 0.5:
        off = f"the predictions are off by {amount(evaluation.mae)} on average"
        return f"{off} (MAE, which is lowest for the median that it predicts)."
    return (
        f"the quantile loss is {amount(evaluation.quantile_loss)} (which is lowest for the {quantile:g} "
        f"quantile that it predicts); {percentage(evaluation.coverage)} of them lie at or below their "
        f"prediction, where {percentage(quantile)} should."
    )


def cost_sentence(evaluation: ClassEvaluation) -> str:
    """What a row costs by the model's own costs, beside the best constant answer; empty where it has none."""
    cost = evaluation.cost
    if cost is None:
        return ""
    low, high = cost.interval
    return (
        f" {by_costs(evaluation)} a row costs {amount(cost.per_row)} on average (95 % interval "
        f"{amount(low)} to {amount(high)}); the best constant prediction, {name_in_sentence(cost.constant)}, "
        f"{amount(cost.constant_per_row)}."
    )


def by_costs(evaluation: ClassEvaluation) -> str:
    """Whose costs a row's cost is by, and what they are."""
    return f"By its costs ({costs_in_words(evaluation.costs, evaluation.classes)})"


def _where(study: Study) -> str:
    if study.held_out is not None:
        rows = many(len(study.held_out), "row")
        if study.saved:
            return (
                f"The model was learned before. It is tested on all {rows} of this table. It is not the "
                "table that it was learned from; whether it has seen some of the rows is not known."
            )
        return (
            f"{rows} of {len(study.table):,} were held out, drawn with seed {study.seed}{_drawn(study)}. "
            "The model knows nothing of them. The figures below are of this model on these rows, except "
            "where they name other rows or models."
        )
    if study.folds is not None:
        return (
            f"The model was learned from all rows. To evaluate it, {_resampled(study, study.folds)} "
            "What follows is of those predictions together."
        )
    return f"{study.unjudged} What follows is of rows that the model has seen.{_chosen(study)}"


def _drawn(study: Study) -> str:
    """How rows held out were drawn, beside the seed."""
    if not isinstance(study.design, HoldOut):
        return ""
    if study.design.group is not None:
        return f", all rows of one {name_in_sentence(study.design.group)} together"
    if not study.design.stratified:
        return ""
    what = "small and large numbers are" if study.model.is_numeric else "each class is"
    return f" so that {what} in proportion"


def _resampled(study: Study, folds: CrossValidation) -> str:
    """Which rows were answered by models learned from which."""
    match folds.design:
        case Folds(repeats=repeats, group=group):
            dealt = f"the rows were divided into {len(folds.folds) // repeats} folds with seed {study.seed}"
            together = "" if group is None else f", all rows of one {name_in_sentence(group)} together"
            again = f", {repeats} times" if repeats > 1 else ""
            return (
                f"{dealt}{together}{again}, and each fold was predicted by a model learned in the same "
                "way from the others."
            )
        case ByTime(column):
            return (
                f"in {many(len(folds.folds), 'step')} later rows, by {name_in_sentence(column)}, were "
                "predicted by models learned in the same way from earlier ones."
            )
        case Bootstrap():
            return (
                f"{len(folds.folds)} samples were drawn with replacement with seed {study.seed}, and the "
                "rows not drawn were predicted by a model learned in the same way from the sample."
            )
        case LeaveOneOut() | GivenFolds() | HoldOut() | TrainingRows() | None:
            return (
                "rows were held out and predicted by models learned in the same way from the others "
                f"({folds.design_in_words})."
            )
        case _:
            assert_never(folds.design)


def _compared(study: Study, evaluation: Evaluation) -> list[str]:
    """Beside answering always the same, and beside the rows it has seen."""
    if study.judged is None:
        return []
    lines, seen = _always(study, evaluation), study.seen
    if isinstance(seen, ClassEvaluation):
        right = f"{percentage(seen.accuracy)} are predicted correctly.{cost_sentence(seen)}"
        lines.append(f"On the rows that it was learned from, {right}{_chosen(study)}")
    elif isinstance(seen, NumberEvaluation):
        name, value = seen.score
        off = f"its {name} is {amount(value)}"
        if name != "quantile loss":
            off = f"it is off by {amount(value)} ({name})"
        lines.append(f"On the rows that it was learned from, {off}.{_chosen(study)}")
    return lines


def _chosen(study: Study) -> str:
    """What else the rows that it has seen decided, and so make a score on them too good."""
    sentences = ""
    if study.chosen and study.training is not None and study.learned_from is not None:
        sentences += f" {also_chosen(study.chosen).capitalize()}."
    if study.kept_back is not None:
        sentences += f" {many(len(study.kept_back), 'of them', 'of them')}, kept back, chose the pruning."
    return sentences


def _always(study: Study, evaluation: Evaluation) -> list[str]:
    """What the simplest answer would do on the same rows."""
    if not isinstance(evaluation, ClassEvaluation):
        if evaluation.quantile is not None:
            return []  # what a constant would do, its sums do not say
        spread = (evaluation.spread / evaluation.weight) ** 0.5 if evaluation.weight else float("nan")
        return [f"Always predicting the mean of these rows would be off by {amount(spread)} (RMSE)."]
    known, weights = study.rows.target, study.rows.weights
    counts = np.bincount(
        known[known >= 0],
        None if weights is None else weights[known >= 0],
        minlength=len(study.rows.schema.classes),
    )
    if not counts.any() or study.rows.schema.classes != evaluation.classes:
        return []
    most = int(counts.argmax())
    rank = "the commonest class" if (counts == counts[most]).sum() == 1 else "one of the commonest classes"
    of_it = sum(evaluation.confusion[most]) + (evaluation.silent[most] if evaluation.silent else 0.0)
    share = of_it / evaluation.weight if evaluation.weight else float("nan")
    constant = name_in_sentence(evaluation.classes[most])
    always = f"Always predicting {constant}, {rank}, would be correct for {percentage(share)}"
    if evaluation.cost is None or not sum(map(sum, evaluation.confusion)):
        return [f"{always}."]
    paid = sum(sum(row) * evaluation.costs[true][most] for true, row in enumerate(evaluation.confusion))
    return [f"{always}, and cost {amount(paid / sum(map(sum, evaluation.confusion)))} per row."]


def _folds(validation: CrossValidation) -> str:
    is_class = isinstance(validation.together, ClassEvaluation)
    score = percentage if is_class else amount
    columns = {"fold": list(map(str, range(1, len(validation.scores) + 1)))}
    columns["right" if is_class else validation.score_name] = list(map(score, validation.scores))
    if validation.costs:
        columns["cost per row"] = list(map(amount, validation.costs))
    columns[validation.unit] = [f"{size:,}" for size in validation.sizes]
    mean = f"{score(validation.score)} ± {score(validation.standard_error)}"
    corrected = "" if validation.bootstrap is None else paragraph(f"{validation.bootstrap}.")
    return corrected + details(
        f"Fold by fold: {mean} (all rows together, and the standard error by {CORRECTED})",
        columns_table(columns, numbers=range(len(columns))),
    )


def _by_class(evaluation: ClassEvaluation) -> str:
    recall, precision = evaluation.recall, evaluation.precision
    silent = evaluation.silent or (0.0,) * len(evaluation.classes)
    columns = {
        "class": [isolated(name) for name in evaluation.classes],
        "rows": [amount(sum(row) + silent[place]) for place, row in enumerate(evaluation.confusion)],
        "predicted": [amount(sum(column)) for column in zip(*evaluation.confusion, strict=True)],
        "recall": [percentage(recall[name]) for name in evaluation.classes],
        "precision": [percentage(precision[name]) for name in evaluation.classes],
    }
    listed = columns_table(columns, numbers=(1, 2, 3, 4), caption="By class.")
    return details("By class", listed) if len(evaluation.classes) > MANY_CLASSES else listed


def _confused(evaluation: ClassEvaluation) -> str:
    """In place of a matrix that nobody can read: which classes are taken for which."""
    counts = np.array(evaluation.confusion)
    np.fill_diagonal(counts, 0.0)
    order = np.argsort(-counts, axis=None, kind="stable")[:_PAIRS]
    lines = []
    for place in order.tolist():
        pair = (evaluation.classes[each] for each in divmod(place, len(evaluation.classes)))
        if counts.flat[place]:
            lines.append((*map(isolated, pair), amount(float(counts.flat[place]))))
    if not lines:
        return ""
    caption = (
        f"What is most often taken for what. Charts show the commonest of {len(evaluation.classes)} classes."
    )
    return table(("class", "predicted as", "rows"), lines, numbers=(2,), caption=caption)
