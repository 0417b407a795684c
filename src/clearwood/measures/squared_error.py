"""Squared error: how far are the numbers of this branch from their mean, squared?"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.counts import Counts, proportions


def squared_error(values: Floats, counts: Counts) -> tuple[Floats, Floats]:
    """Values [value] and their weights [..., value] → the mean and Σ w · (y − mean)², both [...].

    >>> mean, error = squared_error(np.array([1.0, 2.0, 6.0]), np.array([1, 1, 1]))
    >>> float(mean), float(error)
    (3.0, 14.0)
    """
    counts = np.asarray(counts, dtype=np.float64)
    mean: Floats = (proportions(counts) * values).sum(axis=-1)
    error: Floats = (counts * (values - mean[..., None]) ** 2).sum(axis=-1)
    return mean, error
