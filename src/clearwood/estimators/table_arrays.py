"""A table as scikit-learn's estimators take it: one array of numbers, coded by the training rows alone.

A nominal column becomes a column of zeros and ones for each value that the training rows have, and one more
for missing cells where they have some; an ordinal one its place in the order. Missing numbers are filled with
the median of the training rows, and a column of zeros and ones says which they were.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import LearningError
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Column, Table


@dataclass(frozen=True, slots=True)
class _Values:
    """A nominal column: the codes that get a column each; missing is −1, as in the table."""

    name: str
    codes: tuple[int, ...]

    def __call__(self, cells: Column) -> list[Floats]:
        return [(cells == code).astype(np.float64) for code in self.codes]


@dataclass(frozen=True, slots=True)
class _Numbers:
    """A column of numbers, or of places in an order: what fills its gaps, and whether gaps are told."""

    name: str
    fill: float
    gaps: bool
    ordinal: bool

    def __call__(self, cells: Column) -> list[Floats]:
        numbers = _as_numbers(cells, ordinal=self.ordinal)
        missing = np.isnan(numbers)
        filled = np.where(missing, self.fill, numbers)
        return [filled, missing.astype(np.float64)] if self.gaps else [filled]


@dataclass(frozen=True, slots=True)
class TableCoding:
    """How the cells of a table become numbers; made by `table_coding` from training rows."""

    columns: tuple[_Values | _Numbers, ...]

    def array(self, table: Table) -> Floats:
        """[row, number] of any rows in the same columns."""
        made = [each for column in self.columns for each in column(np.asarray(table.columns[column.name]))]
        return np.column_stack(made)


def table_coding(table: Table) -> TableCoding:
    """The coding that these rows, and no others, give.

    >>> import clearwood as cw
    >>> table = cw.read_table({"a": ["x", "y", None], "n": [1, None, 4], "t": ["u", "v", "u"]}, target="t")
    >>> table_coding(table).array(table).tolist()
    [[0.0, 1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 2.5, 1.0], [1.0, 0.0, 0.0, 4.0, 0.0]]
    """
    columns: list[_Values | _Numbers] = []
    for attribute in table.schema.inputs:
        if attribute.name not in table.columns:
            continue
        cells = np.asarray(table.columns[attribute.name])
        match attribute:
            case Nominal(name):
                columns.append(_Values(name, tuple(np.unique(cells[cells >= -1]).tolist())))
            case Ordinal(name) | Numeric(name):
                ordinal = isinstance(attribute, Ordinal)
                numbers = _as_numbers(cells, ordinal=ordinal)
                known = numbers[~np.isnan(numbers)]
                if len(known):
                    gaps = len(known) < len(numbers)
                    columns.append(_Numbers(name, float(np.median(known)), gaps, ordinal))
            case Text() | Ignored():
                pass  # words are no numbers
            case _:
                assert_never(attribute)
    if not columns:
        raise LearningError(
            "No column of values or numbers is left: scikit-learn takes neither text nor empty columns."
        )
    return TableCoding(tuple(columns))


def _as_numbers(cells: Column, *, ordinal: bool) -> Floats:
    numbers = cells.astype(np.float64)
    return (
        np.where(cells >= 0, numbers, np.nan) if ordinal else np.where(np.isfinite(numbers), numbers, np.nan)
    )
