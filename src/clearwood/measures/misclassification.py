"""Misclassification error: what part of this branch is not of its most common class?"""

from __future__ import annotations

import numpy as np

from clearwood.measures.counts import Counts, Floats, shares


def misclassification(counts: Counts) -> Floats:
    """1 − the largest share; 0 for a branch without rows.

    >>> float(misclassification(np.array([9, 5])).round(4)), float(misclassification(np.array([0, 0])))
    (0.3571, 0.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    wrong: Floats = np.where(counts.sum(axis=-1) > 0, 1.0 - shares(counts).max(axis=-1), 0.0)
    return wrong
