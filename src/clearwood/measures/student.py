"""Student's t: the tails and quantiles of a mean whose spread had to be estimated."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

from clearwood import _native

_NORMAL: Final = NormalDist()


def t_outside(statistic: float, df: float) -> float:
    """How often chance alone gives a t at least as far from 0, on either side.

    >>> round(t_outside(2.2621571628, 9), 9)
    0.05
    """
    if math.isinf(statistic):
        return 0.0
    return float(_native.f_sf(float(statistic) ** 2, 1.0, float(df)))


def t_below(statistic: float, df: float) -> float:
    """The probability that t lies below this.

    >>> round(t_below(-2.2621571628, 9), 9), t_below(0.0, 9)
    (0.025, 0.5)
    """
    outside = t_outside(statistic, df) / 2
    return 1.0 - outside if statistic > 0 else outside


def t_quantile(p: float, df: float) -> float:
    """The number below which t lies with this probability.

    >>> round(t_quantile(0.975, 9), 4), round(t_quantile(0.025, 9), 4)
    (2.2622, -2.2622)
    """
    if p == 0.5:
        return 0.0
    tail = 2 * min(p, 1 - p)
    low, high = 0.0, max(1.0, _NORMAL.inv_cdf(1 - tail / 2))
    while t_outside(high, df) > tail:
        low, high = high, 2 * high
    for _ in range(200):  # halved until the ends are neighbours
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if t_outside(middle, df) > tail else (low, middle)
    return high if p > 0.5 else -high
