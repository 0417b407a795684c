"""Tests, effect sizes and adjustments beside SciPy, on thousands of random 2×2 tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from clearwood.measures import ADJUSTMENTS, TESTS
from clearwood.measures.contingency import expected, odds_ratio, phi

random = np.random.default_rng(56)
# Small counts and large, and none of them with an empty margin, of which SciPy makes an error.
TABLES = np.concatenate([random.integers(0, top, (900, 2, 2)) for top in (4, 12, 60, 5000)])
TABLES = TABLES[(TABLES.sum(axis=1) > 0).all(axis=1) & (TABLES.sum(axis=2) > 0).all(axis=1)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "corrected"), [("chi_square", False), ("yates", True)])
def test_chi_square_and_yates_are_scipys(name: str, corrected: bool) -> None:
    actual = TESTS[name](TABLES)
    theirs = [stats.chi2_contingency(table, correction=corrected) for table in TABLES]
    np.testing.assert_allclose(actual.statistic, [each.statistic for each in theirs], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(actual.p, [each.pvalue for each in theirs], rtol=1e-9, atol=1e-300)
    assert actual.df.tolist() == [each.dof for each in theirs]


def test_expected_counts_are_scipys() -> None:
    theirs = [stats.contingency.expected_freq(table) for table in TABLES]
    np.testing.assert_allclose(expected(TABLES), theirs, rtol=1e-12)


@pytest.mark.slow
def test_fisher_is_scipys() -> None:
    small = TABLES[TABLES.sum(axis=(1, 2)) < 300]
    theirs = [stats.fisher_exact(table).pvalue for table in small]
    assert len(small) > 2000
    np.testing.assert_allclose(TESTS["fisher"](small).p, theirs, rtol=1e-9)


def test_phi_is_the_root_of_chi_square_per_row_with_its_sign() -> None:
    size = np.sqrt(TESTS["chi_square"](TABLES).statistic / TABLES.sum(axis=(1, 2)))
    np.testing.assert_allclose(np.abs(phi(TABLES)), size, rtol=1e-9, atol=1e-12)
    up = TABLES[:, 0, 0] > expected(TABLES)[:, 0, 0] + 1e-9
    assert (phi(TABLES)[up] > 0).all()
    assert float(phi(np.array([[4, 0], [7, 0]]))) == 0


@pytest.mark.slow
def test_odds_ratios_are_scipys() -> None:
    theirs = [stats.fisher_exact(table).statistic for table in TABLES[:2000]]
    np.testing.assert_allclose(odds_ratio(TABLES[:2000]), theirs, rtol=1e-12)


def test_adjusted_p_values_worked_by_hand() -> None:
    p = [0.001, 0.02, 0.03, 0.5]
    assert ADJUSTMENTS["holm"](p).tolist() == pytest.approx([0.004, 0.06, 0.06, 0.5])
    assert ADJUSTMENTS["benjamini_hochberg"](p).tolist() == pytest.approx([0.004, 0.04, 0.04, 0.5])


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_and_hochberg_are_scipys(p: list[float]) -> None:
    np.testing.assert_allclose(ADJUSTMENTS["benjamini_hochberg"](p), stats.false_discovery_control(p))


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=20), alpha=st.floats(0.001, 0.999))
def test_holm_rejects_what_stepping_down_rejects(p: list[float], alpha: float) -> None:
    left = sorted(range(len(p)), key=lambda i: p[i])
    while left and p[left[0]] * len(left) <= alpha:
        left.pop(0)
    adjusted = ADJUSTMENTS["holm"](p)
    assert sorted(i for i in range(len(p)) if adjusted[i] > alpha) == sorted(left)


@pytest.mark.parametrize("name", list(ADJUSTMENTS))
def test_no_tests_have_no_adjusted_values(name: str) -> None:
    assert ADJUSTMENTS[name]([]).tolist() == []
