"""Two groups of a nominal attribute's values: which ways of dividing them are worth a look?"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.measures.counts import proportions

MOST_TRIED: Final = 10  # values; above that there are more than 511 ways


def divisions(counts: Floats, places: Floats | None) -> Bools:
    """[way, value] which values part from the first, for each way tried; counts are [value, level].

    Two classes: cuts along the share of the second. Numbers: cuts along `places`, the values' means (or
    medians). Both are exact for their measures (Breiman et al. 1984, 4.5). More classes: every way up to
    ten values, above that cuts along the first principal component of the class shares.

    >>> divisions(np.array([[2.0, 3], [4, 0], [3, 2]]), None).astype(int).tolist()
    [[0, 1, 0], [0, 1, 1]]
    """
    if len(counts) <= 2:
        return _every_way(len(counts))
    if places is not None:
        return _along(places, float(np.abs(places).max(initial=0.0)))
    if counts.shape[1] == 2:
        return _along(proportions(counts)[:, 1], 1.0)
    if len(counts) <= MOST_TRIED:
        return _every_way(len(counts))
    return _along(first_component(counts), 1.0)


def _along(places: Floats, scale: float) -> Bools:
    """Cuts along an order, ascending; values at one place, but for rounding, stay in their own order."""
    rank = np.empty(len(places), dtype=np.int64)
    rank[np.argsort(_rounded(places, scale), kind="stable")] = np.arange(len(places))
    high = rank >= np.arange(1, len(places))[:, None]
    parted: Bools = high != high[:, :1]
    return parted


@lru_cache
def _every_way(values: int) -> Bools:
    """Way w parts value i from the first if bit i − 1 of w is set."""
    ways = np.arange(1, 2 ** (values - 1))[:, None]
    bits: Bools = (ways << 1 >> np.arange(values) & 1).astype(np.bool_)
    bits.flags.writeable = False
    return bits


def first_component(counts: Floats) -> Floats:
    """[value, level] → [value]: each value's place along the first principal component of the level shares.

    The covariance of the shares, weighted by the values' weights, is raised by 100 power iterations from
    the unit vector of its largest diagonal entry.
    """
    share = proportions(counts)
    part = proportions(counts.sum(axis=1))
    centred = share - part @ share
    covariance = centred.T @ (part[:, None] * centred)
    axis = np.zeros(len(covariance))
    widest = np.diag(covariance)
    axis[int(np.argmax(widest >= widest.max() * (1 - 1e-9)))] = 1.0  # the first of equals, but for rounding
    for _ in range(100):
        longer = covariance @ axis
        length = float(np.sqrt((longer * longer).sum()))
        if length <= 1e-300:
            break
        axis = longer / length
    return centred @ axis


def _rounded(places: Floats, scale: float) -> Floats:
    """Places to a billionth of their span: rounding decides no order; a span lost in `scale` is none."""
    low, span = places.min(), np.ptp(places)
    return np.rint((places - low) / span * 1e9) if span > 1e-9 * scale else np.zeros_like(places)
