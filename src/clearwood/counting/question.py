"""A Question: what a node asks, and which cells each branch takes."""

from __future__ import annotations

import math

import numpy as np

from clearwood.formulas.conditions import Condition, interval, one_of
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


def condition(attribute: Attribute, branch: Takes) -> Condition:
    """A branch's condition as it is printed.

    >>> str(condition(Numeric("Humidity"), Takes(-math.inf, 75.0)))
    'Humidity ≤ 75'
    """
    if isinstance(attribute, Nominal | Ordinal):
        values = tuple(attribute.values[code] for code in branch.codes)
        return one_of(attribute.name, values, branch.or_missing)
    return interval(attribute.name, branch.low, branch.high, branch.or_missing)
