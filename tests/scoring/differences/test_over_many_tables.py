"""Friedman, Nemenyi and Wilcoxon: Demšar's example, SciPy, and counting every sign."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from clearwood.measures.inference import holm
from clearwood.scoring.differences.ranks import (
    critical_difference,
    friedman,
    nemenyi_p,
    not_told_apart,
    range_below,
    range_quantile,
    signed_ranks,
)
from tests.scoring.differences.demsar import SCORES

random = np.random.default_rng(11)


def test_demsars_example_gives_his_ranks_chi_square_and_f() -> None:
    tested = friedman(SCORES)
    assert [round(rank, 3) for rank in tested.mean_ranks] == [3.143, 2.000, 2.893, 1.964]
    assert round(tested.chi_square, 2) == 9.28
    assert round(tested.f, 2) == 3.69
    assert tested.df == (3, 39)
    assert tested.f_p == pytest.approx(stats.f.sf(tested.f, 3, 39), rel=1e-9)


def test_demsars_critical_differences() -> None:
    assert round(critical_difference(4, 14, 0.05), 2) == 1.25
    assert round(critical_difference(4, 14, 0.10), 2) == 1.12


def test_demsars_wilcoxon_example_splits_the_ranks_of_two_ties() -> None:
    tested = signed_ranks(SCORES[:, 1] - SCORES[:, 0])
    assert (tested.above, tested.below) == (93.0, 12.0)
    assert tested.p < 0.05


def test_what_nemenyi_cannot_tell_apart_in_demsars_example() -> None:
    ranks = friedman(SCORES).mean_ranks
    assert not_told_apart(ranks, critical_difference(4, 14, 0.05)) == ((3, 1, 2, 0),)
    # At 10 % "C4.5 is significantly worse than C4.5+m and C4.5+m+cf" (section 3.2.4).
    assert not_told_apart(ranks, critical_difference(4, 14, 0.10)) == ((3, 1, 2), (2, 0))


def test_friedman_corrected_for_ties_is_scipys() -> None:
    tested = friedman(SCORES)
    theirs = stats.friedmanchisquare(*SCORES.T)
    assert tested.ties_chi_square == pytest.approx(theirs.statistic, rel=1e-12)
    assert tested.chi_square < tested.ties_chi_square


def test_friedman_without_ties_is_scipys_and_does_not_mind_which_way_is_better() -> None:
    scores = random.normal(size=(12, 5))
    tested, turned = friedman(scores), friedman(-scores, more_is_better=False)
    theirs = stats.friedmanchisquare(*scores.T)
    assert tested.chi_square == pytest.approx(theirs.statistic, rel=1e-12)
    assert tested.ties_chi_square == pytest.approx(tested.chi_square, rel=1e-12)
    assert tested.chi_square_p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert tested == turned


def test_learners_that_always_tie_do_not_differ_and_one_that_always_wins_does() -> None:
    same = friedman(np.full((6, 3), 0.9))
    assert (same.chi_square, same.f_p, same.ties_p) == (0.0, 1.0, 1.0)
    always = friedman(np.tile([0.9, 0.8, 0.7], (6, 1)))
    assert math.isinf(always.f)
    assert always.f_p == 0.0


@pytest.mark.parametrize("count", [2, 3, 4, 7, 10, 20])
def test_the_studentised_range_is_scipys(count: int) -> None:
    for p in (0.9, 0.95, 0.99):
        ours = range_quantile(p, count)
        assert ours == pytest.approx(stats.studentized_range.ppf(p, count, np.inf), rel=1e-7)
        assert range_below(ours, count) == pytest.approx(p, abs=1e-9)


def test_nemenyis_p_is_that_of_the_range() -> None:
    width = 1.2 / math.sqrt(4 * 5 / (6 * 14)) * math.sqrt(2)
    assert nemenyi_p(-1.2, 4, 14) == pytest.approx(stats.studentized_range.sf(width, 4, np.inf), rel=1e-6)


def test_signed_ranks_without_ties_are_scipys_exact_ones() -> None:
    for count in (3, 8, 25, 60):
        differences = random.normal(0.3, 1, count)
        theirs = stats.wilcoxon(differences, method="exact")
        ours = signed_ranks(differences)
        assert min(ours.above, ours.below) == theirs.statistic
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_signed_ranks_with_ties_and_zeros_count_every_way_to_give_signs() -> None:
    differences = np.array([0.0, 1, 1, -2, 3, 3, 3, -1, 0, 4, 2, 5])
    ranks = stats.rankdata(np.abs(differences))[differences != 0]
    observed = abs(float((np.sign(differences[differences != 0]) * ranks).sum()))
    sums = [abs(float(np.dot(signs, ranks))) for signs in itertools.product((-1, 1), repeat=len(ranks))]
    expected = np.mean(np.array(sums) >= observed - 1e-9)
    assert signed_ranks(differences).p == pytest.approx(expected, rel=1e-12)


def test_many_differences_are_taken_as_normal() -> None:
    differences = random.normal(0.1, 1, 500)
    theirs = stats.wilcoxon(differences, method="approx", zero_method="pratt")
    assert signed_ranks(differences).p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_differences_that_are_all_zero_show_nothing() -> None:
    assert signed_ranks([0.0, 0.0, 0.0]).p == 1.0


def test_holms_adjustment_is_what_statsmodels_gives() -> None:
    from statsmodels.stats.multitest import multipletests

    p = random.uniform(size=15) ** 3
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], rtol=1e-12)
