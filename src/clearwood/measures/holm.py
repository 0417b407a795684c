"""Holm: p-values made so cautious that hardly one of the many tests errs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats


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
