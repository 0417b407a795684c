"""Is this the table that a model was learned from?"""

from __future__ import annotations

from clearwood.advice import Advice
from clearwood.balancing.balance_rows import again
from clearwood.errors import ColumnError, LearningError, SettingError, no_such
from clearwood.learners.fingerprint import fingerprint
from clearwood.models.lineage import Balanced
from clearwood.models.model import Model
from clearwood.table.attributes import Ignored
from clearwood.table.sparse_columns import set_aside
from clearwood.table.table import Table


def check_same_table(model: Model, table: Table | None) -> Table:
    """The table, if it is the one; a sentence otherwise."""
    if table is None:
        raise SettingError(
            "A model is derived by counting its rows again: give the table it was learned from."
        )
    if not isinstance(table, Table):
        raise SettingError(
            f"A derivation counts a Table, not {type(table).__name__}. Make one: clearwood.read_table(…)."
        )
    for attribute in (*model.schema.inputs, *([model.schema.target] if model.schema.target else [])):
        if attribute.name not in table.columns:
            raise ColumnError(
                f"The table lacks a column of the model. {no_such('column', attribute.name, table.columns)}"
            )
    hidden = [each.name for each in model.schema.attributes if isinstance(each, Ignored)]
    table = set_aside(table, [name for name in hidden if name in table.columns], "it was not learned from")
    origin = model.origin
    if origin.rows and origin.rows != len(table):
        raise LearningError(
            f"This model was learned from other rows: {origin.rows:,} of them, and here are {len(table):,}. "
            "Give the table it was learned from."
        )
    if origin.weights_are and table.weights_are and origin.weights_are != table.weights_are:
        raise LearningError(
            f"This model was learned with weights that are {origin.weights_are}, and here they are "
            f"{table.weights_are}. Read the table with ",
            Advice("weights_are", origin.weights_are),
            ".",
        )
    if origin.fingerprint and origin.fingerprint != fingerprint(table):
        raise LearningError(
            "This model was learned from other rows: cells, weights or the schema differ. Give the table it "
            "was learned from, read with schema=model.schema."
        )
    return table


def counted_rows(model: Model, table: Table | None) -> Table:
    """The rows that the model counted: those of the table it was learned from, balanced again where its
    lineage says that they were."""
    rows = check_same_table(model, table)
    for done in model.origin.after:
        if isinstance(done, Balanced):
            rows = again(rows, done)
    return rows
