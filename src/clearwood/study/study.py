"""A Study: a table, the model of it, the rows that each was made and judged with, and how good it is."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from clearwood.arrays import Longs
from clearwood.errors import SchemaError, SettingError
from clearwood.learners.trees.pruning.ledger import Ledger
from clearwood.models.model import Model
from clearwood.predicting.columns import table_for
from clearwood.records import dataclass
from clearwood.scoring.baseline import ConstantClasses
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, evaluate
from clearwood.scoring.positive import check_positive
from clearwood.scoring.predictions import Predictions, predictions_of
from clearwood.scoring.score import Scored, Stakes
from clearwood.scoring.scores import Scores
from clearwood.study.cross_validation import CrossValidation
from clearwood.study.deciding.rows_that_chose import chosen_in_learning
from clearwood.study.designs import Design
from clearwood.study.recipe import PruningRound
from clearwood.study.scoring_rows import scores_of
from clearwood.table.table import Table
from clearwood.words.numbers import amount, count_words

if TYPE_CHECKING:
    from clearwood.study.behaviour.of_study import Behaviours
    from clearwood.study.fairness.fairness_of_study import Fairness


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Study:
    """What `fit` prints and a report shows. Every number in it is of the one `model`.

    `learned_from` are the rows the model was made of, None where a saved model's are not at hand. It grew
    on `grown_on`, which are all of them but those `kept_back` for pruning, and then went through the
    `rounds` of pruning. It is judged on `held_out` rows, or its recipe by `folds`, or an ensemble
    by its rows `out_of_bag`; where none can be,
    `unjudged` says why.
    """

    name: str  # of the table, as its reader knows it; may be empty
    table: Table
    model: Model
    learned_from: Table | None
    grown_on: Table | None = None
    kept_back: Table | None = None
    rounds: tuple[PruningRound, ...] = ()
    held_out: Table | None = None
    held_together: Longs | None = None  # [held-out row] which of them belong together; None: none
    training: Evaluation | None = None  # on the rows it grew on
    pruning: Evaluation | None = None  # on those kept back to prune with
    judged: Evaluation | None = None  # on the held-out rows, or on those of all folds together
    folds: CrossValidation | None = None
    out_of_bag: Predictions | None = None  # of rows learned from, each by members that did not draw it
    unjudged: str = ""
    design: Design | None = None  # by which it is judged; None of a saved model
    seed: int = 0
    saved: bool = False  # the model was learned before the table was read
    fairness: Fairness | None = None  # of protected columns
    behaviours: Behaviours = field(default_factory=dict)  # of its learner, by name, as asked
    how: str = ""  # the command that makes the report again
    positive: str = ""  # the class that recall, AUC and lift are about; "": guessed of two classes

    @property
    def target(self) -> str:
        """The name of the column that is predicted."""
        assert self.model.schema.target is not None
        return self.model.schema.target.name

    @property
    def rows(self) -> Table:
        """The rows whose columns are shown: those learned from, or else all there are."""
        return self.table if self.learned_from is None else self.learned_from

    @property
    def seen(self) -> Evaluation | None:
        """On all rows it was made of, those kept back for pruning among them."""
        if self.learned_from is None or self.kept_back is None:
            return self.training
        return evaluate(self.model, self.learned_from)

    @property
    def predictions(self) -> Predictions:
        """What each row that judges got, from a model that had not seen it."""
        if self.folds is not None:
            return self.folds.predictions
        if self.out_of_bag is not None:
            return self.out_of_bag
        assert self.held_out is not None
        held = self.held_out
        return predictions_of(self.model, held, places=held.places, units=self.held_together)

    @property
    def chosen(self) -> tuple[str, ...]:
        """What the rows that it grew on chose beside it; scores on them are the better for it."""
        return chosen_in_learning(self.model.origin)

    @property
    def ledgers(self) -> tuple[Ledger, ...]:
        """What each round of pruning cut."""
        return tuple(each.ledger for each in self.rounds)


# The scores of a study: of the rows that judge it, or where none can, of those it was learned from.


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
