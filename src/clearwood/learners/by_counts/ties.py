"""Ties: when is one score better than another, and a weight enough, rounding aside?

Every choice in the growers goes through here, so that the order of a sum never decides: the first of
equals stands (attributes in schema order, values in their order, the smaller threshold).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

TIE: Final = 1e-10


def better(score: float, best: float, scale: float) -> bool:
    """Is a score above the best so far by more than rounding? `scale` is the size of the thing scored.

    >>> better(0.25, 0.247, scale=0.94), better(0.247 + 1e-14, 0.247, scale=0.94)
    (True, False)
    """
    return score > best + TIE * max(scale, 1e-300)


def first_best(scores: Iterable[float], scale: float) -> int:
    """The position of the best score, the first of equals; −1 where there is none."""
    chosen, best = -1, float("-inf")
    for i, score in enumerate(scores):
        if better(score, best, scale):
            chosen, best = i, score
    return chosen


def enough(weight: float, floor: float, slack: float = 1e-9) -> bool:
    """Does a weight reach its floor? Ten rows of weight 0.1 make one."""
    return weight >= floor - slack
