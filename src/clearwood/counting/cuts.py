"""A cut: low values to one side, high values to the other."""

import math

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.coding import ColumnCoding
from clearwood.counting.question import Takes
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal


@dataclass(frozen=True, slots=True, eq=False)
class CandidateCuts:
    """Every cut between adjacent distinct values here, from low to high."""

    below: Floats  # [cut] the largest value on the low side …
    above: Floats  # [cut] … and the smallest on the high side
    counts: Floats  # [cut, side, level]
    known: Floats  # [level]
    missing: Floats  # [level]


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCounts:
    """A column in a region: the codes that occur, the weight of each level with each, and with no value."""

    column: ColumnCoding
    codes: Longs  # [place], ascending
    counts: Floats  # [place, level]
    missing: Floats  # [level]


def cuts_of(counted: ColumnCounts) -> CandidateCuts:
    """The cuts between the codes that occur."""
    met = counted.counts
    counts = np.empty((max(len(met) - 1, 0), 2, met.shape[1]), order="F")
    counts[:, 0] = met.cumsum(axis=0)[:-1]
    # Summed from the top as well: a difference of sums would leave crumbs where a side has none of a level.
    counts[:, 1] = met[::-1].cumsum(axis=0)[::-1][1:]
    values = counted.column.steps[counted.codes]
    return CandidateCuts(values[:-1], values[1:], counts, met.sum(axis=0), counted.missing)


def midpoint(below: float, above: float) -> float:
    """Midway, as short as a person would write it, but never as high as the upper value.

    >>> midpoint(70.0, 85.0), midpoint(24.05, 24.07), midpoint(1.0, math.nextafter(1.0, 2.0))
    (77.5, 24.06, 1.0)
    """
    middle = half_way(below, above)
    tidy = float(f"{middle:.15g}")  # without the last digits, which are rounding's
    return tidy if below <= tidy < above else middle


def half_way(below: float, above: float) -> float:
    """Half-way to the last digit, or the lower value where that rounds up to the upper one."""
    middle = below / 2 + above / 2
    return middle if middle < above else below


def everything_known(attribute: Attribute) -> Takes:
    """A branch that takes every cell that is not empty."""
    if isinstance(attribute, Nominal | Ordinal):
        return Takes(codes=tuple(range(len(attribute.values))))
    return Takes(-math.inf, math.inf)


def two_sides(
    attribute: Attribute, below: float, above: float, limit: float | None = None
) -> tuple[Takes, Takes]:
    """The branches of a cut, at the midpoint unless a `limit` is given.

    Values of an ordered attribute that have no rows here go to the side that is nearer, the lower if midway.
    """
    if isinstance(attribute, Nominal | Ordinal):
        last = math.floor(midpoint(below, above) if limit is None else limit)
        codes = range(len(attribute.values))
        return Takes(codes=tuple(codes[: last + 1])), Takes(codes=tuple(codes[last + 1 :]))
    if isinstance(attribute, Numeric) and attribute.cuts:
        limit = attribute.cuts[int(below)]
    elif limit is None:
        limit = midpoint(below, above)
    return Takes(-math.inf, limit), Takes(limit, math.inf)


# One branch per value of a nominal or ordinal attribute.


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The counts of every declared value, and of the empty cells."""

    counts: Floats  # [value, level]
    missing: Floats  # [level]

    @property
    def present(self) -> list[int]:
        """The codes that have rows here."""
        return np.flatnonzero(self.counts.sum(axis=1) > 0).tolist()


def counts_of_values(counted: ColumnCounts) -> Values:
    """The counts of all values of a column, also of those that do not occur."""
    counts = np.zeros((counted.column.known, counted.counts.shape[1]), order="F")
    counts[counted.codes] = counted.counts
    return Values(counts, counted.missing)


def one_branch_per_value(values: int) -> tuple[Takes, ...]:
    return tuple(Takes(codes=(code,)) for code in range(values))
