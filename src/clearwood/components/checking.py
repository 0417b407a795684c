"""What components are made of: a table in memory with enough rows; a sentence where it is something else."""

from __future__ import annotations

from clearwood.errors import LearningError
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table
from clearwood.words.numbers import many


def check_dense(table: Table, verb: str) -> None:
    """Refuse what is no table, a sparse one, or one without rows."""
    if not isinstance(table, Table):
        raise LearningError(
            f"{verb} takes a Table, not {type(table).__name__}. Make one: clearwood.read_table(…)."
        )
    if isinstance(table.columns, SparseColumns):
        raise LearningError(f"{verb} takes no sparse table. Give it as a dense one.")
    if not len(table) or (table.weights is not None and not table.weights.sum() > 0):
        raise LearningError(f"The table has no rows with a weight: {verb} has nothing to go by.")
    if len(table) == 1:
        raise LearningError(f"{verb} is of what differs from row to row, and the table has a single row.")


def few_rows(table: Table, columns: int) -> list[str]:
    """A note where there are hardly more rows than columns: what they have in common may be chance."""
    if len(table) > 2 * columns:
        return []
    rows, of = many(len(table), "row"), many(columns, "column")
    return [f"{rows} for {of}: too few to rely on what the components are made of."]
