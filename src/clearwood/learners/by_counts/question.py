"""A Question: what a node asks, and which cells each branch takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clearwood.models.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf
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
class StandIn:
    """A surrogate: an attribute whose cells say which of the two branches to follow."""

    attribute: int
    when: Takes
    then: int
    other: Takes
    agreement: float


@dataclass(frozen=True, slots=True)
class Question:
    """One attribute, one `Takes` a branch; a row none takes goes by stand-ins, `otherwise`, or shares."""

    attribute: int
    branches: tuple[Takes, ...]
    scores: tuple[float, ...]
    shares: tuple[float, ...]
    otherwise: int = -1
    stand_ins: tuple[StandIn, ...] = ()


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


def is_empty(attribute: Attribute, cells: Column) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """[row] Is the cell empty?"""
    return np.isnan(cells) if isinstance(attribute, Numeric) else cells < 0


def condition(attribute: Attribute, branch: Takes) -> Condition:
    """A branch's condition as it is printed.

    >>> str(condition(Numeric("Humidity"), Takes(-math.inf, 75.0)))
    'Humidity ≤ 75'
    """
    name = attribute.name
    if isinstance(attribute, Nominal | Ordinal):
        values = tuple(attribute.values[code] for code in branch.codes)
        if not values:
            return IsMissing(name)
        return (
            Equals(name, values[0])
            if len(values) == 1 and not branch.or_missing
            else OneOf(name, values, branch.or_missing)
        )
    if branch.low == math.inf:
        return IsMissing(name)
    if branch.low == -math.inf:
        return AtMost(name, branch.high, branch.or_missing)
    if branch.high == math.inf:
        return Above(name, branch.low, branch.or_missing)
    return Between(name, branch.low, branch.high, branch.or_missing)
