"""Ties: when is one score better than another, and a weight enough, rounding aside?

Every choice in the growers goes through here, so that the order of a sum never decides: the first of
equals stands (attributes in schema order, values in their order, the smaller threshold).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats

TIE: Final = 1e-10
_FEW: Final = 30  # scores that are gone through faster one by one


def better(score: float, best: float, scale: float) -> bool:
    """Is a score above the best so far by more than rounding? `scale` is the size of the thing scored.

    >>> better(0.25, 0.247, scale=0.94), better(0.247 + 1e-14, 0.247, scale=0.94)
    (True, False)
    """
    return score > best + TIE * max(scale, 1e-300)


def first_best(scores: Sequence[float] | Floats, scale: float) -> int:
    """The position of the best score, the first of equals; −1 where there is none. NaN is no score.

    >>> first_best([np.nan, 0.1, 0.3, 0.3, 0.2], scale=1.0)
    2
    """
    chosen, best = -1, float("-inf")
    places: Sequence[int] = range(len(scores))
    if len(scores) > _FEW:
        values = np.asarray(scores, dtype=np.float64)
        places = records(values)
        scores = values[places]
    for i, score in zip(places, scores.tolist() if isinstance(scores, np.ndarray) else scores, strict=True):
        if score > best and better(score, best, scale):
            chosen, best = i, score
    return chosen


def records(scores: Floats) -> list[int]:
    """The positions of the scores above all before them: no other can be better than the best so far."""
    before = np.fmax.accumulate(np.concatenate(([-np.inf], scores[:-1])))
    above: list[int] = np.flatnonzero(scores > before).tolist()
    return above


def enough(weight: float, floor: float, slack: float = 1e-9) -> bool:
    """Does a weight reach its floor? Ten rows of weight 0.1 make one."""
    return weight >= floor - slack


def which_enough(weights: Floats, floor: float, slack: float = 1e-9) -> Bools:
    """The same of many weights."""
    reached: Bools = weights >= floor - slack
    return reached


def first_enough(weights: Floats, floor: float, slack: float = 1e-9) -> int:
    """The first of ascending weights that reaches the floor; their number where none does."""
    return int(np.searchsorted(weights, floor - slack))
