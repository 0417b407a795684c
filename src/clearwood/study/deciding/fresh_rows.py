"""Fresh rows: rows that may choose something of a model because it has not learned from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clearwood.errors import SchemaError, SettingError
from clearwood.learners.fingerprint import fingerprint
from clearwood.models.lineage import Calibrated, Decided
from clearwood.models.model import Model
from clearwood.predict.columns import table_for
from clearwood.study.row_marks import among_words, has_seen, learned_among, unordered_mark
from clearwood.table import encode
from clearwood.table.table import Table


def fresh_rows(model: Model, table: Any, what: str) -> tuple[Table, str]:
    """The rows as a table, and their fingerprint; refused where the model was learned from them.

    `table` is a Table, or anything a table can be made of; `what` is chosen by it.
    """
    if not isinstance(table, Table):
        try:
            table = encode(table, model.schema)
        except SchemaError:
            table = table_for(model, table, with_target=True)  # only the columns that it needs are there
    if not len(table):
        raise SchemaError(f"There are no rows to choose {what} by.")
    mark = fingerprint(table)
    if mark == model.origin.fingerprint or has_seen(model, table):
        raise SettingError(
            "These are the rows that the model was learned from, on which its probabilities are too good to "
            f"choose {what} by. Take other rows, or let folds of these choose while it is learned: "
            "fit --cutoff, --refer and --calibrate; in Python Recipe(learner, after=(Deciding(…),))."
        )
    if among := learned_among(model, table):
        raise SettingError(
            f"{among_words(among, len(table))}, on which its probabilities are too good to choose {what} by. "
            "Take rows that it has not learned from."
        )
    return table, mark


def with_rows_known(model: Model, before: Model, rows: Table) -> Model:
    """The model with a mark of the rows that chose what was done to it since `before`, by which they are
    known again in any order."""
    mark, old = unordered_mark(model, rows), len(before.origin.after)
    new = tuple(
        replace(done, mark=mark) if isinstance(done, Calibrated | Decided) and done.by == "fresh" else done
        for done in model.origin.after[old:]
    )
    origin = replace(model.origin, after=(*model.origin.after[:old], *new))
    return replace(model, origin=origin)
