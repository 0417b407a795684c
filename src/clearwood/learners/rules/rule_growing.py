"""Growing one of RIPPER's rules by FOIL's gain, and cutting off its last conditions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.counting.cuts import midpoint
from clearwood.counting.ties import better, enough
from clearwood.learners.rules.ripper_search import ABOVE, AT_MOST, EQUALS, RipperCondition
from clearwood.table.table import Column


def grow_rule(
    start: tuple[RipperCondition, ...],
    rows: Bools,
    columns: list[Column],
    positive: Bools,
    weights: Floats,
    min_rows: float,
) -> tuple[tuple[RipperCondition, ...], tuple[float, ...]]:
    """The rule that begins with `start` and grows while the best condition takes enough, and the gains."""
    tests, gains = list(start), []
    for test in start:
        rows = rows & test.holds(columns)
    while (rows & positive).any() and (rows & ~positive).any():
        p, n = float(weights[rows & positive].sum()), float(weights[rows & ~positive].sum())
        chosen, most, taken = None, 0.0, 0.0
        for test, p_new, n_new in _candidates(rows, columns, positive, weights):
            gain = foil_gain(p, n, p_new, n_new)
            if better(gain, most, p):
                chosen, most, taken = test, gain, p_new
        if chosen is None or not enough(taken, min_rows):
            break
        tests.append(chosen)
        gains.append(most)
        rows = rows & chosen.holds(columns)
    return tuple(tests), tuple(gains)


def foil_gain(p: float, n: float, p_new: float, n_new: float) -> float:
    """The bits a condition saves on the positive rows it takes (Quinlan 1990), one positive row added.

    >>> foil_gain(1, 2, 1, 0)
    1.0
    """
    return p_new * (math.log2((p_new + 1) / (p_new + n_new + 1)) - math.log2((p + 1) / (p + n + 1)))


def prune_rule(
    tests: tuple[RipperCondition, ...],
    rows: Bools,
    columns: list[Column],
    positive: Bools,
    weights: Floats,
    *,
    in_list: bool,
) -> tuple[int, float, float]:
    """How many conditions to keep, the value of the whole rule on these rows, and of what is kept.

    The first of equals: the shortest. Within a list, the value p − n counts the errors of the whole list.
    """
    values = []
    total = float(weights[rows].sum())
    for test in (None, *tests):
        if test is not None:
            rows = rows & test.holds(columns)
        p, n = float(weights[rows & positive].sum()), float(weights[rows & ~positive].sum())
        values.append(p - n if in_list else (p + 1) / (p + n + 2))
    kept = 0
    for length, value in enumerate(values):
        if better(value, values[kept], total if in_list else 1.0):
            kept = length
    return kept, values[-1], values[kept]


def _candidates(
    rows: Bools, columns: list[Column], positive: Bools, weights: Floats
) -> Iterator[tuple[RipperCondition, float, float]]:
    """Every condition on the cells of these rows, and the weight of positive and of other rows it takes."""
    for position, column in enumerate(columns):
        nominal = column.dtype == np.int32
        known = rows & (column >= 0 if nominal else ~np.isnan(column))
        values, place = np.unique(column[known], return_inverse=True)
        each = np.zeros((2, len(values)))
        np.add.at(each, (np.where(positive[known], 0, 1), place), weights[known])
        if nominal:
            for value, p, n in zip(values.tolist(), *each.tolist(), strict=True):
                yield RipperCondition(position, EQUALS, value), p, n
            continue
        low = each.cumsum(axis=1)
        high = each[:, ::-1].cumsum(axis=1)[:, ::-1]
        for i in range(len(values) - 1):
            limit = midpoint(float(values[i]), float(values[i + 1]))
            yield RipperCondition(position, AT_MOST, limit), float(low[0, i]), float(low[1, i])
            yield RipperCondition(position, ABOVE, limit), float(high[0, i + 1]), float(high[1, i + 1])
