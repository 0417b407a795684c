"""A Ladder: the values of an ordered column from low to high, and the step on which each row stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.counting.question import empty_cells
from clearwood.table.attributes import Attribute, Numeric
from clearwood.table.table import Column


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """Made once for a table, so that no node has to sort its cells."""

    values: Floats  # [step], ascending
    step: npt.NDArray[np.int64]  # [row]; one above the last where the cell is empty or the row absent


def ladder_of(attribute: Attribute, column: Column, present: Bools) -> Ladder:
    """An attribute's ladder.

    >>> ladder = ladder_of(Numeric("x"), np.array([3.0, np.nan, 1.0, 3.0]), np.ones(4, np.bool_))
    >>> ladder.values.tolist(), ladder.step.tolist()
    ([1.0, 3.0], [1, 2, 0, 1])
    """
    known = present & ~empty_cells(attribute, column)
    cells = on_ladder(attribute, column[known])
    values = np.unique(cells)  # a sort of values is several times as quick as one of places
    step = np.full(len(column), len(values), dtype=np.int64)
    if len(values):
        step[known] = _native.column_codes([cells], [0], [values[:-1]], len(cells))[0]
    return Ladder(values, step)


def on_ladder(attribute: Attribute, cells: Column) -> Floats:
    """Known cells as steps in order: numbers as they are or between the schema's cuts, codes of values."""
    if isinstance(attribute, Numeric) and attribute.cuts:
        return np.searchsorted(np.asarray(attribute.cuts), cells, side="left").astype(np.float64)
    return cells.astype(np.float64, copy=False)
