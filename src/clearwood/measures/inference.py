"""What a sample says of all rows: p-values, intervals, and the pessimistic error of C4.5."""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from statistics import NormalDist
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats

# P-values: how often would chance alone give a statistic as large as this?


def chi2_sf(statistic: npt.ArrayLike, df: npt.ArrayLike) -> Floats:
    """The upper tail of chi-square; 1 where there are no degrees of freedom.

    >>> float(chi2_sf(3.8414588206941285, 1).round(12))
    0.05
    """
    return _over(_native.chi2_sf, statistic, df)


def f_sf(statistic: npt.ArrayLike, df: npt.ArrayLike, rest: npt.ArrayLike) -> Floats:
    """The upper tail of F with `df` and `rest` degrees of freedom.

    >>> float(f_sf(2.4, 1, 4).round(4))
    0.1963
    """
    return _over(_native.f_sf, statistic, df, rest)


def chi2_log_sf(statistic: npt.ArrayLike, df: npt.ArrayLike) -> Floats:
    """The logarithm of chi-square's upper tail, which goes on where the tail itself is 0.

    >>> float(chi2_sf(6699, 5)), float(chi2_log_sf(6699, 5).round(3))
    (0.0, -3337.609)
    """
    return _over(_native.chi2_log_sf, statistic, df)


def f_log_sf(statistic: npt.ArrayLike, df: npt.ArrayLike, rest: npt.ArrayLike) -> Floats:
    """The logarithm of F's upper tail."""
    return _over(_native.f_log_sf, statistic, df, rest)


def normal_quantile(p: npt.ArrayLike) -> Floats:
    """The number below which a standard normal variable lies with probability p.

    >>> float(normal_quantile(0.75).round(4))
    0.6745
    """
    return _over(_native.normal_quantile, p)


def fisher_p(a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike, d: npt.ArrayLike) -> Floats:
    """Fisher's exact two-sided p of the tables ((a, b), (c, d)).

    >>> float(fisher_p(3, 1, 1, 3).round(4))
    0.4857
    """
    return _over(_native.fisher_p, a, b, c, d)


def _over(native: Callable[..., Floats], *arrays: npt.ArrayLike) -> Floats:
    """A native routine over flat arrays of one length, for arrays of any shapes that broadcast."""
    shaped = np.broadcast_arrays(*(np.asarray(each, dtype=np.float64) for each in arrays))
    flat = native(*(np.ascontiguousarray(each.ravel()) for each in shaped))
    return flat.reshape(shaped[0].shape)


# Holm: p-values made so cautious that hardly one of the many tests errs.


def holm(p: npt.ArrayLike) -> Floats:
    """[test] The smallest p is multiplied by the number of tests, the next by one less, …; none falls (1979).

    The chance that even one true null hypothesis has an adjusted p ≤ α is at most α.

    >>> holm([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    p = np.asarray(p, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return adjusted


# Benjamini–Hochberg: p-values made so cautious that few of those called significant err.


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """[test] p × number of tests ÷ rank, the smallest p being of rank 1; none above a later one (1995).

    Of those with an adjusted p ≤ α, the share expected to be true null hypotheses is at most α.

    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    p = np.asarray(p, dtype=np.float64)
    order = np.argsort(p, kind="stable")[::-1]
    adjusted = np.empty_like(p)
    steps = p[order] * len(p) / np.arange(len(p), 0, -1)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps), 1.0)
    return adjusted


# Intervals: Wilson's of a proportion, Student's of a mean, and those of two proportions side by side.


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


# The pessimistic error of C4.5: how many more errors than it made should a leaf be charged?

ConfidenceTable: TypeAlias = Literal["normal", "quinlan"]


def extra_errors(n: float, e: float, confidence: float = 0.25, table: ConfidenceTable = "normal") -> float:
    """Errors beyond the e made in n cases, up to the upper bound of the error rate at this confidence.

    "normal" takes z from the normal quantile, as J48 does; "quinlan" interpolates the book's table of
    deviates and, where nearly all cases are errors, charges 0.67 · (n − e) (Quinlan 1993, p. 41).

    >>> round(extra_errors(6, 0), 3), round(extra_errors(16, 1) + 1, 3), round(extra_errors(1, 0), 3)
    (1.238, 2.476, 0.75)
    """
    if n <= 0:
        return 0.0
    if e < 1:
        none: float = n * (1 - confidence ** (1 / n))
        if e == 0:
            return none
        # Between no error and one the charge is read off the straight line.
        return none + e * (extra_errors(n, 1.0, confidence, table) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e) if table == "quinlan" else max(n - e, 0.0)
    z = deviate(confidence, table)
    f = (e + 0.5) / n
    bound = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return bound * n - e


@lru_cache(maxsize=64)
def deviate(confidence: float, table: ConfidenceTable) -> float:
    """How many standard deviations up the bound lies: 0.6745 at 0.25, and 0.6925 by the book's table."""
    if table == "normal":
        return float(normal_quantile(1 - confidence))
    for (c0, z0), (c1, z1) in pairwise(_DEVIATES):
        if confidence <= c1:
            return z0 + (z1 - z0) * (confidence - c0) / (c1 - c0)
    return 0.0


# (confidence, deviate): normal deviates to two digits, read as straight lines in between.
_DEVIATES = (
    (0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65),
    (0.10, 1.28), (0.20, 0.84), (0.40, 0.25), (1.0, 0.0),
)  # fmt: skip
