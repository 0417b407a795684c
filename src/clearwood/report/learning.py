"""From a table to a study: learn, and judge on rows that were not learned from."""

from __future__ import annotations

from typing import Final

from clearwood.errors import ClearwoodError, SchemaError
from clearwood.learners.fingerprint import fingerprint
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.report.study import Study
from clearwood.scoring.evaluation import evaluate
from clearwood.study.cross_validation import CrossValidation, cross_validate
from clearwood.study.learned import Learned, TellingLearner
from clearwood.table.folding import hold_out
from clearwood.table.table import Table

FEW: Final = 100  # rows: with fewer, those held out would tell too little
PART: Final = 0.25
FOLDS: Final = 10


def study_of(
    learner: Learner[Model],
    table: Table,
    *,
    test_part: float | None = None,
    folds: int | None = None,
    seed: int = 0,
    name: str = "",
    how: str = "",
) -> Study:
    """Learn from three quarters of the rows and judge on the rest; from fewer than 100 rows learn all, and
    judge by folds. `test_part` or `folds` say otherwise.

    >>> import clearwood as cw
    >>> found = study_of(cw.ID3(), cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> found.held_out, len(found.folds.folds)
    (None, 10)
    """
    _check(table)
    if folds is None and (test_part is not None or len(table) >= FEW):
        train, test = hold_out(table, PART if test_part is None else test_part, seed)
        learned_from, held_out = table.take(train), table.take(test)
        made = _learned(learner, learned_from)
        model = made.model
        return Study(
            name=name,
            table=table,
            model=model,
            learned_from=learned_from,
            grown_on=made.grown_on,
            rounds=made.rounds,
            held_out=held_out,
            seen=evaluate(model, learned_from),
            judged=evaluate(model, held_out),
            seed=seed,
            how=how,
        )
    made = _learned(learner, table)
    model = made.model
    found, unjudged = _by_folds(learner, table, folds, seed)
    return Study(
        name=name,
        table=table,
        model=model,
        learned_from=table,
        grown_on=made.grown_on,
        rounds=made.rounds,
        seen=evaluate(model, table),
        judged=None if found is None else found.together,
        folds=found,
        unjudged=unjudged,
        seed=seed,
        how=how,
    )


def study_of_model(model: Model, table: Table, *, name: str = "", how: str = "") -> Study:
    """A model that was there before: the rows judge it, unless it was learned from these very rows."""
    _check(table)
    found = evaluate(model, table)
    if model.origin.fingerprint and model.origin.fingerprint == fingerprint(table):
        unjudged = (
            "These are the rows that the model was learned from. How it does on others, they cannot tell."
        )
        return Study(
            name=name,
            table=table,
            model=model,
            learned_from=table,
            seen=found,
            unjudged=unjudged,
            saved=True,
            how=how,
        )
    return Study(
        name=name,
        table=table,
        model=model,
        learned_from=None,
        held_out=table,
        judged=found,
        saved=True,
        how=how,
    )


def _learned(learner: Learner[Model], rows: Table) -> Learned:
    if isinstance(learner, TellingLearner):
        return learner.learn_and_tell(rows)
    return Learned(learner.learn(rows), (), rows, None)


def _check(table: Table) -> None:
    if table.schema.target is None:
        raise SchemaError("A report needs to know what is predicted: target='…'.")
    if not len(table):
        raise SchemaError("There are no rows to report on.")


def _by_folds(
    learner: Learner[Model], table: Table, folds: int | None, seed: int
) -> tuple[CrossValidation | None, str]:
    """As many folds as the rows allow; or none, and why."""
    if len(table) < 2:
        return None, "There is one row: none can be held out, so nothing is known of how the model does."
    if folds is not None:
        return cross_validate(learner, table, folds=folds, seed=seed), ""
    try:
        return cross_validate(learner, table, folds=min(FOLDS, len(table)), seed=seed), ""
    except ClearwoodError as error:
        # A fold may lack what the learner needs, where the whole table has just enough of it.
        return None, f"The model could not be learned from a part of the rows: {error}"
