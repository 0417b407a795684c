"""Gini: how often would two random rows of this branch differ in class?"""

from __future__ import annotations

import numpy as np

from clearwood.measures.counts import Counts, Floats, shares


def gini(counts: Counts) -> Floats:
    """1 − Σ p² over the classes (Breiman et al. 1984); 0 for a branch without rows.

    >>> float(gini(np.array([9, 5])).round(4)), float(gini(np.array([3, 3]))), float(gini(np.array([0, 0])))
    (0.4592, 0.5, 0.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    differ: Floats = np.where(counts.sum(axis=-1) > 0, 1.0 - (shares(counts) ** 2).sum(axis=-1), 0.0)
    return differ
