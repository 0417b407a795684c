"""Chi-square: how far are the counts from what independence would give?"""

from __future__ import annotations

import numpy as np

from clearwood.measures.contingency import Verdict, degrees_of_freedom, expected
from clearwood.measures.counts import Counts
from clearwood.measures.p_values import chi2_log_sf, chi2_sf


def chi_square(counts: Counts) -> Verdict:
    """Pearson's Σ (observed − expected)² ÷ expected, over [..., row, column].

    Sunny and tennis, 56 cases:

    >>> verdict = chi_square(np.array([[8, 12], [28, 8]]))
    >>> float(verdict.statistic.round(3)), float(verdict.df), float(verdict.p.round(5))
    (7.992, 1.0, 0.0047)
    """
    counts = np.asarray(counts, dtype=np.float64)
    expected_counts = expected(counts)
    filled = expected_counts > 0
    statistic = np.where(
        filled, (counts - expected_counts) ** 2 / np.where(filled, expected_counts, 1.0), 0.0
    ).sum(axis=(-2, -1))
    df = degrees_of_freedom(counts)
    return Verdict(statistic, df, chi2_sf(statistic, df), chi2_log_sf(statistic, df))
