"""Chi-square: how far are the counts from what independence would give?"""

from __future__ import annotations

import numpy as np

from clearwood.measures.contingency import Verdict, degrees_of_freedom, expected
from clearwood.measures.counts import Counts
from clearwood.measures.p_values import chi2_log_sf, chi2_sf


def chi_square(counts: Counts) -> Verdict:
    """Pearson's Σ (observed − expected)² ÷ expected, over [..., row, column].

    Sunny and tennis, 56 cases:

    >>> found = chi_square(np.array([[8, 12], [28, 8]]))
    >>> float(found.statistic.round(3)), float(found.df), float(found.p.round(5))
    (7.992, 1.0, 0.0047)
    """
    counts = np.asarray(counts, dtype=np.float64)
    wanted = expected(counts)
    filled = wanted > 0
    statistic = np.where(filled, (counts - wanted) ** 2 / np.where(filled, wanted, 1.0), 0.0).sum(
        axis=(-2, -1)
    )
    df = degrees_of_freedom(counts)
    return Verdict(statistic, df, chi2_sf(statistic, df), chi2_log_sf(statistic, df))
