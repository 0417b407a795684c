"""The cells of an additive model's columns: intervals or values, and one each for missing and unseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.advice import Advice, Place
from clearwood.arrays import Floats
from clearwood.counting.cuts import midpoint
from clearwood.errors import LearningError
from clearwood.learners.binning import quantile_ends
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import MISSING, Column, Table, Weights

CellCodes: TypeAlias = npt.NDArray[np.uint16]  # [row]

_MOST_VALUES: Final = 60_000  # a cell's number fits two bytes


@dataclass(frozen=True, slots=True, eq=False)
class CellColumn:
    """A column as cells: those of its intervals or values in order, then missing, then unseen."""

    name: str
    cuts: tuple[float, ...]
    ordered: bool
    codes: CellCodes
    cells: int
    direction: int = 0  # 1: its curve never falls; −1: never rises; 0: free

    @property
    def missing(self) -> int:
        return self.cells - 2


def cell_columns(rows: Table, bins: int) -> list[CellColumn]:
    """Every column that can have a curve, in the schema's order.

    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1.0, 3.0, None, 4.0], "y": ["a", "a", "b", "b"]}, target="y")
    >>> [(each.cuts, each.codes.tolist(), each.cells) for each in cell_columns(table, 255)]
    [((2.0, 3.5), [0, 1, 3, 2], 5)]
    """
    columns = []
    for attribute in rows.schema.inputs:
        column = rows.columns[attribute.name]
        match attribute:
            case Numeric(name, given):
                cuts = np.asarray(given) if given else cuts_between(column, rows.weights, bins)
                codes = cells_of_numbers(column, cuts)
                columns.append(CellColumn(name, tuple(cuts.tolist()), True, codes, len(cuts) + 3))
            case Nominal(name, values) | Ordinal(name, values):
                if len(values) > _MOST_VALUES:
                    raise LearningError(
                        f"Column '{name}' has {len(values):,} values; a curve has at most {_MOST_VALUES:,}. "
                        "Leave it out: ",
                        Advice("ignore", [name]),
                        ", or group its values first.",
                        place=Place(column=name),
                    )
                codes = cells_of_values(column, len(values))
                columns.append(CellColumn(name, (), isinstance(attribute, Ordinal), codes, len(values) + 2))
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)
    return columns


def cuts_between(column: Column, weights: Weights | None, bins: int) -> Floats:
    """Midpoints between neighbouring values: all, or those at quantiles where values are more than bins."""
    known = ~np.isnan(column)
    numbers = column[known].astype(np.float64)
    values = np.unique(numbers)
    if len(values) < 2:
        return np.empty(0)
    if len(values) <= bins:
        low, high = values[:-1], values[1:]
    else:
        low = quantile_ends(numbers, None if weights is None else weights[known], bins)
        high = values[np.searchsorted(values, low, side="right")]
    return np.array([midpoint(a, b) for a, b in zip(low.tolist(), high.tolist(), strict=True)])


def cells_of_numbers(column: Column, cuts: Sequence[float] | Floats) -> CellCodes:
    """Each row's cell: low < x ≤ high, and the one after the last interval for an empty cell."""
    codes = np.searchsorted(np.asarray(cuts), column.astype(np.float64)).astype(np.uint16)
    codes[np.isnan(column)] = len(cuts) + 1
    return codes


def cells_of_values(column: Column, values: int) -> CellCodes:
    """Each row's cell: its value's, then one for an empty cell, then one for an unseen value."""
    return np.where(column >= 0, column, np.where(column == MISSING, values, values + 1)).astype(np.uint16)
