"""Written numbers: the value just over a threshold, or just up to it, that a person would write.

A column's *decimals* are the fewest at which the row's own cell can be written and every threshold lies on a
written number or half way between two (a cut between whole numbers 77 and 78 is often 77.5). Where no number
of so many decimals lies in the interval, one more is allowed, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

_MOST: Final = 6  # decimals that a column is taken to have; an interval may need more
_MORE: Final = 15
_EXACT: Final = 2.0**53  # whole numbers up to here are exact doubles


def decimals_of(cell: float | None, thresholds: Iterable[float]) -> int:
    """How many decimals the column's numbers have.

    >>> decimals_of(80.0, [77.5]), decimals_of(1.0, [0.8, 2.45]), decimals_of(0.25, [])
    (0, 1, 2)
    """
    limits = list(thresholds)
    for decimals in range(_MOST):
        unit = 10.0**decimals
        if (cell is None or _is_whole(cell * unit)) and all(_is_whole(2 * limit * unit) for limit in limits):
            return decimals
    return _MOST


def just_above(low: float, high: float, decimals: int) -> float:
    """The smallest written number in low < x ≤ high.

    >>> just_above(77.5, math.inf, 0), just_above(75.0, 75.2, 0)
    (78.0, 75.1)
    """
    for more in range(decimals, _MORE):
        unit = 10.0**more
        if abs(low) * unit >= _EXACT:
            break
        whole = math.floor(low * unit + 0.5)
        value = whole / unit
        if value <= low:
            value = (whole + 1) / unit
        if low < value <= high:
            return value
    return math.nextafter(low, math.inf)


def just_below(low: float, high: float, decimals: int) -> float:
    """The largest written number in low < x ≤ high.

    >>> just_below(-math.inf, 77.5, 0), just_below(75.0, 75.25, 0)
    (77.0, 75.2)
    """
    for more in range(decimals, _MORE):
        unit = 10.0**more
        if abs(high) * unit >= _EXACT:
            break
        whole = math.floor(high * unit + 0.5)
        value = whole / unit
        if value > high:
            value = (whole - 1) / unit
        if low < value <= high:
            return value
    return high


def is_written(value: float, decimals: int) -> bool:
    """Can it be written with so many decimals?

    >>> is_written(38.5, 0), is_written(38.5, 1)
    (False, True)
    """
    return _is_whole(value * 10.0**decimals)


def _is_whole(value: float) -> bool:
    return abs(value) >= _EXACT or abs(value - math.floor(value + 0.5)) < 1e-6
