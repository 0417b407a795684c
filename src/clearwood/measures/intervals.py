"""Intervals: Wilson's of a proportion, Student's of a mean, and those of two proportions side by side."""

import math
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.measures.p_values import normal_quantile


def wilson(count: npt.ArrayLike, total: npt.ArrayLike, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Lower and upper end of the interval for count ÷ total (Wilson 1927); (0, 1) where nothing was counted.

    Nine of fourteen days:

    >>> low, high = wilson(9, 14)
    >>> float(low.round(3)), float(high.round(3))
    (0.388, 0.837)
    """
    count, total = np.asarray(count, dtype=np.float64), np.asarray(total, dtype=np.float64)
    z = normal_quantile(0.5 + confidence / 2)
    n = np.where(total > 0, total, 1.0)
    p = count / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = np.where(total > 0, np.where(count > 0, np.maximum(centre - reach, 0.0), 0.0), 0.0)
    high = np.where(total > 0, np.where(count < total, np.minimum(centre + reach, 1.0), 1.0), 1.0)
    return low, high


def wilson_of(part: float, total: float, confidence: float = 0.95) -> tuple[float, float]:
    """The same of a part of so much."""
    low, high = wilson(part * total, total, confidence)
    return float(low), float(high)


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


def difference_interval(
    count: float, total: float, other_count: float, other_total: float, confidence: float = 0.95
) -> tuple[float, float]:
    """Newcombe's interval (1998, his method 10) for count ÷ total − other_count ÷ other_total: that of two
    independent samples by Wilson's intervals of each.

    His own example, 56 of 70 against 48 of 80:

    >>> low, high = difference_interval(56, 70, 48, 80)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    p, q = count / total, other_count / other_total
    low, high = (float(end) for end in wilson(count, total, confidence))
    other_low, other_high = (float(end) for end in wilson(other_count, other_total, confidence))
    gap = p - q
    return (
        gap - math.sqrt((p - low) ** 2 + (other_high - q) ** 2),
        gap + math.sqrt((high - p) ** 2 + (q - other_low) ** 2),
    )


def ratio_interval(
    count: float, total: float, other_count: float, other_total: float, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Katz's interval (1978) for (count ÷ total) ÷ (other_count ÷ other_total), by the logarithm of the
    ratio. Where none or all are counted, Katz takes that proportion for certain: there it is Zou and Donner's
    (2008), by Wilson's intervals of each. None where the other count is 0: there is no ratio.

    >>> low, high = ratio_interval(20, 100, 40, 100)
    >>> round(low, 3), round(high, 3)
    (0.316, 0.792)
    >>> low, high = ratio_interval(190, 300, 12, 12)
    >>> round(low, 3), round(high, 3)
    (0.577, 0.845)
    """
    if not other_count > 0:
        return None
    if count > 0 and (count < total and other_count < other_total):
        log = math.log(count / total) - math.log(other_count / other_total)
        variance = 1 / count - 1 / total + 1 / other_count - 1 / other_total
        reach = float(normal_quantile(0.5 + confidence / 2)) * math.sqrt(variance)
        return math.exp(log - reach), math.exp(log + reach)
    p, q = count / total, other_count / other_total
    low, high = (float(end) for end in wilson(count, total, confidence))
    other_low, other_high = (float(end) for end in wilson(other_count, other_total, confidence))
    if not p > 0:
        lower = 0.0
    else:  # the root in the form that divides by no 2q − other_high, which may be 0 or negative
        least = max((p * q) ** 2 - low * other_high * (2 * p - low) * (2 * q - other_high), 0.0)
        lower = low * (2 * p - low) / (p * q + math.sqrt(least))
    most = max((p * q) ** 2 - high * other_low * (2 * p - high) * (2 * q - other_low), 0.0)
    return lower, (p * q + math.sqrt(most)) / (other_low * (2 * q - other_low))


def reach_of(spread: Floats, weight: Floats, confidence: float) -> Floats:
    """How far a mean's interval reaches to each side, given the variance and weight of its rows."""
    return normal_quantile(0.5 + confidence / 2) * np.sqrt(spread / weight)
