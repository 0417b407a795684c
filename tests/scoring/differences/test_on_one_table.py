"""Tests on one table: SciPy, statsmodels, naive versions and published examples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as theirs_of_mcnemar

from clearwood.errors import SettingError
from clearwood.measures.inference import t_below, t_outside, t_quantile
from clearwood.scoring.differences.paired import (
    MeanDifference,
    corrected_resampled_t,
    five_by_two,
    tango_interval,
)
from clearwood.scoring.differences.same_rows import mcnemar, mcnemar_of_rows

random = np.random.default_rng(5)


@pytest.mark.parametrize("df", [1, 2, 9, 49, 1e9])
def test_students_t_is_scipys(df: float) -> None:
    for t in (-40.0, -2.0, -0.1, 0.0, 0.7, 3.0, 12.0):
        assert t_below(t, df) == pytest.approx(stats.t.cdf(t, df), rel=1e-7, abs=1e-300)
        assert t_outside(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-7, abs=1e-300)
    for p in (0.001, 0.025, 0.3, 0.5, 0.8, 0.975, 0.999):
        assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-7, abs=1e-12)


def test_without_correction_the_resampled_t_is_scipys_paired_one() -> None:
    a, b = random.normal(size=(2, 10))
    theirs = stats.ttest_rel(a, b)
    ours = corrected_resampled_t(a - b, 0.0)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.interval == pytest.approx(tuple(theirs.confidence_interval(0.95)), rel=1e-9)


def test_the_corrected_t_is_nadeaus_and_bengios_formula() -> None:
    differences = random.normal(0.01, 0.02, 50)  # ten folds, five times
    ours = corrected_resampled_t(differences, 1 / 9)
    mean = sum(differences) / 50
    variance = sum((each - mean) ** 2 for each in differences) / 49
    t = mean / math.sqrt((1 / 50 + 1 / 9) * variance)
    assert ours.statistic == pytest.approx(t, rel=1e-12)
    assert ours.p == pytest.approx(2 * stats.t.sf(abs(t), 49), rel=1e-9)


def test_equal_differences_have_no_spread_and_one_has_none_that_is_known() -> None:
    assert corrected_resampled_t([0.0] * 10, 1 / 9).p == 1.0
    for differences in ([0.0] * 10, [0.1 + 0.2, 0.3]):  # which are the same but for rounding
        assert math.isnan(corrected_resampled_t(differences, 1 / 9).interval[0])
    assert math.isnan(corrected_resampled_t([0.1 + 0.2, 0.3], 1).p)
    alone = corrected_resampled_t([0.02], 1 / 3)
    assert alone.mean == 0.02
    assert math.isnan(alone.p)
    assert math.isnan(alone.interval[0])


def test_a_difference_of_the_detectable_size_is_shown_four_times_in_five() -> None:
    known = MeanDifference(0.0, 0.01, math.inf)
    shown = stats.norm.sf(1.959964 - known.detectable / 0.01)
    assert shown == pytest.approx(0.8, abs=1e-4)


def test_five_by_two_is_dietterichs_and_alpaydins_formula() -> None:
    d = random.normal(0.02, 0.03, (5, 2))
    s = [(a - (a + b) / 2) ** 2 + (b - (a + b) / 2) ** 2 for a, b in d]
    t = d[0, 0] / math.sqrt(sum(s) / 5)
    f = sum(each**2 for each in d.ravel()) / (2 * sum(s))
    ours = five_by_two(d)
    assert (ours.t, ours.f) == pytest.approx((t, f), rel=1e-12)
    assert ours.t_p == pytest.approx(2 * stats.t.sf(abs(t), 5), rel=1e-9)
    assert ours.f_p == pytest.approx(stats.f.sf(f, 10, 5), rel=1e-9)


def test_five_by_two_without_spread_or_of_another_shape() -> None:
    assert five_by_two(np.zeros((5, 2))).f_p == 1.0
    assert math.isnan(five_by_two(np.full((5, 2), 0.1)).f_p)
    with pytest.raises(SettingError, match="5 × 2 differences"):
        five_by_two(np.zeros((2, 5)))


@pytest.mark.parametrize(("b", "c"), [(1, 7), (16, 6), (0, 5), (3, 3), (40, 20), (300, 250), (0, 1)])
def test_mcnemars_exact_p_is_that_of_statsmodels(b: int, c: int) -> None:
    theirs = theirs_of_mcnemar([[10, b], [c, 10]], exact=True)
    ours = mcnemar(b, c)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
    middle = stats.binom.pmf(min(b, c), b + c, 0.5)
    expected = 1 - middle / 2 if b == c else 2 * stats.binom.cdf(min(b, c), b + c, 0.5) - middle
    assert ours.mid_p == pytest.approx(expected, rel=1e-7)


def test_mcnemars_mid_p_is_that_of_two_published_tables() -> None:
    # Fagerland, Lydersen and Laake (2013): Bentur et al. (2009) and Cavo et al. (2012).
    assert round(mcnemar(1, 7).mid_p, 4) == 0.0391
    assert round(mcnemar(6, 16).mid_p, 4) == 0.0347


def test_no_row_on_which_they_differ_shows_nothing() -> None:
    assert mcnemar(0, 0).p == mcnemar(0, 0).mid_p == 1.0


def test_counts_of_rows_are_rows_and_equal_sampling_weights_change_nothing() -> None:
    first, second = random.random(200) < 0.8, random.random(200) < 0.7
    counts = random.integers(1, 4, 200)
    by_weight = mcnemar_of_rows(first, second, counts.astype(float), counts=True)
    by_rows = mcnemar_of_rows(
        np.repeat(first, counts), np.repeat(second, counts), np.ones(counts.sum()), counts=True
    )
    assert by_weight == by_rows
    plain = mcnemar_of_rows(first, second, np.ones(200), counts=True)
    scaled = mcnemar_of_rows(first, second, np.full(200, 0.37), counts=False)
    assert (scaled.p, scaled.mid_p) == pytest.approx((plain.p, plain.mid_p), rel=1e-9)


def test_uneven_sampling_weights_make_mcnemar_more_cautious() -> None:
    first = np.array([True] * 30 + [False] * 12)
    weights = np.tile([0.2, 1.8], 21)
    even = mcnemar_of_rows(first, ~first, np.ones(42), counts=False)
    uneven = mcnemar_of_rows(first, ~first, weights, counts=False)
    assert uneven.only_first + uneven.only_second == pytest.approx(42**2 / (weights**2).sum())
    assert uneven.p > even.p


def test_tangos_interval_of_the_published_table() -> None:
    # Bentur et al. (2009) in Fagerland, Lydersen and Laake (2014), table V: −0.517 to −0.026.
    assert [round(end, 3) for end in tango_interval(1, 7, 21)] == [-0.517, -0.026]


def test_tangos_interval_ends_where_its_score_test_does_and_has_a_width_without_differences() -> None:
    low, high = tango_interval(40, 20, 160)
    assert low < 20 / 160 < high
    turned = tango_interval(20, 40, 160)
    assert (-turned[1], -turned[0]) == pytest.approx((low, high), abs=1e-9)
    z2 = 1.959963985**2
    assert tango_interval(0, 0, 100) == pytest.approx((-z2 / (100 + z2), z2 / (100 + z2)), abs=1e-6)
    # At 0 the score is McNemar's chi-square: an end lies at 0 where that is just significant.
    confidence = 1 - float(stats.chi2.sf((40 - 20) ** 2 / 60, 1))
    assert tango_interval(40, 20, 160, confidence)[0] == pytest.approx(0.0, abs=1e-6)
