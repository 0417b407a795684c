"""Rows that belong together: how many rows by themselves a rate, or a mean, of them is worth.

The rate of rows in groups varies as the groups' sums do. So many rows by themselves would make it vary as
much: Wilson's interval of that many is then right for the groups (Korn and Graubard 1998; Dean and Pagano
2015).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.measures.inference import t_quantile

_NORMAL: Final = 1.959963984540054


def rows_in_groups(weights: Floats, values: Floats, units: Longs) -> float:
    """The rows that the mean of these values speaks for; rows of one number in `units` belong together.

    >>> alike, of_two = np.repeat([0.0, 1.0], 10), np.repeat(np.arange(4), 5)
    >>> round(rows_in_groups(np.ones(20), alike, of_two), 2)
    1.14
    >>> rows_in_groups(np.ones(20), alike, np.arange(20)) <= 20
    True
    """
    place = np.unique(units, return_inverse=True)[1].ravel()
    weight, paid = np.bincount(place, weights), np.bincount(place, weights * values)
    squares = np.bincount(place, weights * values**2)
    products = (paid**2).sum(), (paid * weight).sum(), (weight**2).sum()
    sums = (*products, weight.sum(), paid.sum(), squares.sum(), len(weight))
    return float(worth(*(np.array([each], dtype=np.float64) for each in sums))[0])


def worth(
    paid_paid: Floats,
    paid_weight: Floats,
    weight_weight: Floats,
    weight: Floats,
    paid: Floats,
    squares: Floats,
    groups: Longs | Floats,
) -> Floats:
    """[mean] the rows that means speak for, from sums over groups: of (Σw·y)², of Σw·y times Σw and of (Σw)²,
    and over all rows: of w, of w·y and of w·y².

    Never more than there are, by weight; where all values are the same, Kish's number of the groups. A spread
    that few groups tell is not sure: the fewer, the less they are worth, by Student's t beside the normal.
    """
    total = np.where(weight > 0, weight, 1.0)
    mean = paid / total
    spread = np.maximum(squares / total - mean**2, 0.0)
    apart = np.maximum(paid_paid - 2 * mean * paid_weight + mean**2 * weight_weight, 0.0)
    several = np.maximum(groups, 2)
    variance = several / (several - 1) * apart / total**2
    known = (spread > 1e-12) & (variance > 1e-15)
    unsure = {int(each): (_NORMAL / t_quantile(0.975, int(each) - 1)) ** 2 for each in np.unique(several)}
    factor = np.array([unsure[int(each)] for each in several])
    rows = np.where(known, spread / np.where(known, variance, 1.0) * factor, np.inf)
    by_group = weight**2 / np.where(weight_weight > 0, weight_weight, 1.0)
    rows = np.where(spread > 1e-12, rows, by_group)
    return np.asarray(np.where(groups < 2, np.minimum(weight, 1.0), np.minimum(rows, weight)))


def rows_as_taken(weights: Floats, hits: Bools, units: Longs) -> Floats:
    """[row] the rows that the part of `hits` speaks for among the first 1, 2, … of the rows."""
    w, a = weights, weights * hits
    w_before, a_before = _before(w, units), _before(a, units)
    first = np.zeros(len(units), dtype=np.float64)
    first[np.unique(units, return_index=True)[1]] = 1.0
    return worth(
        np.cumsum(a * (a + 2 * a_before)),
        np.cumsum(a * w + a * w_before + w * a_before),
        np.cumsum(w * (w + 2 * w_before)),
        np.cumsum(w),
        np.cumsum(a),
        np.cumsum(a),
        np.cumsum(first),
    )


def rows_as_changed(weights: Floats, before: Floats, after: Floats, units: Longs) -> Floats:
    """[row] the rows that the mean over all rows speaks for when the first 1, 2, … of them have the value
    `after` and the others still that `before`; the number with none changed stands in front."""
    place = np.unique(units, return_inverse=True)[1].ravel()
    weight, paid = np.bincount(place, weights), np.bincount(place, weights * before)
    change = weights * (after - before)
    sum_then = paid[place] + _before(change, units)
    start = ((paid**2).sum(), (paid * weight).sum(), paid.sum(), (weights * before**2).sum())
    steps = (
        change * (change + 2 * sum_then),
        change * weight[place],
        change,
        weights * (after**2 - before**2),
    )
    paid_paid, paid_weight, total, squares = (
        np.concatenate([[s], s + np.cumsum(d)]) for s, d in zip(start, steps, strict=True)
    )
    ones = np.ones(len(total))
    return worth(
        paid_paid,
        paid_weight,
        ones * (weight**2).sum(),
        ones * weight.sum(),
        total,
        squares,
        ones * len(weight),
    )


def _before(amounts: Floats, units: Longs) -> Floats:
    """[row] the sum over the rows of the same unit that stand before it."""
    order = np.argsort(units, kind="stable")
    summed = np.cumsum(amounts[order]) - amounts[order]
    starts = np.flatnonzero(np.append(True, np.diff(units[order]) != 0))
    sizes = np.diff(np.append(starts, len(units)))
    within = np.empty(len(units))
    within[order] = summed - np.repeat(summed[starts], sizes)
    return within
