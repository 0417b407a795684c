"""Likelihood ratio: how much likelier are the counts when each row has shares of its own?"""

from __future__ import annotations

import numpy as np

from clearwood.measures.contingency import Verdict, degrees_of_freedom, expected
from clearwood.measures.counts import Counts, xlogy
from clearwood.measures.p_values import chi2_log_sf, chi2_sf


def likelihood_ratio(counts: Counts) -> Verdict:
    """G = 2 · Σ observed · ln (observed ÷ expected), over [..., row, column].

    >>> verdict = likelihood_ratio(np.array([[8, 12], [28, 8]]))
    >>> float(verdict.statistic.round(3)), float(verdict.p.round(5))
    (7.937, 0.00484)
    """
    counts = np.asarray(counts, dtype=np.float64)
    expected_counts = expected(counts)
    relative = counts / np.where(expected_counts > 0, expected_counts, 1.0)
    statistic = 2 * xlogy(counts, relative).sum(axis=(-2, -1))
    # Rounding leaves a hair where rows and columns are independent.
    statistic = np.where(statistic > 1e-13 * counts.sum(axis=(-2, -1)), statistic, 0.0)
    df = degrees_of_freedom(counts)
    return Verdict(statistic, df, chi2_sf(statistic, df), chi2_log_sf(statistic, df))
