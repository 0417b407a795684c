"""Cells: which cells of a column a predicate holds for, and what it says of an empty one.

Of numbers they are intervals low < x ≤ high, ascending and apart from each other; of values a set of codes.
`missing` and `unseen` are what the predicate says of an empty cell and of a value that is in no list: True,
False, or None for unknown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from clearwood.counting.question import Takes

Interval: TypeAlias = tuple[float, float]
Truth: TypeAlias = bool | None


@dataclass(frozen=True, slots=True)
class Cells:
    """Of one column; `intervals` of a numeric one, `codes` of another."""

    intervals: tuple[Interval, ...] = ()
    codes: frozenset[int] = frozenset()
    missing: Truth = None
    unseen: Truth = None

    @property
    def pieces(self) -> list[Takes]:
        """What branches would take, without empty cells."""
        if self.intervals:
            return [Takes(low, high) for low, high in self.intervals]
        return [Takes(codes=tuple(sorted(self.codes)))] if self.codes else []


def intersection(one: Cells, other: Cells) -> Cells:
    """Both hold."""
    return Cells(
        _cut(one.intervals, other.intervals),
        one.codes & other.codes,
        both(one.missing, other.missing),
        both(one.unseen, other.unseen),
    )


def union(one: Cells, other: Cells) -> Cells:
    """One of them holds."""
    return Cells(
        _joined((*one.intervals, *other.intervals)),
        one.codes | other.codes,
        either(one.missing, other.missing),
        either(one.unseen, other.unseen),
    )


def both(one: Truth, other: Truth) -> Truth:
    """
    >>> both(True, None), both(False, None)
    (None, False)
    """
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def either(one: Truth, other: Truth) -> Truth:
    """
    >>> either(True, None), either(False, None)
    (True, None)
    """
    if one is True or other is True:
        return True
    return None if one is None or other is None else False


def without(intervals: tuple[Interval, ...], taken: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """What is left of these intervals.

    >>> without(((-math.inf, math.inf),), ((0.0, 1.0),))
    ((-inf, 0.0), (1.0, inf))
    """
    rest, low = [], -math.inf
    for start, end in _joined(taken):
        if start > low:
            rest.append((low, start))
        low = max(low, end)
    if low < math.inf:
        rest.append((low, math.inf))
    return _cut(intervals, tuple(rest))


def _cut(one: tuple[Interval, ...], other: tuple[Interval, ...]) -> tuple[Interval, ...]:
    parts = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return _joined(tuple((low, high) for low, high in parts if low < high))


def _joined(intervals: tuple[Interval, ...]) -> tuple[Interval, ...]:
    joined: list[Interval] = []
    for low, high in sorted(intervals):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return tuple(joined)
