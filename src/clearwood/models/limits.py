"""Limits: the end of an interval as people write it (`x < 21`) and as it is evaluated (x ≤ 20.99…, the double
before 21).

All evaluation is of intervals low < x ≤ high, so that native code has one kind of them; a limit that is not
of this form becomes the neighbouring number, which is the same of every cell.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

_DIGITS: Final = 15  # decimals of so many digits are all different as doubles


class Limit(NamedTuple):
    """The end of an interval, and whether a number equal to it lies inside."""

    number: float
    included: bool


def low_bound(limit: Limit) -> float:
    """The bound with low < x of the same numbers.

    >>> low_bound(Limit(21.0, False)), low_bound(Limit(21.0, True))
    (21.0, 20.999999999999996)
    """
    return math.nextafter(limit.number, -math.inf) if limit.included else limit.number


def high_bound(limit: Limit) -> float:
    """The bound with x ≤ high of the same numbers."""
    return limit.number if limit.included else math.nextafter(limit.number, -math.inf)


def low_limit(bound: float) -> Limit:
    """The numbers above a bound as people write them: > 20, or ≥ 21 where the bound is just below 21.

    >>> low_limit(20.0), low_limit(20.999999999999996)
    (Limit(number=20.0, included=False), Limit(number=21.0, included=True))
    """
    after = _short_after(bound)
    return Limit(bound, False) if after is None else Limit(after, True)


def high_limit(bound: float) -> Limit:
    """The numbers up to a bound as people write them: ≤ 20, or < 21 where the bound is just below 21."""
    after = _short_after(bound)
    return Limit(bound, True) if after is None else Limit(after, False)


def _short_after(bound: float) -> float | None:
    """The next number, where it has few digits and this one too many to have been meant."""
    if not math.isfinite(bound):
        return None
    after = math.nextafter(bound, math.inf)
    if after == 0.0:
        return 0.0
    is_intended = _is_short(bound) or not math.isfinite(after) or not _is_short(after)
    return None if is_intended else after


def _is_short(value: float) -> bool:
    return float(f"{value:.{_DIGITS}g}") == value
