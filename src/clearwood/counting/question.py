"""A Question: what a node asks, and which cells each branch takes."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.models.conditions import Condition, interval, one_of
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import Column


@dataclass(frozen=True, slots=True)
class Takes:
    """The cells one branch takes: low < x ≤ high, or these codes, and perhaps the empty ones."""

    low: float = math.inf
    high: float = math.inf
    codes: tuple[int, ...] = ()
    or_missing: bool = False


@dataclass(frozen=True, slots=True)
class SurrogateQuestion:
    """A surrogate: an attribute whose cells say which of the two branches to follow."""

    attribute: int
    when: Takes
    then: int
    other: Takes
    agreement: float


@dataclass(frozen=True, slots=True)
class Question:
    """One attribute, one `Takes` per branch; rows that none takes go by surrogates, `otherwise` or shares."""

    attribute: int
    branches: tuple[Takes, ...]
    scores: tuple[float, ...]
    shares: tuple[float, ...]
    otherwise: int = -1
    surrogates: tuple[SurrogateQuestion, ...] = ()


def takes(attribute: Attribute, branch: Takes, cells: Column) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """[row] Does the branch take the cell?"""
    if isinstance(attribute, Numeric):
        # Comparisons with an empty cell are false, so it is taken by no interval.
        taken = (cells > branch.low) & (cells <= branch.high)
        empty = np.isnan(cells)
    else:
        taken = np.isin(cells, branch.codes)
        empty = cells < 0
    return taken | (empty & branch.or_missing)


def empty_cells(attribute: Attribute, cells: Column) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """[row] Is the cell empty?"""
    return np.isnan(cells) if isinstance(attribute, Numeric) else cells < 0


def condition(attribute: Attribute, branch: Takes) -> Condition:
    """A branch's condition as it is printed.

    >>> str(condition(Numeric("Humidity"), Takes(-math.inf, 75.0)))
    'Humidity ≤ 75'
    """
    if isinstance(attribute, Nominal | Ordinal):
        values = tuple(attribute.values[code] for code in branch.codes)
        return one_of(attribute.name, values, branch.or_missing)
    return interval(attribute.name, branch.low, branch.high, branch.or_missing)


# A Ladder: the values of an ordered column from low to high, and the step on which each row stands.


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
