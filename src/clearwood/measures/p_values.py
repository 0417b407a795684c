"""P-values: how often would chance alone give a statistic as large as this?"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats


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
