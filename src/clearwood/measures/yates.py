"""Yates: chi-square with half a row of caution, for 2×2 tables of few rows."""

from __future__ import annotations

import numpy as np

from clearwood.measures.contingency import Verdict, degrees_of_freedom, expected
from clearwood.measures.counts import Counts
from clearwood.measures.p_values import chi2_log_sf, chi2_sf


def yates(counts: Counts) -> Verdict:
    """Σ (|observed − expected| − ½)² ÷ expected, over [..., 2, 2]; a difference below ½ counts as none.

    >>> verdict = yates(np.array([[8, 12], [28, 8]]))
    >>> float(verdict.statistic.round(3)), float(verdict.p.round(5))
    (6.431, 0.01121)
    """
    counts = np.asarray(counts, dtype=np.float64)
    expected_counts = expected(counts)
    filled = expected_counts > 0
    apart = np.maximum(np.abs(counts - expected_counts) - 0.5, 0.0)
    statistic = np.where(filled, apart**2 / np.where(filled, expected_counts, 1.0), 0.0).sum(axis=(-2, -1))
    df = degrees_of_freedom(counts)
    return Verdict(statistic, df, chi2_sf(statistic, df), chi2_log_sf(statistic, df))
