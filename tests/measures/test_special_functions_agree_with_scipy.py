"""The native tails and quantiles agree with SciPy's, also far out."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import special, stats

from clearwood.measures.inference import chi2_log_sf, chi2_sf, f_log_sf, f_sf, fisher_p, normal_quantile

random = np.random.default_rng(5)


def test_the_tail_of_chi_square_keeps_its_digits_down_to_1e_300() -> None:
    df = np.concatenate([random.integers(1, 60, 4000), random.integers(60, 5000, 500)]).astype(float)
    statistic = np.concatenate(
        [random.exponential(1, 2000), random.uniform(0, 1300, 2000), random.uniform(0, 8000, 500)]
    )
    ours, theirs = chi2_sf(statistic, df), special.gammaincc(df / 2, statistic / 2)
    plain = theirs > 1e-300
    np.testing.assert_allclose(ours[plain], theirs[plain], rtol=2e-11)
    assert (ours[~plain] < 1e-299).all()


def test_the_tail_of_f_keeps_its_digits() -> None:
    df = random.integers(1, 40, 4000).astype(float)
    rest = np.concatenate([random.integers(1, 100, 2000), random.integers(100, 100_000, 2000)]).astype(float)
    statistic = np.concatenate([random.exponential(3, 2000), random.uniform(0, 40, 2000)])
    ours, theirs = f_sf(statistic, df, rest), np.asarray(stats.f.sf(statistic, df, rest))
    plain = theirs > 1e-250
    np.testing.assert_allclose(ours[plain], theirs[plain], rtol=1e-10)


@pytest.mark.parametrize(("statistic", "df"), [(7638.5, 4944), (1300.25, 2), (1.5, 8), (900.0, 120)])
def test_where_scipy_loses_digits_exact_sums_for_chi_square_decide(statistic: float, df: int) -> None:
    with localcontext(prec=60):
        x, term, total = Decimal(statistic) / 2, Decimal(1), Decimal(1)
        for k in range(1, df // 2):
            term = term * x / k
            total += term
        exact = float(total * (-x).exp())
    assert float(chi2_sf(statistic, df)) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("f", "df", "rest"), [(36.5, 38, 60000), (30.0, 20, 90001), (2.5, 4, 7), (1e9, 2, 40)]
)
def test_where_scipy_loses_digits_exact_sums_for_f_decide(f: float, df: int, rest: int) -> None:
    with localcontext(prec=60):
        a, whole = Decimal(rest) / 2, Decimal(rest) + df * Decimal(f)
        x, term, total = rest / whole, Decimal(1), Decimal(1)
        for j in range(1, df // 2):
            term = term * (a + j - 1) / j * (1 - x)
            total += term
        exact = float(total * (a * x.ln()).exp())
    assert float(f_sf(f, df, rest)) == pytest.approx(exact, rel=1e-12)


def test_the_normal_quantile_is_exact_to_the_last_digits() -> None:
    p = np.concatenate([random.uniform(0, 1, 3000), 10 ** random.uniform(-300, -1, 3000)])
    np.testing.assert_allclose(normal_quantile(p), special.ndtri(p), rtol=2e-15, atol=1e-17)


def test_the_ends_have_their_limits() -> None:
    assert normal_quantile([0, 1]).tolist() == [-np.inf, np.inf]
    assert chi2_sf([0, 5, np.inf], [1, 0, 3]).tolist() == [1, 1, 0]
    assert f_sf([0, np.inf], 2, 7).tolist() == [1, 0]
    assert np.isnan(normal_quantile([-0.1, 1.1, np.nan])).all()


def test_fisher_sums_the_tables_no_likelier_than_ours() -> None:
    tables = random.integers(0, 40, (400, 4))
    ours = fisher_p(*tables.T.astype(float))
    theirs = [stats.fisher_exact(table.reshape(2, 2)).pvalue if table.any() else 1.0 for table in tables]
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)


@pytest.mark.parametrize("table", [(400, 0, 0, 300), (3000, 2000, 2000, 3100)])
def test_fisher_copes_with_large_tables(table: tuple[int, int, int, int]) -> None:
    theirs = stats.fisher_exact(np.reshape(table, (2, 2))).pvalue
    assert float(fisher_p(*map(float, table))) == pytest.approx(theirs, rel=1e-8)


@pytest.mark.parametrize("df", [2, 4, 6, 20])
@pytest.mark.parametrize("statistic", [3.0, 1000.0, 6699.0, 1e6])
def test_the_logarithm_of_chi_squares_tail_is_that_of_its_finite_sum(df: int, statistic: float) -> None:
    half = statistic / 2
    terms = np.arange(df // 2) * np.log(half) - special.gammaln(np.arange(1, df // 2 + 1))
    np.testing.assert_allclose(
        chi2_log_sf(statistic, df), -half + special.logsumexp(terms), rtol=1e-12, atol=1e-15
    )


@pytest.mark.parametrize("rest", [7.0, 3000.0, 1e6])
@pytest.mark.parametrize("statistic", [0.5, 700.0, 1e5])
def test_the_logarithm_of_fs_tail_is_a_power_at_two_degrees(statistic: float, rest: float) -> None:
    expected = -rest / 2 * np.log1p(2 * statistic / rest)
    np.testing.assert_allclose(f_log_sf(statistic, 2, rest), expected, rtol=1e-11)


def test_the_logarithms_go_on_smoothly_where_the_tails_end() -> None:
    statistic = np.linspace(1320, 1440, 400)
    for log in (chi2_log_sf(statistic, 3), f_log_sf(statistic, 3, 1e7)):
        assert np.abs(np.diff(log, 2)).max() < 1e-4
        assert (np.diff(log) < 0).all()
