"""Written numbers: the value just over a threshold, or just up to it, that a person would write.

A column's *decimals* are the fewest at which the row's own cell can be written and every threshold lies on a
written number or half way between two (a cut between whole numbers 77 and 78 is often 77.5). Where no number
of so many decimals lies in the interval, one more is allowed, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats

_MOST: Final = 6  # decimals that a column is taken to have; an interval may need more
_MORE: Final = 15
_EXACT: Final = 2.0**53  # whole numbers up to here are exact doubles


def decimals_of(cell: float | None, thresholds: Iterable[float]) -> int:
    """How many decimals the column's numbers have.

    >>> decimals_of(80.0, [77.5]), decimals_of(1.0, [0.8, 2.45]), decimals_of(0.25, [])
    (0, 1, 2)
    """
    return decimals_by(cell, fitting_decimals(np.array(list(thresholds), dtype=np.float64)))


def fitting_decimals(thresholds: Floats) -> tuple[bool, ...]:
    """[decimals] does every threshold lie on a number of so many decimals, or half way between two?"""
    with np.errstate(over="ignore"):
        return tuple(bool(are_written(2 * thresholds, decimals).all()) for decimals in range(_MOST))


def decimals_by(cell: float | None, fits: Sequence[bool]) -> int:
    """The fewest decimals that fit the thresholds and the cell."""
    fitting = (
        decimals
        for decimals, fit in enumerate(fits)
        if fit and (cell is None or _is_whole(cell * 10.0**decimals))
    )
    return next(fitting, _MOST)


def all_just_above(low: Floats, high: Floats, decimals: int) -> Floats:
    """[interval] the smallest written number in low < x ≤ high.

    >>> all_just_above(np.array([77.5, 75.0]), np.array([math.inf, 75.2]), 0).tolist()
    [78.0, 75.1]
    """
    return _nearest_written(low, high, decimals, start=low, step=1.0, otherwise=np.nextafter(low, math.inf))


def all_just_below(low: Floats, high: Floats, decimals: int) -> Floats:
    """[interval] the largest written number in low < x ≤ high.

    >>> all_just_below(np.array([-math.inf, 75.0]), np.array([77.5, 75.25]), 0).tolist()
    [77.0, 75.2]
    """
    return _nearest_written(low, high, decimals, start=high, step=-1.0, otherwise=high)


def _nearest_written(
    low: Floats, high: Floats, decimals: int, *, start: Floats, step: float, otherwise: Floats
) -> Floats:
    """[interval] the written number next to one of its ends, with more decimals until one lies inside."""
    found = np.array(otherwise, dtype=np.float64)
    open_ones = np.arange(len(low))
    for more in range(decimals, _MORE):
        unit = 10.0**more
        with np.errstate(over="ignore"):
            open_ones = open_ones[np.abs(start[open_ones]) * unit < _EXACT]
        if not len(open_ones):
            break
        bottom, top, begin = low[open_ones], high[open_ones], start[open_ones]
        whole = np.floor(begin * unit + 0.5)
        value = whole / unit
        beside = value <= bottom if step > 0 else value > top
        value = np.where(beside, (whole + step) / unit, value)
        inside = (bottom < value) & (value <= top)
        found[open_ones[inside]] = value[inside]
        open_ones = open_ones[~inside]
    return found


def are_written(values: Floats, decimals: int) -> Bools:
    """[number] can it be written with so many decimals?

    >>> are_written(np.array([38.5, 38.0]), 0).tolist(), are_written(np.array([38.5]), 1).tolist()
    ([False, True], [True])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = values * 10.0**decimals
        written: Bools = (np.abs(scaled) >= _EXACT) | (np.abs(scaled - np.floor(scaled + 0.5)) < 1e-6)
    return written


def _is_whole(value: float) -> bool:
    return abs(value) >= _EXACT or abs(value - math.floor(value + 0.5)) < 1e-6
