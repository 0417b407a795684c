"""Ties: when is one score better than another, and a weight enough, rounding aside?

Every choice in the growers goes through here, so that the order of a sum never decides: the first of
equals stands (attributes in schema order, values in their order, the smaller threshold).
"""

from collections.abc import Sequence
from math import factorial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Longs

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
    return np.flatnonzero(scores > before).tolist()


def most_common(counts: npt.NDArray[Any]) -> Longs:
    """[…] the class of the largest weight of `counts` […, class], the first of equals.

    >>> most_common(np.array([[2.0, 3.0, 3.0], [1.0, 0.0, 0.0]])).tolist()
    [1, 0]
    """
    largest = counts.max(axis=-1, initial=0.0, keepdims=True)
    first: Longs = np.argmax(counts >= largest - TIE * largest, axis=-1)
    return first


def enough(weight: float, floor: float, slack: float = 1e-9) -> bool:
    """Does a weight reach its floor? Ten rows of weight 0.1 make one."""
    return weight >= floor - slack


def which_enough(weights: Floats, floor: float, slack: float = 1e-9) -> Bools:
    """The same of many weights."""
    return weights >= floor - slack


def first_enough(weights: Floats, floor: float, slack: float = 1e-9) -> int:
    """The first of ascending weights that reaches the floor; their number where none does."""
    return int(np.searchsorted(weights, floor - slack))


# exp and log of our own: libraries differ in the last digit between machines, and a model must not.
#
# Sums and products alone, in one order; the native code has the same (`native/core/ensembles/gradients.cpp`).


_WHOLE: Final = 1.5 * 2.0**52  # added to a number below 2⁵¹, leaves it whole, rounded half to even
_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10


def own_exp(x: Floats) -> Floats:
    """e to the x, of x between −700 and 700; beyond, of the nearer of these.

    >>> own_exp(np.array([0.0, 1.0, -2.5])).tolist()
    [1.0, 2.7182818284590455, 0.0820849986238988]
    """
    x = np.minimum(np.maximum(x, -700.0), 700.0)
    k = (x * 1.44269504088896338700 + _WHOLE) - _WHOLE
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    p = np.full_like(r, 1.0 / factorial(12))
    for n in range(11, -1, -1):
        p = p * r + 1.0 / factorial(n)
    return np.ldexp(p, k.astype(np.int32))


def own_log(x: Floats) -> Floats:
    """The natural logarithm of numbers from 1e-300 up.

    >>> own_log(np.array([1.0, 2.0, 10.0])).tolist()
    [0.0, 0.6931471805599453, 2.302585092994046]
    """
    m, power = np.frexp(x)
    e = power.astype(np.float64)
    low = m < 0.70710678118654757
    m, e = np.where(low, m + m, m), np.where(low, e - 1.0, e)
    f = (m - 1.0) / (m + 1.0)
    s = f * f
    p = np.full_like(s, 1.0 / 21.0)
    for n in range(19, 0, -2):
        p = p * s + 1.0 / n
    return e * _LN2_HIGH + (e * _LN2_LOW + (f + f) * p)
