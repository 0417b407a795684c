"""Thresholds moved to the double that decides alike, where another program rounds or scales a number before
it compares it.

scikit-learn and XGBoost round each cell to single precision first. Whether float32(x) ≤ t is, for doubles x,
the same as x ≤ m for one double m: the largest that is still rounded to a number ≤ t.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs

_LAST_FLOAT32: Final = float(np.finfo(np.float32).max)
_HALF_OF_LAST_STEP: Final = 2.0**103  # half of what lies between the last float32 and 2¹²⁸
_SIGN: Final = np.int64(-(2**63))


def at_most_float32(thresholds: Floats) -> Floats:
    """[threshold] the largest double x with float32(x) ≤ t; ±∞ where all or none are.

    >>> at_most_float32(np.array([78.5])).tolist()
    [78.50000381469727]
    >>> float(np.float32(78.500003)), float(np.float32(78.500004))
    (78.5, 78.50000762939453)
    """
    wide = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(over="ignore"):
        near = wide.astype(np.float32)
        below = np.where(near.astype(np.float64) > wide, np.nextafter(near, np.float32(-np.inf)), near)
    return _last_rounded_to(below.astype(np.float32))


def below_float32(thresholds: Floats) -> Floats:
    """[threshold] the largest double x with float32(x) < float32(t).

    >>> below_float32(np.array([2.0])).tolist() == [np.nextafter(2.0 - 2.0**-24, 0)]
    True
    """
    with np.errstate(over="ignore"):
        near = np.asarray(thresholds, dtype=np.float64).astype(np.float32)
        before = np.nextafter(near, np.float32(-np.inf))
    return np.where(near == -np.inf, -np.inf, _last_rounded_to(before))


def _last_rounded_to(single: Floats) -> Floats:
    """The largest double that is rounded to this float32 or to one below it."""
    with np.errstate(over="ignore"):
        above = np.nextafter(single, np.float32(np.inf)).astype(np.float64)
    low = single.astype(np.float64)
    # Beyond the last float32 the next one is taken to be 2¹²⁸, at both ends.
    edge = _LAST_FLOAT32 + _HALF_OF_LAST_STEP
    middle = np.where(np.isinf(above), edge, np.where(np.isinf(low), -edge, low / 2 + above / 2))
    # Halfway is rounded to the even one: infinity counts as even, the last float32 is odd.
    even = (single.view(np.int32) & 1) == 0
    moved = np.where(even, middle, np.nextafter(middle, -np.inf))
    return np.where(single == np.inf, np.inf, moved)


def largest_double(holds: Callable[[Floats], Bools], many: int) -> Floats:
    """[many] the largest double for which each of so many questions holds; each holds up to some number, and
    not above it. −∞ where one never holds, ∞ where it always does.

    >>> largest_double(lambda x: (x - 0.1) / 3.0 <= 0.3, 1).tolist()
    [1.0]
    """
    last = _order(np.array([np.finfo(np.float64).max]))[0]
    low, high = np.full(many, -last - 1, dtype=np.int64), np.full(many, last, dtype=np.int64)
    while (low < high).any():
        # Up from the middle, so that two neighbours end; halved first, since a sum would overflow.
        middle = (low >> 1) + (high >> 1) + ((low | high) & 1)
        yes = holds(_double(middle)) & (middle > -last - 1)
        low, high = np.where(yes, middle, low), np.where(yes, high, np.minimum(middle - 1, high))
        high = np.maximum(high, low)
    found = _double(low)
    return np.where(low == last, np.inf, np.where(low < -last, -np.inf, found))


def _order(numbers: Floats) -> Longs:
    """Doubles as whole numbers in the same order, neighbours one apart."""
    bits = numbers.view(np.int64)
    return np.where(bits >= 0, bits, _SIGN - bits)


def _double(order: Longs) -> Floats:
    bits = np.where(order >= 0, order, _SIGN - order)
    return bits.view(np.float64)
