"""Small steps of weighing rows: the weights of some of them, and parts of sums that may be nothing."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats, Longs


def weights_of_rows(weights: Floats, rows: Longs) -> Floats:
    """The weights [draw, row] of these rows; no copy where they are all there are, in order or reversed."""
    if len(rows) and len(rows) == weights.shape[1]:
        if rows[0] == 0 and (np.diff(rows) == 1).all():
            return weights
        if rows[-1] == 0 and (np.diff(rows) == -1).all():
            return weights[:, ::-1]
    return np.take(weights, rows, axis=1)


def divided_or_nan(some: Floats, whole: Floats, nothing: float = float("nan")) -> Floats:
    """Some ÷ whole; `nothing` where the whole is not above 0."""
    parts: Floats = np.divide(some, whole, out=np.full(np.shape(some), nothing), where=whole > 0)
    return parts


def weighted_mean(weights: Floats, values: Floats) -> Floats:
    """[draw] The mean of the values [row] by weights [draw, row]; NaN where all weigh nothing."""
    return divided_or_nan(summed(weights, values), weights.sum(axis=1))


def summed(weights: Floats, values: Floats) -> Floats:
    """[draw] Σ weight · value, the same on any number of threads."""
    return np.asarray(np.einsum("dr,r->d", weights, values))
