"""Wilcoxon's signed ranks: are the differences on many tables as often large one way as the other?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats

_EXACT: Final = 200  # differences; with more the normal distribution is as good


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """The ranks' sums of the differences above and below 0, and the two-sided p."""

    above: float
    below: float
    p: float

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {"ranks_above": self.above, "ranks_below": self.below, "p": self.p}


def signed_ranks(differences: npt.ArrayLike) -> SignedRanks:
    """The differences ranked by size, equal ones at their mean rank, and added up by sign; the ranks of zeros
    go half to either side. p is exact up to 200 differences, ties and zeros included: how many of all ways to
    give the ranks signs are as uneven (Wilcoxon 1945; zeros as by Pratt 1959).

    >>> tested = signed_ranks([0.02, -0.01, 0.03, 0.05, 0.04, 0.06])
    >>> tested.above, tested.below, tested.p
    (20.0, 1.0, 0.0625)
    """
    values = np.asarray(differences, dtype=np.float64)
    sizes = np.abs(values)
    ranks = midranks(sizes)
    zero = float(ranks[values == 0].sum()) / 2
    above, below = float(ranks[values > 0].sum()), float(ranks[values < 0].sum())
    moved = ranks[values != 0]
    if not len(moved):
        p = 1.0
    elif len(values) <= _EXACT:
        p = _exact(moved, min(above, below))
    else:
        spread = math.sqrt(float((moved**2).sum()) / 4)
        p = 2 * NormalDist().cdf(-abs(above - below) / 2 / spread)
    return SignedRanks(above + zero, below + zero, min(1.0, p))


def midranks(values: Floats) -> Floats:
    """[value] Its rank from 1, equal values sharing their mean; what only rounding tells apart is equal.

    >>> midranks(np.array([0.3, 0.1, 0.3])).tolist()
    [2.5, 1.0, 2.5]
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    steps = np.diff(ordered) > 1e-12 * np.maximum(np.abs(ordered[1:]), 1e-300)
    run = np.concatenate([[0], np.cumsum(steps)])
    places = np.arange(1, len(values) + 1, dtype=np.float64)
    means = np.bincount(run, places) / np.bincount(run)
    ranks = np.empty(len(values))
    ranks[order] = means[run]
    return ranks


def _exact(ranks: Floats, least: float) -> float:
    """Twice the part of all signs whose sum of positive ranks is at most this."""
    doubled = np.rint(2 * ranks).astype(np.int64)  # halves of ties become whole
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled:
        taken = np.zeros_like(ways)
        taken[rank:] = ways[: len(ways) - rank]
        ways = (ways + taken) / 2
    return 2 * float(ways[: round(2 * least) + 1].sum())
