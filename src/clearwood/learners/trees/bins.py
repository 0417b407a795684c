"""Quantile bins: a numeric column as a few ordered steps of about equal weight."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.ties import first_enough


def quantile_edges(cells: Floats, weights: Floats, bins: int) -> Floats:
    """The upper ends of all bins but the last: the least value with k ÷ bins of the weight at or below it.

    Equal values stay together, so there may be fewer bins than requested; a weight acts as repeated rows.

    >>> quantile_edges(np.array([1.0, 2, 3, 4, 5, 5, 5, 9]), np.ones(8), 4).tolist()
    [2.0, 4.0, 5.0]
    """
    if not len(cells):
        return np.empty(0)
    values, step = np.unique(cells, return_inverse=True)
    reached = np.bincount(step, weights=weights, minlength=len(values)).cumsum()
    # A sum of weights grows from value to value: the first that is enough is searched for by halves.
    ends = [first_enough(reached, k * float(reached[-1]) / bins) for k in range(1, bins)]
    edges: Floats = values[sorted({end for end in ends if end < len(values) - 1})]
    return edges
