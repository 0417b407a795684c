"""A contingency table's test: the statistic, its degrees of freedom and its p-value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.impurity import Counts, xlogy
from clearwood.measures.inference import chi2_log_sf, chi2_sf, fisher_p


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test found, for one table or for many at once; `df` is 0 where it has no degrees of freedom.

    `log_p` distinguishes what would be 0 as p: large tables easily give p below 1e-308.
    """

    statistic: Floats
    df: Floats
    p: Floats
    log_p: Floats


TableTest: TypeAlias = Callable[[Counts], Verdict]  # [..., row, column] → [...]


def expected(counts: Counts) -> Floats:
    """[..., row, column] → what each cell would hold if rows and columns were independent.

    Rain and tennis, 56 cases: 23.1 dry days with tennis are expected.

    >>> float(expected(np.array([[12, 8], [24, 12]]))[1, 0].round(1))
    23.1
    """
    counts = np.asarray(counts, dtype=np.float64)
    rows, columns = counts.sum(axis=-1, keepdims=True), counts.sum(axis=-2, keepdims=True)
    total = rows.sum(axis=-2, keepdims=True)
    cells: Floats = rows * columns / np.where(total > 0, total, 1.0)
    return cells


def degrees_of_freedom(counts: Counts) -> Floats:
    """[..., row, column] → (rows − 1) · (columns − 1), empty rows and columns not counted."""
    counts = np.asarray(counts, dtype=np.float64)
    rows = (counts.sum(axis=-1) > 0).sum(axis=-1)
    columns = (counts.sum(axis=-2) > 0).sum(axis=-1)
    df: Floats = (np.maximum(rows - 1, 0) * np.maximum(columns - 1, 0)).astype(np.float64)
    return df


# Chi-square: how far are the counts from what independence would give?


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


# Yates: chi-square with half a row of caution, for 2×2 tables of few rows.


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


# Fisher: how probable is a 2×2 table at most as likely as this one, margins given?


def fisher(counts: Counts) -> Verdict:
    """The exact two-sided p over [..., 2, 2]; there is no statistic but p itself.

    >>> verdict = fisher(np.array([[8, 12], [28, 8]]))
    >>> float(verdict.p.round(6))
    0.008203
    """
    counts = np.asarray(counts, dtype=np.float64)
    p = fisher_p(counts[..., 0, 0], counts[..., 0, 1], counts[..., 1, 0], counts[..., 1, 1])
    with np.errstate(divide="ignore"):
        return Verdict(p, np.zeros_like(p), p, np.log(p))


# Likelihood ratio: how much likelier are the counts when each row has shares of its own?


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


# A 2×2 table in one number: phi, and the odds ratio.


def phi(counts: Counts) -> Floats:
    """(ad − bc) ÷ √(product of the four margins) of ((a, b), (c, d)), over [..., 2, 2]; 0 where one is empty.

    Without its sign it is √(χ² ÷ rows). Sunny and tennis, 56 cases:

    >>> float(phi(np.array([[8, 12], [28, 8]])).round(3))
    -0.378
    """
    counts = np.asarray(counts, dtype=np.float64)
    (a, b), (c, d) = np.moveaxis(counts, (-2, -1), (0, 1))
    # Root by root: the product of four large margins need not be finite.
    spread = np.sqrt((a + b) * (c + d)) * np.sqrt((a + c) * (b + d))
    coefficient: Floats = (a * d - b * c) / np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, np.clip(coefficient, -1.0, 1.0), 0.0)


def odds_ratio(counts: Counts) -> Floats:
    """ad ÷ bc of ((a, b), (c, d)), over [..., 2, 2]; infinite where only bc is 0, NaN where both are.

    Sunny and tennis, 56 cases: the odds are 8 to 12 under the sun and 28 to 8 elsewhere.

    >>> float(odds_ratio(np.array([[8, 12], [28, 8]])).round(3))
    0.19
    """
    counts = np.asarray(counts, dtype=np.float64)
    (a, b), (c, d) = np.moveaxis(counts, (-2, -1), (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = (a * d) / (b * c)
    return ratio
