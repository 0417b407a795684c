"""A cut: low values to one side, high values to the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clearwood.learners.by_counts.question import Takes, is_empty
from clearwood.learners.by_counts.task import Region, Task, sums
from clearwood.measures.counts import Floats
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import Column


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Every cut between adjacent distinct values here, from low to high."""

    below: Floats  # [cut] the largest value on the low side …
    above: Floats  # [cut] … and the smallest on the high side
    counts: Floats  # [cut, side, level]
    known: Floats  # [level]
    missing: Floats  # [level]

    @property
    def weights(self) -> Floats:
        """[cut, side]"""
        sums: Floats = self.counts.sum(axis=-1)
        return sums


def count_cuts(task: Task, attribute: int, region: Region) -> Cuts:
    """How often each level occurs on each side of each cut."""
    declared = task.schema.attributes[attribute]
    cells = task.cells(attribute, region)
    target, weights = task.target[region.rows], region.weights
    missing = np.zeros(task.levels)
    if task.has_missing[attribute]:
        empty = is_empty(declared, cells)
        missing = sums(target[empty], weights[empty], task.levels)
        cells, target, weights = cells[~empty], target[~empty], weights[~empty]
    steps = on_ladder(declared, cells)
    order = np.argsort(steps, kind="stable")
    steps = steps[order]
    first = np.ones(len(steps), dtype=np.bool_)
    np.not_equal(steps[1:], steps[:-1], out=first[1:])
    values = steps[first]
    place = (np.cumsum(first) - 1) * task.levels + target[order]
    by_value = sums(place, weights[order], len(values) * task.levels).reshape(-1, task.levels)
    counts = np.empty((max(len(values) - 1, 0), 2, task.levels))
    counts[:, 0] = by_value.cumsum(axis=0)[:-1]
    # Summed from the top as well: a difference of sums would leave crumbs where a side has none of a level.
    counts[:, 1] = by_value[::-1].cumsum(axis=0)[::-1][1:]
    return Cuts(values[:-1], values[1:], counts, by_value.sum(axis=0), missing)


def on_ladder(attribute: Attribute, cells: Column) -> Floats:
    """Known cells as steps in order: numbers as they are or between the schema's cuts, codes of values."""
    if isinstance(attribute, Numeric) and attribute.cuts:
        return np.searchsorted(np.asarray(attribute.cuts), cells, side="left").astype(np.float64)
    return cells.astype(np.float64, copy=False)


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
