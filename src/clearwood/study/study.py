"""A Study: a table, the model of it, the rows that each was made and judged with, and how good it is."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from clearwood.arrays import Longs
from clearwood.catalogue import entry_of
from clearwood.errors import ClearwoodError, SchemaError, Sentence, SettingError
from clearwood.learners.directions import with_directions
from clearwood.learners.learner import Learner
from clearwood.learners.progress import kept_warnings
from clearwood.models.decision import Decision, decided
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.lineage import EndedEarly
from clearwood.models.model import Model
from clearwood.predicting.columns import table_for
from clearwood.records import dataclass
from clearwood.scoring import Scored, Stakes
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation, evaluate
from clearwood.scoring.intervals import with_fitting_intervals
from clearwood.scoring.positive import ConstantClasses, check_positive
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions, predictions_of
from clearwood.scoring.scores import Scores, scores_of
from clearwood.study.cross_validation import CrossValidation, cross_validate
from clearwood.study.designs import Design, HoldOut, TrainingRows, quick_design, usual_design
from clearwood.study.dividing import parts_by_design, predicted_column, rows_to_learn, units_of
from clearwood.study.known_rows import chosen_in_learning, rows_known
from clearwood.study.profiling import profile_of
from clearwood.study.recipe import PruningRound, Recipe, as_seen, recipe_of
from clearwood.table.folding import places_of_sums
from clearwood.table.table import Table, as_counts
from clearwood.words.numbers import amount, count_words

if TYPE_CHECKING:
    from clearwood.learners.ensembles.members import OutOfBagAnswers
    from clearwood.learners.trees.pruning.pruner import Ledger
    from clearwood.study.behaviour.of_study import Behaviours
    from clearwood.study.fairness.groups import Fairness


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
        return self.model.schema.predicted.name

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
    if classes := study.model.schema.classes:
        of_two = ("recall", "auc") if len(classes) == 2 or study.positive else ()
        return study_scores(study, only=("accuracy", *of_two))
    evaluation = study.judged or study.training
    name = evaluation.score[0] if isinstance(evaluation, NumberEvaluation) else "RMSE"
    return study_scores(study, only=({"RMSE": "rmse", "MAE": "mae"}.get(name, "pinball"),))


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


# From a table to a study: learn by a recipe, and judge on rows that were not learned from.


def study_of(
    learner: Learner[Model] | Recipe,
    table: Table,
    design: Design | None = None,
    *,
    seed: int = 0,
    name: str = "",
    how: str = "",
) -> Study:
    """Learn and judge as the design says. Without one learn from three quarters of the rows and judge on the
    rest; from fewer than 100 rows learn all, and judge by folds, drawn with `seed`.

    >>> import clearwood as cw
    >>> study = study_of(cw.ID3(), cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> study.held_out, len(study.folds.folds)
    (None, 10)
    """
    _check(table)
    recipe = recipe_of(learner)
    recipe = replace(recipe, learner=with_directions(recipe.learner, table))
    if design is None:
        design = usual_design(len(table), seed)
        if not isinstance(design, HoldOut):
            study = _study_learned(recipe, table, table, table, TrainingRows(seed), name, how)
            return _judged_too(study, recipe, table, design)
    rows = rows_to_learn(design, table)
    if isinstance(design, TrainingRows):
        return _study_learned(recipe, table, table, table, design, name, how)
    if not isinstance(design, HoldOut) or design.then_all:
        judged = cross_validate(recipe, table, design=design)
        study = _study_learned(recipe, rows, rows, table, design, name, how)
        return replace(study, folds=judged, judged=judged.together)
    (part,) = parts_by_design(design, table)
    study = _study_learned(recipe, rows, rows.take(part.learn), table, design, name, how)
    units = units_of(design, table)
    held, belonging = rows.take(part.judge), None if units is None else units[part.judge]
    study = replace(study, held_out=held, held_together=belonging)
    judged_rows = evaluate(study.model, held)
    if belonging is not None:
        judged_rows = with_fitting_intervals(judged_rows, study.predictions)
    return replace(study, judged=judged_rows)


def study_of_model(model: Model, table: Table, *, name: str = "", how: str = "") -> Study:
    """A model learned before: the rows judge it, unless it was learned from these very rows."""
    _check(table)
    score = evaluate(model, table)
    study = Study(name=name, table=table, model=model, learned_from=None, saved=True, how=how)
    known, which = rows_known(model, table)
    if known:
        learned = "These are the rows that the model was learned from"
        unjudged = {
            "these": f"{learned}. They cannot show how it does on others.",
            "reordered": f"{learned}, in another order. They cannot show how it does on others.",
            "among": f"{which}. They cannot show how it does on others.",
            "chose": f"These rows chose {which}: what the model does on others, they cannot tell, and "
            "scores on them are too good.",
        }[known]
        learned_from = table if known == "these" else None
        return replace(study, learned_from=learned_from, training=score, unjudged=unjudged)
    return replace(study, held_out=table, judged=score)


def _study_learned(
    recipe: Recipe, table: Table, learned_from: Table, whole: Table, design: Design, name: str, how: str
) -> Study:
    """The study with its model; `whole` is the table as it was given, which is known again too."""
    made = recipe.carry_out(learned_from)
    profile = profile_of(as_seen(made.grown_on, made.model), as_seen(whole, made.model))
    return Study(
        name=name,
        table=table,
        model=replace(made.model, profile=profile),
        learned_from=learned_from,
        grown_on=made.grown_on,
        kept_back=made.kept_back,
        rounds=made.rounds,
        training=evaluate(made.model, made.grown_on),
        pruning=None if made.kept_back is None else evaluate(made.model, made.kept_back),
        design=design,
        seed=design.seed,
        how=how,
    )


def study_judged_quickly(learner: Learner[Model] | Recipe, table: Table, *, seed: int = 0) -> Study:
    """Learn from all rows, and judge on rows that were not learned from in no more time than that: by rows
    out of bag where they come with learning, else as `quick_design` says.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> study_judged_quickly(cw.ID3(), days).folds.design_in_words
    '10 folds'
    >>> len(study_judged_quickly(cw.Forest(trees=50), days).out_of_bag)
    14
    """
    _check(table)
    recipe = recipe_of(learner)
    entry = entry_of(recipe.learner)
    kept: list[OutOfBagAnswers] = []  # what its members answered rows that they did not draw
    if entry is not None and entry.makes == "ensemble":
        from clearwood.learners.ensembles.members import out_of_bag_kept  # late: most learners draw no rows

        with out_of_bag_kept() as kept:
            study = study_of(recipe, table, TrainingRows(seed))
    else:
        study = study_of(recipe, table, TrainingRows(seed))
    after = study.model.origin.after
    if any(isinstance(each, EndedEarly) and each.because == "interrupted" for each in after):
        return replace(study, unjudged="Learning was interrupted: nothing was evaluated.")
    plain = len(kept) == 1 and not (recipe.before or recipe.after or recipe.prunings)
    if plain and (given := _out_of_bag(study.model, table, kept[0])) is not None:
        return replace(study, out_of_bag=given, judged=given.evaluation)
    slow = isinstance(study.model, Ensemble | AdditiveModel) or entry is None
    slow = slow or bool(recipe.before or recipe.after)
    design = quick_design(len(table), len(table.schema.inputs), seed, slow=slow)
    with kept_warnings():  # the model of all rows has said what there is to say
        return _judged_too(study, recipe, table, design)


def _judged_too(study: Study, recipe: Recipe, table: Table, design: Design) -> Study:
    """A study of a model of all rows, with its recipe judged as the design says; or, where folds are not
    possible, unjudged, and why."""
    if isinstance(design, TrainingRows):
        why = "There is one row: none can be held out, so nothing is known of how the model does."
        return replace(study, unjudged=why)
    try:
        judged = cross_validate(recipe, table, design=design)
    except ClearwoodError as error:
        # A fold may lack what the learner needs, where the whole table has just enough of it.
        why = Sentence("The model could not be learned from a part of the rows: ", error.sentence)
        return replace(study, unjudged=why)
    return replace(study, folds=judged, judged=judged.together, design=design)


def _out_of_bag(model: Model, table: Table, kept: OutOfBagAnswers) -> Predictions | None:
    """What members answered rows that they did not draw, as predictions; None where rows were left out of
    learning, or priors or a quantile stand between the sums and the answers."""
    plain = replace(model.decision, costs=()) == Decision()
    heard = kept.size > 0
    if len(kept.size) != len(table) or not plain or not heard.any():
        return None
    sums = kept.sums.reshape(len(table), -1)[heard]
    if kept.classes:  # a forest takes them by name, however they are declared
        sums = sums[:, [kept.classes.index(name) for name in model.schema.classes]]
    means, places = sums / kept.size[heard][:, None], places_of_sums(table)
    rows = (
        np.flatnonzero(heard) if places is None else places[heard]
    )  # learners keep their rows in this order
    apart, target = as_counts(table).take(rows), model.schema.predicted
    shared: dict[str, Any] = {
        "truth": np.asarray(apart.target, dtype=np.float64 if model.is_numeric else np.int64),
        "weights": np.ones(len(rows)) if apart.weights is None else apart.weights,
        "places": rows,
        "part": np.zeros(len(rows), dtype=np.int64),
        "weights_are": table.weights_are,
    }
    if model.is_numeric:
        return NumberPredictions(target=target.name, answers=means[:, 0], **shared)
    classes = model.schema.classes
    return ClassPredictions(
        classes=classes,
        answers=np.asarray(decided(sums, model.decision, classes), dtype=np.int64),
        shares=means / np.maximum(means.sum(axis=1, keepdims=True), 1e-300),
        costs=model.decision.costs_kept,
        **shared,
    )


def _check(table: Table) -> None:
    predicted_column(table)
    if not len(table):
        raise SchemaError("There are no rows to learn from or to test on.")
