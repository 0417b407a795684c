"""Absolute error: how far are the numbers of this branch from their median?"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.counts import Counts


def absolute_error(values: Floats, counts: Counts) -> tuple[Floats, Floats]:
    """Ascending values [value], their weights [..., value] → the median and Σ w · |y − median|, both [...].

    Where exactly half of the weight lies at or below a value, the median is midway to the next one.

    >>> median, error = absolute_error(np.array([1.0, 2.0, 6.0]), np.array([[1, 1, 1], [1, 0, 1]]))
    >>> median.tolist(), error.tolist()
    ([2.0, 3.5], [5.0, 5.0])
    """
    counts = np.asarray(counts, dtype=np.float64)
    below = counts.cumsum(axis=-1)
    half = below[..., -1:] / 2
    # Sums of weights that are no whole numbers carry rounding; half is half within it.
    slack = 1e-12 * half
    lower = values[np.argmax(below >= half - slack, axis=-1)]
    upper = values[np.argmax((below > half + slack) | (below >= below[..., -1:]), axis=-1)]
    median: Floats = np.where(below[..., -1] > 0, (lower + upper) / 2, 0.0)
    error: Floats = (counts * np.abs(values - median[..., None])).sum(axis=-1)
    return median, error
