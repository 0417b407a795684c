"""Cells: which cells of a column a predicate holds for, and what it says of an empty one.

Of numbers they are intervals low < x ≤ high, ascending and apart from each other; of values a set of codes.
`missing` and `unseen` are what the predicate says of an empty cell and of a value that is in no list: True,
False, or None for unknown. `empty` are numbers or codes that the document takes for an empty cell: of them
the predicate says what it says of one, and they are in no interval and no set.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.question import Takes
from clearwood.errors import ModelFileError
from clearwood.importing.features import ScalingStep, at_most_float32, below_float32, largest_double
from clearwood.table.attributes import Attribute, Nominal, Ordinal

HalfOpen: TypeAlias = tuple[float, float]
ThreeValued: TypeAlias = bool | None


@dataclass(frozen=True, slots=True)
class SomeCells:
    """Cells of one column that are not empty; `intervals` of a numeric one, `codes` of another."""

    intervals: tuple[HalfOpen, ...] = ()
    codes: frozenset[int] = frozenset()

    @property
    def pieces(self) -> list[Takes]:
        """What branches would take, without empty cells."""
        if self.intervals:
            return [Takes(low, high) for low, high in self.intervals]
        return [Takes(codes=tuple(sorted(self.codes)))] if self.codes else []

    def __bool__(self) -> bool:
        return bool(self.intervals or self.codes)

    def but_not(self, other: SomeCells) -> SomeCells:
        """Those that the other has not."""
        return SomeCells(without(self.intervals, other.intervals), self.codes - other.codes)

    def also(self, other: SomeCells) -> SomeCells:
        """Those of both together."""
        return SomeCells(joined_intervals((*self.intervals, *other.intervals)), self.codes | other.codes)


NO_CELLS: Final = SomeCells()


def every_cell(attribute: Attribute) -> SomeCells:
    """All cells of a column that are not empty."""
    if isinstance(attribute, Nominal | Ordinal):
        return SomeCells(codes=frozenset(range(len(attribute.values))))
    return SomeCells(((-math.inf, math.inf),))


@dataclass(frozen=True, slots=True)
class CellSet(SomeCells):
    """The cells of which a predicate holds, and what it says of others."""

    missing: ThreeValued = None
    unseen: ThreeValued = None
    empty: SomeCells = NO_CELLS


def intersection(one: CellSet, other: CellSet) -> CellSet:
    """Both hold."""
    return CellSet(
        intersection_of(one.intervals, other.intervals),
        one.codes & other.codes,
        both(one.missing, other.missing),
        both(one.unseen, other.unseen),
        same_empty(one, other),
    )


def union(one: CellSet, other: CellSet) -> CellSet:
    """One of them holds."""
    return CellSet(
        joined_intervals((*one.intervals, *other.intervals)),
        one.codes | other.codes,
        either(one.missing, other.missing),
        either(one.unseen, other.unseen),
        same_empty(one, other),
    )


def same_empty(*asked: CellSet) -> SomeCells:
    """What counts as empty for predicates about one column, who must agree."""
    met = {each.empty for each in asked}
    if len(met) > 1:
        raise ModelFileError(
            "Cells of a column count as empty for one predicate and not for another beside it, which is not "
            "read here."
        )
    return met.pop() if met else NO_CELLS


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
    for start, end in joined_intervals(taken):
        if start > low:
            rest.append((low, start))
        low = max(low, end)
    if low < math.inf:
        rest.append((low, math.inf))
    return intersection_of(intervals, tuple(rest))


def intersection_of(one: tuple[HalfOpen, ...], other: tuple[HalfOpen, ...]) -> tuple[HalfOpen, ...]:
    """The numbers that are in both."""
    parts = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return joined_intervals(tuple((low, high) for low, high in parts if low < high))


def joined_intervals(intervals: tuple[HalfOpen, ...]) -> tuple[HalfOpen, ...]:
    """The same numbers, ascending and in as few intervals as can be."""
    made: list[HalfOpen] = []
    for low, high in sorted(intervals):
        if low >= high:
            continue
        if made and low <= made[-1][1]:
            made[-1] = (made[-1][0], max(made[-1][1], high))
        else:
            made.append((low, high))
    return tuple(made)


# Where a number of a column lies against a constant, as a document reads the column's cells: scaled, and
# perhaps in single precision.


def limits(value: float, steps: tuple[ScalingStep, ...], *, is_single: bool) -> tuple[float, float]:
    """The largest number of the column that is at most the value after these steps, and the largest below it.

    >>> limits(2.0, (), is_single=False)
    (2.0, 1.9999999999999998)
    """
    if steps:
        if is_single:
            value = float(np.float32(value))

        def at(x: Floats) -> Floats:
            scaled = scaled_number(steps, x)
            return scaled.astype(np.float32).astype(np.float64) if is_single else scaled

        upto, before = (
            float(largest_double(holds, 1)[0])
            for holds in (lambda x: at(x) <= value, lambda x: at(x) < value)
        )
        return upto, before
    if not is_single:
        return value, math.nextafter(value, -math.inf)
    single = np.array([np.float32(value)], dtype=np.float64)
    return float(at_most_float32(single)[0]), float(below_float32(single)[0])


def margins(value: float, *, is_single: bool) -> tuple[float, float]:
    """The same of the margin of an interval, which stays a double where cells are in single precision.

    >>> margins(7.9, is_single=True)[0] < 7.9
    True
    """
    upto = float(at_most_float32(np.array([value]))[0]) if is_single else value
    if is_single and float(np.float32(value)) != value:
        return upto, upto
    return upto, limits(value, (), is_single=is_single)[1]


def scaled_number(steps: tuple[ScalingStep, ...], numbers: Floats) -> Floats:
    """[·] the numbers of a column after these steps."""
    with np.errstate(over="ignore", invalid="ignore"):
        for step in steps:
            numbers = step(numbers)
    return numbers
