"""The F test: do the groups' means differ by more than their scatter explains?"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.contingency import Verdict
from clearwood.measures.counts import Counts
from clearwood.measures.p_values import f_log_sf, f_sf
from clearwood.measures.squared_error import squared_error


def f_test(values: Floats, counts: Counts) -> Verdict:
    """One-way analysis of variance of values [value] with weights [..., group, value]; `df` is the groups'.

    Groups (1, 2, 3) and (2, 4, 6): means 2 and 4, F = 6 ÷ (10 ÷ 4).

    >>> verdict = f_test(np.array([1.0, 2, 3, 4, 6]), np.array([[1, 1, 1, 0, 0], [0, 1, 0, 1, 1]]))
    >>> float(verdict.statistic), float(verdict.p.round(4))
    (2.4, 0.1963)
    """
    counts = np.asarray(counts, dtype=np.float64)
    weight = counts.sum(axis=-1)
    groups = (weight > 0).sum(axis=-1)
    mean, error = squared_error(values, counts)
    grand, total = squared_error(values, counts.sum(axis=-2))
    between = (weight * (mean - grand[..., None]) ** 2).sum(axis=-1)
    within = error.sum(axis=-1)
    # What is left of a sum of squares that should be 0 is rounding, not scatter.
    rounding = np.maximum(1e-14 * total, 1e-28 * weight.sum(axis=-1) * grand**2)
    between = np.where(between > rounding, between, 0.0)
    within = np.where(within > rounding, within, 0.0)
    df = np.maximum(groups - 1.0, 0.0)
    rest = weight.sum(axis=-1) - groups
    testable = (df > 0) & (rest > 0) & (between > 0)
    with np.errstate(divide="ignore"):
        f = np.where(testable, between / np.where(df > 0, df, 1.0), 0.0) / np.where(
            testable, within / np.where(rest > 0, rest, 1.0), 1.0
        )
    tail = f, np.maximum(df, 1.0), np.where(rest > 0, rest, 1.0)
    return Verdict(f, df, np.where(testable, f_sf(*tail), 1.0), np.where(testable, f_log_sf(*tail), 0.0))
