"""RowGroups of rows that stay together: all rows of a customer, a patient, a document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.advice import Advice, NamedOption
from clearwood.arrays import Longs
from clearwood.errors import SchemaError
from clearwood.table.attributes import AttributeKind, Ignored, Numeric
from clearwood.table.table import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """[row] the number of its group, from 0; a row without one is a group by itself."""

    of: Longs
    count: int


def column_to_divide_by(table: Table, name: str, kind: AttributeKind = "nominal") -> Column:
    """The cells of a column that rows are divided by; refused where the table has none."""
    attribute = table.schema[name]
    if attribute is table.schema.target:
        raise SchemaError(
            f"'{name}' is what is predicted: rows cannot be divided by it. Name another column."
        )
    if isinstance(attribute, Ignored) and attribute.because == Ignored(name).because:
        raise SchemaError(
            f"Rows cannot be divided by the column '{name}', which is left out by hand. What divides rows is "
            "not learned from anyway: do without ",
            NamedOption("ignore", [name]),
            " (or the kind ignored in its schema).",
        )
    if isinstance(attribute, Ignored) or name not in table.columns:
        raise SchemaError(
            f"Column '{name}' was left out when the table was read, so rows cannot be divided by it. "
            "Keep it: ",
            Advice("kinds", {name: kind}),
            ".",
        )
    return table.columns[name]


def groups_in(table: Table, column: str) -> RowGroups:
    """The rows by the values of a column.

    >>> import clearwood as cw
    >>> rows = {"who": ["a", "b", "a", None, None], "y": [1, 2, 3, 4, 5]}
    >>> groups_in(cw.read_table(rows, target="y"), "who").of.tolist()
    [0, 1, 0, 2, 3]
    """
    if table.together is not None and isinstance(table.schema[column], Ignored):
        return groups_of(table.together)  # a design has set the column aside, and kept its groups
    cells = column_to_divide_by(table, column)
    if cells.dtype == np.object_:
        missing = np.array([cell is None for cell in cells], dtype=np.bool_)
    elif isinstance(table.schema[column], Numeric):
        missing = np.isnan(cells)
    else:
        missing = cells < 0
    of = np.empty(len(cells), dtype=np.int64)
    known = cells[~missing].astype(str) if cells.dtype == np.object_ else cells[~missing]
    values, codes = np.unique(known, return_inverse=True)
    of[~missing] = codes
    of[missing] = len(values) + np.arange(int(missing.sum()))
    return RowGroups(of, len(values) + int(missing.sum()))


def groups_of(together: Longs) -> RowGroups:
    """The rows of equal numbers as groups, counted from 0."""
    values, of = np.unique(together, return_inverse=True)
    return RowGroups(of.astype(np.int64).ravel(), len(values))


def rows_that_stay_together(table: Table) -> RowGroups | None:
    """The groups that no division may part: those a design keeps together, or copies of one row, which would
    else teach a model and judge it. None where every row stands by itself.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> rows_that_stay_together(days), rows_that_stay_together(days.take(np.array([3, 3, 5]))).count
    (None, 2)
    """
    if table.together is not None:
        return groups_of(table.together)
    if table.places is None or (np.diff(table.places) > 0).all():
        return None
    groups = groups_of(table.places)
    return groups if groups.count < len(table) else None
