"""The rows and columns that a selector ranks by, and a sentence where there are none."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from clearwood.advice import Advice, Place
from clearwood.errors import LearningError
from clearwood.learners.usable_rows import usable_rows
from clearwood.selecting.selector import Selector
from clearwood.table.attributes import Numeric, Text
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table


def rows_to_rank(table: Table, by: str, selector: Selector) -> Table:
    """The rows with a target and a weight, of a table that has columns to rank and a fitting target."""
    if not isinstance(table, Table):
        raise LearningError(
            f"Columns are ranked of a Table, not of {type(table).__name__}. "
            "Make one: clearwood.read_table(…, target='…')."
        )
    if isinstance(table.columns, SparseColumns):
        raise LearningError("Columns of a sparse table cannot be ranked. Give them as a dense table.")
    rows = usable_rows(_AnyTarget(), table, reads_text=True)
    if not ranked_names(table):
        raise LearningError("There is no column to rank beside the target.")
    target = table.schema.target
    if isinstance(target, Numeric) and not selector.of_numbers:
        raise LearningError(
            f"'{by}' ranks columns by classes, and '{target.name}' is a number. Use mrmr or relieff, "
            "or declare it: ",
            Advice("kinds", {target.name: "nominal"}),
            ".",
            place=Place(column=target.name),
        )
    return rows


def ranked_names(table: Table) -> list[str]:
    """The columns that are ranked: all inputs but text."""
    return [each.name for each in table.schema.inputs if not isinstance(each, Text)]


def has_one_answer(rows: Table) -> bool:
    """Is the target the same in all rows, so that no column can tell anything of it?"""
    return len(np.unique(rows.target)) < 2


class _AnyTarget:
    """A selector as a learner, for the checks that both share: it takes numbers too."""

    learns_numbers: ClassVar[bool] = True

    def learn(self, _: Table) -> None:
        raise AssertionError("nothing is learned")
