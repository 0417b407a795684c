"""From a table to a study: learn by a recipe, and judge on rows that were not learned from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.catalogue import entry_of
from clearwood.errors import ClearwoodError, SchemaError
from clearwood.learners.directions import with_directions
from clearwood.learners.learner import Learner
from clearwood.learners.progress import kept_warnings
from clearwood.learners.training import fingerprint
from clearwood.models.deciding import decided
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.lineage import EndedEarly
from clearwood.models.model import Model
from clearwood.scoring.evaluation import evaluate
from clearwood.scoring.over_parts import with_fitting_intervals
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.study.cross_validation import cross_validate
from clearwood.study.deciding.rows_that_chose import chosen_since
from clearwood.study.designs import (
    Bootstrap,
    ByTime,
    Design,
    Folds,
    GivenFolds,
    HoldOut,
    LeaveOneOut,
    TrainingRows,
    quick_design,
    usual_design,
)
from clearwood.study.dividing import parts_of, rows_to_learn, units_of
from clearwood.study.profiling import profile_of
from clearwood.study.recipe import Recipe, as_seen, recipe_of
from clearwood.study.row_marks import among_words, has_seen, learned_among, unordered_mark
from clearwood.study.study import Study
from clearwood.table.table import Table, as_counts

if TYPE_CHECKING:
    from clearwood.learners.ensembles.members import OutOfBagAnswers


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
        return _usual(recipe, table, seed, name, how)
    match design:
        case HoldOut(then_all=False):
            (part,) = parts_of(design, table)
            rows = rows_to_learn(design, table)
            study = _learned(recipe, rows, rows.take(part.learn), table, design, name, how)
            units = units_of(design, table)
            held, belonging = rows.take(part.judge), None if units is None else units[part.judge]
            study = replace(study, held_out=held, held_together=belonging)
            judged_rows = evaluate(study.model, held)
            if belonging is not None:
                judged_rows = with_fitting_intervals(judged_rows, study.predictions)
            return replace(study, judged=judged_rows)
        case HoldOut() | Folds() | LeaveOneOut() | ByTime() | Bootstrap() | GivenFolds():
            judged = cross_validate(recipe, table, design=design)
            rows = rows_to_learn(design, table)
            study = _learned(recipe, rows, rows, table, design, name, how)
            return replace(study, folds=judged, judged=judged.together)
        case TrainingRows():
            return _learned(recipe, table, table, table, design, name, how)
        case _:
            assert_never(design)


def study_of_model(model: Model, table: Table, *, name: str = "", how: str = "") -> Study:
    """A model learned before: the rows judge it, unless it was learned from these very rows."""
    _check(table)
    score = evaluate(model, table)
    study = Study(name=name, table=table, model=model, learned_from=None, saved=True, how=how)
    mark = fingerprint(table)
    if model.origin.fingerprint == mark:
        unjudged = (
            "These are the rows that the model was learned from. They cannot show how it does on others."
        )
        return replace(study, learned_from=table, training=score, unjudged=unjudged)
    if has_seen(model, table):
        unjudged = (
            "These are the rows that the model was learned from, in another order. They cannot show how it "
            "does on others."
        )
        return replace(study, training=score, unjudged=unjudged)
    if among := learned_among(model, table):
        unjudged = f"{among_words(among, len(table))}. They cannot show how it does on others."
        return replace(study, training=score, unjudged=unjudged)
    if chose := chosen_since(model.origin, mark, unordered_mark(model, table)):
        unjudged = (
            f"These rows chose {' and '.join(chose)}: what the model does on others, they cannot tell, and "
            "scores on them are too good."
        )
        return replace(study, training=score, unjudged=unjudged)
    return replace(study, held_out=table, judged=score)


def _learned(
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


def _usual(recipe: Recipe, table: Table, seed: int, name: str, how: str) -> Study:
    """As the usual design says; or, where folds are not possible, unjudged, and why."""
    design = usual_design(len(table), seed)
    if isinstance(design, HoldOut):
        return study_of(recipe, table, design, name=name, how=how)
    study = study_of(recipe, table, TrainingRows(seed), name=name, how=how)
    if isinstance(design, TrainingRows):
        return replace(study, unjudged=_ONE_ROW)
    return _judged_too(study, recipe, table, design)


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
    study, kept = _with_out_of_bag(recipe, table, seed, draws=entry is not None and entry.makes == "ensemble")
    after = study.model.origin.after
    if any(isinstance(each, EndedEarly) and each.because == "interrupted" for each in after):
        return replace(study, unjudged="Learning was interrupted: nothing was evaluated.")
    plain = not (recipe.before or recipe.after or recipe.prunings)
    if plain and kept is not None and (given := _out_of_bag(study.model, table, kept)) is not None:
        return replace(study, out_of_bag=given, judged=given.evaluation)
    slow = isinstance(study.model, Ensemble | AdditiveModel) or entry is None
    slow = slow or bool(recipe.before or recipe.after)
    design = quick_design(len(table), len(table.schema.inputs), seed, slow=slow)
    if isinstance(design, TrainingRows):
        return replace(study, unjudged=_ONE_ROW)
    with kept_warnings():  # the model of all rows has said what there is to say
        return _judged_too(study, recipe, table, design)


def _with_out_of_bag(
    recipe: Recipe, table: Table, seed: int, *, draws: bool
) -> tuple[Study, OutOfBagAnswers | None]:
    """The study of a model of all rows, and what its members answered rows that they did not draw."""
    if not draws:
        return study_of(recipe, table, TrainingRows(seed)), None
    from clearwood.learners.ensembles.members import out_of_bag_kept  # late: most learners draw no rows

    with out_of_bag_kept() as kept:
        study = study_of(recipe, table, TrainingRows(seed))
    return study, kept[0] if len(kept) == 1 else None


_ONE_ROW: Final = "There is one row: none can be held out, so nothing is known of how the model does."


def _judged_too(study: Study, recipe: Recipe, table: Table, design: Design) -> Study:
    """A study of a model of all rows, with its recipe judged as the design says."""
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
    if len(kept.size) != len(table) or not plain or not (kept.size > 0).any():
        return None
    heard = kept.size > 0
    sums = kept.sums.reshape(len(table), -1)[heard]
    means = sums / kept.size[heard][:, None]
    rows = np.flatnonzero(heard)
    apart = as_counts(table).take(rows)
    weights = np.ones(len(rows)) if apart.weights is None else apart.weights
    part = np.zeros(len(rows), dtype=np.int64)
    truth, target = apart.target, model.schema.target
    assert target is not None
    if model.is_numeric:
        return NumberPredictions(
            target=target.name,
            truth=np.asarray(truth, dtype=np.float64),
            answers=means[:, 0],
            weights=weights,
            places=rows,
            part=part,
            weights_are=table.weights_are,
        )
    classes = model.schema.classes
    return ClassPredictions(
        classes=classes,
        truth=np.asarray(truth, dtype=np.int64),
        answers=np.asarray(decided(sums, model.decision, classes), dtype=np.int64),
        shares=means / np.maximum(means.sum(axis=1, keepdims=True), 1e-300),
        weights=weights,
        places=rows,
        part=part,
        weights_are=table.weights_are,
        costs=model.decision.costs_kept,
    )


def _check(table: Table) -> None:
    if table.schema.target is None:
        raise SchemaError("Which column is predicted? Name it: ", Advice("target"), ".")
    if not len(table):
        raise SchemaError("There are no rows to learn from or to test on.")
