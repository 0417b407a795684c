"""Benjamini–Hochberg: p-values made so cautious that few of those called significant err."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats


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
