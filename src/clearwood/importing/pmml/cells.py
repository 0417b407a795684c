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

HalfOpen: TypeAlias = tuple[float, float]
ThreeValued: TypeAlias = bool | None


@dataclass(frozen=True, slots=True)
class CellSet:
    """Of one column; `intervals` of a numeric one, `codes` of another."""

    intervals: tuple[HalfOpen, ...] = ()
    codes: frozenset[int] = frozenset()
    missing: ThreeValued = None
    unseen: ThreeValued = None

    @property
    def pieces(self) -> list[Takes]:
        """What branches would take, without empty cells."""
        if self.intervals:
            return [Takes(low, high) for low, high in self.intervals]
        return [Takes(codes=tuple(sorted(self.codes)))] if self.codes else []


def intersection(one: CellSet, other: CellSet) -> CellSet:
    """Both hold."""
    return CellSet(
        _cut(one.intervals, other.intervals),
        one.codes & other.codes,
        both(one.missing, other.missing),
        both(one.unseen, other.unseen),
    )


def union(one: CellSet, other: CellSet) -> CellSet:
    """One of them holds."""
    return CellSet(
        _joined((*one.intervals, *other.intervals)),
        one.codes | other.codes,
        either(one.missing, other.missing),
        either(one.unseen, other.unseen),
    )


def both(one: ThreeValued, other: ThreeValued) -> ThreeValued:
    """
    >>> both(True, None), both(False, None)
    (None, False)
    """
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def either(one: ThreeValued, other: ThreeValued) -> ThreeValued:
    """
    >>> either(True, None), either(False, None)
    (True, None)
    """
    if one is True or other is True:
        return True
    return None if one is None or other is None else False


def without(intervals: tuple[HalfOpen, ...], taken: tuple[HalfOpen, ...]) -> tuple[HalfOpen, ...]:
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


def _cut(one: tuple[HalfOpen, ...], other: tuple[HalfOpen, ...]) -> tuple[HalfOpen, ...]:
    parts = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return _joined(tuple((low, high) for low, high in parts if low < high))


def _joined(intervals: tuple[HalfOpen, ...]) -> tuple[HalfOpen, ...]:
    joined: list[HalfOpen] = []
    for low, high in sorted(intervals):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return tuple(joined)
