"""A cut: low values to one side, high values to the other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.question import Ladder, Takes
from clearwood.counting.task import Region, Task, count_rows, counts_rows, repeated
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


def count_cuts(task: Task, attributes: Sequence[int], region: Region) -> list[CandidateCuts]:
    """How often each level occurs on each side of each cut, of several attributes at once."""
    ladders = [task.ladder(each) for each in attributes]
    if not ladders:
        return []
    if counts_rows(task, region):
        counted = count_rows(
            task, [each.step for each in ladders], [len(each.values) for each in ladders], region
        )
        return [_met_cuts(ladder, by_step) for ladder, by_step in zip(ladders, counted, strict=True)]
    # The ladders stand end to end, each with a step more for the empty cells.
    starts = np.cumsum([0, *(len(each.values) + 1 for each in ladders)])
    stands = [each.step[region.rows] + start for each, start in zip(ladders, starts.tolist(), strict=False)]
    met, place = steps_met(np.concatenate(stands), int(starts[-1]))
    by_step = task.tally(place, *repeated(region, len(ladders)), len(met))
    ends = np.searchsorted(met, starts).tolist()
    return [
        _cuts(each, met[first:last] - start, by_step[first:last])
        for each, start, first, last in zip(ladders, starts.tolist(), ends, ends[1:], strict=False)
    ]


def _met_cuts(ladder: Ladder, by_step: Floats) -> CandidateCuts:
    met = np.flatnonzero(by_step.any(axis=1))
    return _cuts(ladder, met, by_step if len(met) == len(by_step) else by_step[met])


def steps_met(steps: Longs, size: int) -> tuple[Longs, Longs]:
    """The steps that occur, from low to high, and the place of each row's step among them."""
    if 8 * len(steps) < size:
        return np.unique(steps, return_inverse=True)
    here = np.zeros(size, dtype=np.bool_)
    here[steps] = True
    return np.flatnonzero(here), (np.cumsum(here) - 1)[steps]


def _cuts(ladder: Ladder, met: Longs, by_step: Floats) -> CandidateCuts:
    """The cuts between the steps met; the last step is that of the empty cells, if it was met."""
    missing = np.zeros(by_step.shape[1])
    if len(met) and met[-1] == len(ladder.values):
        met, by_step, missing = met[:-1], by_step[:-1], by_step[-1]
    counts = np.empty((max(len(met) - 1, 0), 2, by_step.shape[1]), order="F")
    counts[:, 0] = by_step.cumsum(axis=0)[:-1]
    # Summed from the top as well: a difference of sums would leave crumbs where a side has none of a level.
    counts[:, 1] = by_step[::-1].cumsum(axis=0)[::-1][1:]
    values = ladder.values[met]
    return CandidateCuts(values[:-1], values[1:], counts, by_step.sum(axis=0), missing)


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


def count_values(task: Task, attributes: Sequence[int], region: Region) -> list[Values]:
    """How often each level occurs with each value here, of several attributes at once."""
    if not attributes:
        return []
    sizes = [_size(task, each) for each in attributes]
    if counts_rows(task, region):
        columns = [column for each in attributes if (column := task.columns[each]) is not None]
        counted = count_rows(task, columns, sizes, region)
        return [Values(each[:-1], each[-1]) for each in counted]
    starts = np.cumsum([0, *(size + 1 for size in sizes)])
    codes = np.stack([task.cells(each, region) for each in attributes])
    codes = np.where(codes < 0, np.array(sizes)[:, None], codes) + starts[:-1, None]
    counts = task.tally(codes.ravel(), *repeated(region, len(sizes)), int(starts[-1]))
    return [
        Values(counts[start : start + size], counts[start + size])
        for start, size in zip(starts.tolist(), sizes, strict=False)
    ]


def _size(task: Task, attribute: int) -> int:
    declared = task.schema.attributes[attribute]
    assert isinstance(declared, Nominal | Ordinal)
    return len(declared.values)


def one_branch_per_value(values: int) -> tuple[Takes, ...]:
    return tuple(Takes(codes=(code,)) for code in range(values))
