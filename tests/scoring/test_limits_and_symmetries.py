"""Scores at their limits, the same from either side, and the sentences of figures that nobody can tell."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

import clearwood as cw
from clearwood.errors import SchemaError, SettingError
from clearwood.models.decision import Cutoff, Decision, Isotonic
from clearwood.scoring import SCORES, Stakes
from clearwood.scoring.by_group import named_groups, rates_by_group
from clearwood.scoring.calibration import calibration_of, slope_and_error
from clearwood.scoring.clustered_rows import rows_in_groups
from clearwood.scoring.coverage import coverage_of, refer_for
from clearwood.scoring.cutoff_aims import (
    ForCost,
    ForPrecision,
    ForRecall,
    aim_words,
    chosen_by,
    note_on_choice,
)
from clearwood.scoring.cutoffs import best_cutoff, cutoffs_of, places_evenly
from clearwood.scoring.differences.paired import MeanDifference, _score, paired_mean, paired_mean_of_groups
from clearwood.scoring.differences.ranks import friedman, signed_ranks
from clearwood.scoring.differences.same_rows import areas_under_curves, mcnemar, mcnemar_of_rows
from clearwood.scoring.evaluation import ClassEvaluation, NumberEvaluation, number_evaluation
from clearwood.scoring.intervals import FEW_ROWS, _lack, error_of_terms, mean_of_known, score_intervals
from clearwood.scoring.positive import about_positive, guessed_positive, positive_class_of
from clearwood.scoring.predictions import Predictions, divided_or_nan, weights_of_rows
from clearwood.scoring.recalibration import calibrator_of, platt_of
from clearwood.scoring.resampling import bca, bootstrap_intervals, distinct_rows
from clearwood.scoring.roc import roc_of
from clearwood.scoring.scores import score_by_name
from tests.scoring.test_ten_rows_by_hand import NUMBERS, OF_BAD, SIX, TEN, TRUTH, _given

BAD = Stakes("bad")
PAIRS = np.arange(10) // 2  # rows 0 and 1, 2 and 3, … belong together


def score(name: str, predictions: Predictions, stakes: Stakes = BAD) -> float:
    return score_by_name(name, predictions, stakes)


def why(name: str, predictions: Predictions, stakes: Stakes = BAD) -> str:
    found = score_intervals((name,), predictions, stakes, quick=True)[name]
    assert math.isnan(found.value)
    return found.why


# What rows can tell nothing of, and why.


@pytest.mark.parametrize(
    "name", ["auc", "average_precision", "ks", "calibration_slope", "calibration_intercept"]
)
def test_rows_of_one_class_say_which_of_the_two_is_lacking(name: str) -> None:
    good, bad = TEN.take(np.flatnonzero(np.array(TRUTH) == 1)), TEN.take(np.flatnonzero(np.array(TRUTH) == 0))
    one_class = "the rows whose probabilities can be evaluated are all of one class"
    lacks = (
        one_class if name.startswith("calibration") else "no row whose probabilities can be evaluated is bad"
    )
    assert why(name, good) == lacks
    assert why(name, bad) == one_class
    assert not math.isnan(score(name, TEN))


def test_probabilities_that_separate_the_classes_have_no_slope() -> None:
    apart = _given([0, 0, 1, 1], [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]])
    separated = "the probabilities separate the classes, so that no slope is steep enough"
    assert why("calibration_slope", apart) == separated
    assert why("calibration_slope", replace(apart, truth=1 - apart.truth)) == separated
    # A hair apart: odds that go from 1/3 to 3 within 2e-6 need a slope of ln 9 / 8e-6, which is too steep.
    near = [[0.5 - 1e-6, 0.5 + 1e-6]] * 4 + [[0.5 + 1e-6, 0.5 - 1e-6]] * 4
    steep = _given([0, 1, 1, 1, 0, 0, 0, 1], near)
    assert why("calibration_slope", steep) == separated
    same = _given([0, 1], [[0.5, 0.5]] * 2)
    assert why("calibration_slope", same) == "all rows have the same probability"
    assert score("calibration_intercept", same) == pytest.approx(0.0)
    assert why("calibration_slope", SIX, Stakes()).startswith("of more than two classes it is about one")


def test_certain_probabilities_that_separate_the_classes_have_no_intercept() -> None:
    """Half of ln(1/3) was printed: where the odds of 0 and 1 are cut off, and nothing of the model."""
    certain = _given([0, 1, 1, 1], [[1.0, 0.0], *[[0.0, 1.0]] * 3])
    assert why("calibration_intercept", certain).startswith("all probabilities are 0 or 1")
    likely = _given([0, 1, 1, 1], [[0.9, 0.1], *[[0.0, 1.0]] * 3])
    assert not math.isnan(score("calibration_intercept", likely))


def test_the_slope_is_where_the_likelihood_has_no_slope() -> None:
    """Beside the definition: Σ (y − p) and Σ (y − p) · log odds are 0 there; so with weights."""
    for weights in (np.ones(10), np.arange(1.0, 11.0)):
        given = replace(TEN, weights=weights)
        slope, error = slope_and_error(given, BAD)
        odds = np.log(np.array(OF_BAD) / (1 - np.array(OF_BAD)))
        bad = 1.0 - np.array(TRUTH)
        at = np.linspace(-3, 3, 60_001)
        level = weights @ (bad[:, None] - expit(at + slope * odds[:, None]))
        start = at[np.abs(level).argmin()]
        p = expit(start + slope * odds)
        assert weights @ ((bad - p) * odds) == pytest.approx(0.0, abs=1e-2)
        curve = weights * p * (1 - p)
        information = np.array([[curve.sum(), curve @ odds], [curve @ odds, curve @ odds**2]])
        assert error == pytest.approx(math.sqrt(np.linalg.inv(information)[1, 1]), rel=1e-3)
        assert score("calibration_slope", given) == pytest.approx(slope)


def test_each_group_of_one_row_moves_the_slope_as_its_row_does() -> None:
    alone = slope_and_error(TEN, BAD, by_rows=True)
    assert slope_and_error(replace(TEN, units=np.arange(10)), BAD, by_rows=True) == pytest.approx(alone)
    together = slope_and_error(replace(TEN, units=PAIRS), BAD, by_rows=True)
    assert together[0] == pytest.approx(alone[0])
    assert together[1] != pytest.approx(alone[1])
    # Rows that stand twice, each pair a group, say as much as each once.
    twice = TEN.take(np.repeat(np.arange(10), 2))
    assert slope_and_error(
        replace(twice, units=np.repeat(np.arange(10), 2)), BAD, by_rows=True
    ) == pytest.approx(alone)
    assert np.isnan(slope_and_error(_given([0, 0], [[0.9, 0.1], [0.8, 0.2]]), BAD)).all()


def test_a_certain_prediction_that_is_right_costs_nothing() -> None:
    sure = _given([0, 1], [[1.0, 0.0], [0.0, 1.0]])
    assert 0 <= score("log_loss", sure) < 1e-15
    wrong = _given([1, 0], [[1.0, 0.0], [0.0, 1.0]])
    assert score("log_loss", wrong) == pytest.approx(-math.log(np.finfo(float).eps))


# From either side the same.


@pytest.mark.parametrize(("one", "other"), [(1.0, 7.0), (0.0, 3.0), (4.0, 4.0), (2.5, 9.0)])
def test_mcnemar_is_the_same_from_either_side(one: float, other: float) -> None:
    left, right = mcnemar(one, other), mcnemar(other, one)
    assert (left.p, left.mid_p) == pytest.approx((right.p, right.mid_p))
    if one == int(one) and other == int(other):
        binomial = stats.binomtest(int(min(one, other)), int(one + other))
        assert left.p == pytest.approx(binomial.pvalue)
        middle = stats.binom.pmf(min(one, other), one + other, 0.5)
        assert left.mid_p == pytest.approx(1 - middle / 2 if one == other else binomial.pvalue - middle)


@pytest.mark.parametrize("counts", [True, False])
def test_rows_that_one_has_right_count_for_it_whichever_comes_first(counts: bool) -> None:
    first = np.array([True, True, False, False, False, True])
    second = np.array([False, True, True, True, False, False])
    weights = np.array([1.0, 9.0, 2.0, 3.0, 9.0, 1.0])
    one = mcnemar_of_rows(first, second, weights, counts=counts)
    turned = mcnemar_of_rows(second, first, weights, counts=counts)
    assert (one.only_first, one.only_second) == (turned.only_second, turned.only_first)
    # On the differing rows: 1 + 1 against 2 + 3; their effective number is 7² ÷ (1 + 4 + 9 + 1).
    scale = 1.0 if counts else 49 / 15 / 7
    assert (one.only_first, one.only_second) == pytest.approx((2 * scale, 5 * scale))
    none = mcnemar_of_rows(first, first, weights, counts=counts)
    assert (none.only_first, none.p) == (0.0, 1.0)


def test_the_score_of_no_spread_is_0_or_beyond_all_numbers() -> None:
    assert _score(0.0, 0.0, 10.0, 0.0) == 0.0
    assert _score(0.0, 0.0, 10.0, 1.0) == -math.inf
    assert _score(0.0, 0.0, 10.0, -1.0) == math.inf
    assert _score(5.0, 2.0, 10.0, 0.0) == pytest.approx(3 / math.sqrt(7))  # McNemar's


def test_paired_means_are_students_and_turn_their_sign() -> None:
    first, second = np.array([1.0, 2, 4, 4]), np.array([0.0, 2, 2, 5])
    tested = paired_mean(first, second, np.ones(4), counts=True)
    t = stats.ttest_rel(first, second)
    assert (tested.statistic, tested.p) == pytest.approx((t.statistic, t.pvalue))
    low, high = tested.interval
    assert (low, high) == pytest.approx(tuple(t.confidence_interval(0.95)))
    turned = paired_mean(second, first, np.ones(4), counts=True)
    assert (turned.mean, turned.standard_error, turned.p) == pytest.approx(
        (-tested.mean, tested.standard_error, tested.p)
    )
    # Counts of 2 are each row twice; weights of a sample say how much a row is worth.
    twice = paired_mean(np.repeat(first, 2), np.repeat(second, 2), np.ones(8), counts=True)
    counted = paired_mean(first, second, np.full(4, 2.0), counts=True)
    assert (counted.standard_error, counted.df) == pytest.approx((twice.standard_error, twice.df))
    sample = paired_mean(first, second, np.full(4, 2.0), counts=False)
    assert (sample.standard_error, sample.df) == pytest.approx((tested.standard_error, tested.df))
    assert math.isnan(paired_mean(first, second, np.zeros(4), counts=True).mean)
    one = paired_mean(first[:1], second[:1], np.ones(1), counts=True)
    assert (one.mean, math.isnan(one.standard_error), one.df) == (1.0, True, 1)
    units = np.array([0, 0, 1, 2])
    assert paired_mean(first, second, np.ones(4), counts=True, units=units) == paired_mean_of_groups(
        first, second, np.ones(4), units
    )
    data = tested.to_json()
    assert (data["test"], data["difference"], data["df"]) == (tested.test, tested.mean, 3)
    assert data["interval"] == [low, high]
    endless = MeanDifference(0.5, 0.25, math.inf, "z")
    assert endless.to_json()["df"] is None
    assert endless.p == pytest.approx(2 * stats.norm.sf(2.0), abs=1e-6)
    # 1.96 + 0.84 standard errors are shown at 5 % four times in five.
    assert endless.detectable == pytest.approx(0.25 * (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)), rel=1e-5)
    assert np.isnan(
        [*MeanDifference(0.5, 0.0, 3, "z").interval, MeanDifference(0.5, 0.0, 3, "z").detectable]
    ).all()


def test_ranks_of_one_table_show_nothing_and_those_turned_are_those_of_the_other() -> None:
    alone = friedman(np.array([[0.9, 0.8, 0.7]]))
    assert (alone.f_p, alone.chi_square) == pytest.approx((1.0, 2.0))
    differences = [0.02, -0.01, 0.03, 0.0, 0.04, -0.04]
    tested, turned = signed_ranks(differences), signed_ranks([-each for each in differences])
    assert (tested.above, tested.below, tested.p) == (turned.below, turned.above, turned.p)
    assert tested.to_json() == {"ranks_above": tested.above, "ranks_below": tested.below, "p": tested.p}
    assert tested.above + tested.below == 6 * 7 / 2
    assert signed_ranks([0.0, 0.0]).p == 1.0
    scores = np.array([[0.9, 0.8, 0.7], [0.6, 0.7, 0.8], [0.9, 0.7, 0.8], [0.5, 0.4, 0.1]])
    assert friedman(scores).chi_square == pytest.approx(stats.friedmanchisquare(*scores.T).statistic)
    assert friedman(-scores).mean_ranks == tuple(4 - each for each in friedman(scores).mean_ranks)


def test_areas_of_equal_rankings_differ_by_nothing_and_turned_by_the_opposite() -> None:
    bad = 1 - np.array(TRUTH, dtype=float)
    scores = np.array([OF_BAD, OF_BAD, [0.3, 0.2, 0.5, 0.6, 0.4, 0.9, 0.1, 0.0, 0.2, 0.1]])
    areas = areas_under_curves(scores, bad > 0)
    same = areas.difference(0, 1)
    assert (same.mean, same.standard_error) == (0.0, 0.0)
    one, other = areas.difference(0, 2), areas.difference(2, 0)
    assert (one.mean, one.standard_error) == pytest.approx((-other.mean, other.standard_error))
    # Mann and Whitney's count of pairs in the right order.
    wins = [(a > b) + (a == b) / 2 for a, b in product(np.array(OF_BAD)[bad > 0], np.array(OF_BAD)[bad == 0])]
    assert areas.areas[0] == pytest.approx(sum(wins) / len(wins))
    assert areas_under_curves(1 - scores, bad == 0).areas == pytest.approx(areas.areas)


# Resamples.


@pytest.mark.parametrize("value", [0.1, 0.5, 0.52, 0.99, -1.0, 2.0])
def test_an_interval_of_resamples_is_efrons(value: float) -> None:
    """Beside the formula; a value that no draw is below or above is as sure as half a draw."""
    chance = np.random.default_rng(3)
    drawn, left = np.round(chance.normal(0.5, 0.2, 400), 2), chance.normal(0.5, 0.02, 30)
    below = (np.sum(drawn < value) + np.sum(drawn == value) / 2) / 400
    bias = stats.norm.ppf(np.clip(below, 0.5 / 400, 1 - 0.5 / 400))
    apart = left.mean() - left
    change = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    z = stats.norm.ppf([0.025, 0.975])
    at = stats.norm.cdf(bias + (bias + z) / (1 - change * (bias + z)))
    found = bca(value, drawn, left)
    assert found is not None
    assert found == pytest.approx(tuple(np.quantile(drawn, at)), abs=0.02)
    again = bca(value, np.append(drawn, np.nan), np.append(left, np.nan))
    assert again == pytest.approx(found)
    assert bca(value, np.full(9, 0.5), left) is None
    assert bca(math.nan, drawn, left) is None
    assert bca(value, np.full(9, np.nan), left) is None


def test_of_no_rows_none_are_drawn() -> None:
    nothing = distinct_rows(TEN.take(np.arange(0)), "shares")
    assert len(nothing.counts) == len(nothing.each) == 0


# Cutoffs.


def test_of_a_hundred_cutoffs_all_are_listed() -> None:
    for many in (98, 99, 100, 101, 150):
        share = (np.arange(many) + 0.5) / many
        rows = _given(np.arange(many) % 2, np.column_stack([share, 1 - share])).judged
        cutoffs = cutoffs_of(("bad", "good"), rows, "bad")
        assert len(cutoffs.at) == many + 1
        assert len(cutoffs.lines(many + 1)) == many + 1
        assert len(cutoffs.lines(many)) <= many + 1
        lines = cutoffs.lines(many)
        # For each part of the recall the greatest cutoff that reaches it: of others there is none.
        assert len(lines) < many + 1
    assert places_evenly(np.array([4.0, 3.0, 3.0, 1.0]), np.array([0.0, 1.0, 2.0, 4.0]), (0, None)) == [
        0,
        2,
        3,
    ]


def test_a_cutoff_above_every_probability_is_the_last_of_the_table() -> None:
    cutoffs = chosen_by(Cutoff("bad", 1.0), cutoffs_of(TEN.classes, TEN.judged, "bad"))
    chosen = [line for line in cutoffs.lines() if line["chosen"]]
    assert len(chosen) == 1
    assert (chosen[0]["answered_positive"], chosen[0]["precision"]) == (0.0, None)
    assert "no row is predicted bad: the probabilities do not rank" in note_on_choice(cutoffs)
    assert note_on_choice(chosen_by(Cutoff("bad", 0.5), cutoffs)) == ""
    assert note_on_choice(cutoffs_of(TEN.classes, TEN.judged, "bad")) == ""


def test_aims_are_met_at_their_very_limit() -> None:
    """Precision 1, 2/3, 3/4, 4/6, …; recall 1/4, 2/4, 3/4, 1 at .9, .8, .6 and .4."""
    cutoffs = cutoffs_of(TEN.classes, TEN.judged, "bad", costs=((0.0, 5.0), (1.0, 0.0)))
    for recall, least in ((0.25, 0.9), (0.2500001, 0.8), (0.75, 0.6), (0.75 + 1e-13, 0.6), (1.0, 0.4)):
        assert chosen_by(ForRecall("bad", recall), cutoffs).chosen == pytest.approx(
            float(cutoffs.at[np.flatnonzero(cutoffs.least == least)[0]])
        )
    for precision, least in ((1.0, 0.9), (0.75, 0.6), (0.75 + 1e-13, 0.6), (0.7500001, 0.9), (4 / 6, 0.4)):
        found = chosen_by(ForPrecision("bad", precision), cutoffs).chosen
        assert found == pytest.approx(float(cutoffs.at[np.flatnonzero(cutoffs.least == least)[0]]))
    # By costs 5 and 1: from .4 on none is missed and two alarms cost 2 of ten rows.
    assert chosen_by(ForCost("bad", ((0.0, 5.0), (1.0, 0.0))), cutoffs).chosen == pytest.approx(
        float(cutoffs.at[np.flatnonzero(cutoffs.least == 0.4)[0]])
    )
    dear = cutoffs_of(TEN.classes, TEN.judged, "bad", costs=((0.0, 1e6), (1e6 + 1e-7, 0.0)))
    assert chosen_by(ForCost("bad"), dear).chosen == pytest.approx(
        0.5
    )  # two mistakes, which .9 does not beat
    assert aim_words(ForCost("bad")).endswith("as no costs are given")
    assert aim_words(ForCost("bad", ((0.0, 1.0), (1.0, 0.0)))) == "for the lowest expected cost"
    assert aim_words(ForPrecision("bad", 0.9)) == "for a precision of at least 0.9"
    with pytest.raises(SettingError, match="Costs must be numbers from 0 to"):
        ForCost("bad", ((0.0, -1.0), (1.0, 0.0)))
    with pytest.raises(SettingError, match="Costs must be numbers from 0 to"):
        ForCost("bad", ((0.0, math.nan), (1.0, 0.0)))
    for wrong in (True, 0.0, 1.01, "half"):
        with pytest.raises(SettingError, match="must be a fraction above 0 and at most 1"):
            ForRecall("bad", wrong)  # type: ignore[arg-type]
    for at in (-0.1, 1.1):
        with pytest.raises(SettingError, match="A cutoff must be a probability from 0 to 1"):
            chosen_by(Cutoff("bad", at), cutoffs)


def test_a_cutoff_of_one_probability_alone_tells_no_rows_apart() -> None:
    same = _given([0, 1, 1], [[0.3, 0.7]] * 3).judged
    for at, part in ((0.2, "every"), (0.9, "no")):
        note = note_on_choice(chosen_by(Cutoff("bad", at), cutoffs_of(("bad", "good"), same, "bad")))
        assert note.startswith("All rows have the same probability of bad, and no cutoff tells them apart")
        assert note.endswith(f": {part} row is predicted bad.")


def test_groups_of_rows_have_intervals_by_groups_and_of_one_row_those_of_rows() -> None:
    costs = ((0.0, 5.0), (1.0, 0.0))
    alone = cutoffs_of(TEN.classes, TEN.judged, "bad", costs=costs)
    single = cutoffs_of(TEN.classes, replace(TEN, units=np.arange(10)).judged, "bad", costs=costs)
    grouped = cutoffs_of(TEN.classes, replace(TEN, units=PAIRS).judged, "bad", costs=costs)
    assert (alone.by_groups, single.by_groups, grouped.by_groups) == (False, True, True)
    for name in ("at", "hits", "alarms", "recall", "precision"):
        np.testing.assert_allclose(getattr(grouped, name), getattr(alone, name))
    assert grouped.costs is not None
    assert alone.costs is not None
    np.testing.assert_allclose(grouped.costs[:, 0], alone.costs[:, 0])
    assert (grouped.own_rows <= single.own_rows + 1e-9).all()
    assert "; intervals by groups of rows" in str(grouped)
    assert "groups" not in str(alone)
    unanswered = cutoffs_of(TEN.classes, replace(TEN.judged, left_out=3), "bad", refer=0.65)
    assert str(unanswered).endswith("2 rows of bad, 5 others; 3 referred and not counted; 3 left out")


def test_the_best_cutoff_of_rows_is_the_cheapest_of_all() -> None:
    for miss, alarm in ((5.0, 1.0), (1.0, 1.0), (1.0, 5.0), (1.0, 100.0), (100.0, 1.0)):
        stakes = Stakes("bad", {("bad", "good"): miss, ("good", "bad"): alarm})
        best = best_cutoff(TEN, stakes)
        assert best is not None
        by_hand = {
            at: sum(
                miss * (truth == 0 and share < at) + alarm * (truth == 1 and share >= at)
                for truth, share in zip(TRUTH, OF_BAD, strict=True)
            )
            / 10
            for at in (0.0, 0.15, 0.3, 0.5, 0.7, 0.85, 2.0)
        }
        least = min(by_hand.values())
        assert best.per_row == pytest.approx(least)
        dearest = max(at for at, cost in by_hand.items() if cost == least)
        assert best.at == (None if dearest == 2.0 else pytest.approx(dearest))
    assert best_cutoff(SIX, Stakes("a")) is None
    assert best_cutoff(TEN.take(np.arange(0)), BAD) is None


# Coverage, calibration and curves in words.


def test_coverage_says_what_it_left_out() -> None:
    truth, answers = np.array([0, 0, 1, -1, 1]), np.array([0, 1, 1, 0, -1])
    best = np.array([0.9, 0.6, 0.8, 0.9, 0.0])
    found = coverage_of(truth, answers, best, np.ones(5), 0.95, units=np.array([0, 0, 1, 1, 2]))
    assert (found.weight, found.never, found.left_out) == (4.0, 1.0, 1)
    text = str(found).splitlines()
    assert text[-4:] == [
        "Below 0.95, which is set, every row is referred.",
        "1 row without a prediction at any probability.",
        "1 row without a true class left out.",
        "Intervals are by groups of rows.",
    ]
    assert found.accuracy.tolist() == pytest.approx([2 / 3, 1.0, 1.0])
    plain = coverage_of(truth[:3], answers[:3], best[:3], np.ones(3))
    assert len(str(plain).splitlines()) == 4
    for wrong in (True, "most", 0.0, 1.0001, math.nan):
        with pytest.raises(SettingError, match="accuracy must be a fraction above 0 and at most 1"):
            refer_for(wrong, plain)  # type: ignore[arg-type]
    assert refer_for(1.0, plain).chosen == refer_for(1.0 - 1e-13, plain).chosen == pytest.approx(0.7)
    assert refer_for(2 / 3, plain).chosen == 0.0
    assert refer_for(2 / 3 + 1e-6, plain).chosen == pytest.approx(0.7)
    with pytest.raises(SettingError, match="never 1 accurate"):
        refer_for(1.0, coverage_of(truth[1:2], answers[1:2], best[1:2], np.ones(1)))
    with pytest.raises(SchemaError, match="none has a true class and a prediction"):
        coverage_of(truth[3:], answers[3:], best[3:], np.ones(2))


def test_calibration_says_what_was_impossible_and_left_out_and_by_what_it_judges() -> None:
    rows = replace(_given([0, 0, 1], [[0.0, 1.0], [0.9, 0.1], [0.2, 0.8]]).judged, left_out=1200)
    text = str(calibration_of(("bad", "good"), rows, 10, "width", positive="bad")).splitlines()[0]
    assert text.endswith("3 rows, 1 of a class called impossible, 1,200 left out")
    grouped = replace(TEN, units=PAIRS).judged
    heading = str(calibration_of(TEN.classes, grouped, 2, "width")).splitlines()[0]
    assert heading.endswith("10 rows; intervals by groups of rows")
    (bins,) = calibration_of(TEN.classes, grouped, 2, "width", positive="bad").reliability.values()
    low, high = np.array(OF_BAD) <= 0.5, np.array(OF_BAD) > 0.5
    bad = np.array(TRUTH) == 0
    for each, inside in zip(bins, (low, high), strict=True):
        assert each.weight == inside.sum()
        assert each.observed == pytest.approx(bad[inside].mean())
        assert each.predicted == pytest.approx(np.array(OF_BAD)[inside].mean())
        n = rows_in_groups(np.ones(inside.sum()), bad[inside].astype(float), PAIRS[inside])
        p, z = each.observed, stats.norm.ppf(0.975)
        middle, reach = p + z * z / 2 / n, z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)
        ends = (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)
        assert each.interval == pytest.approx(ends)  # Wilson's
    # Bins of about as many rows: edges are probabilities that occur, and equal ones stay together.
    (bins,) = calibration_of(TEN.classes, TEN.judged, 3, "rows", positive="bad").reliability.values()
    assert [(each.low, each.high) for each in bins] == [(0.0, 0.2), (0.2, 0.6), (0.6, 1.0)]
    assert [each.weight for each in bins] == [4.0, 3.0, 3.0]


def test_a_ranking_needs_rows_of_the_class_and_others() -> None:
    good = TEN.take(np.flatnonzero(np.array(TRUTH) == 1)).judged
    with pytest.raises(SchemaError, match="none of these is bad"):
        roc_of(TEN.classes, good, "bad")
    with pytest.raises(SchemaError, match="all of these are good"):
        roc_of(TEN.classes, good, "good")
    with pytest.raises(SchemaError, match="all of these are good"):
        roc_of(TEN.classes, good)
    assert [curve.name for curve in roc_of(SIX.classes, SIX.judged).curves] == ["a", "b", "c"]
    assert [curve.name for curve in roc_of(TEN.classes, TEN.judged).curves] == ["good"]
    two = SIX.take(np.array([0, 2])).judged
    found = roc_of(SIX.classes, two)
    assert ([curve.name for curve in found.curves], found.absent) == (["a", "b"], ("c",))


# Evaluations in figures and words.


def test_what_a_model_answers_is_part_of_all_and_what_is_right_of_what_it_answers() -> None:
    some = ClassEvaluation(("No", "Yes"), ((3.0, 1.0), (0.0, 4.0)), silent=(2.0, 4.0, 0.0))
    assert (some.answered, some.accuracy) == pytest.approx((8 / 14, 7 / 8))
    assert ClassEvaluation(("No", "Yes"), ((3.0, 1.0), (0.0, 4.0))).answered == 1.0
    assert math.isnan(ClassEvaluation(("No", "Yes"), ((0.0, 0.0), (0.0, 0.0))).accuracy)


def test_errors_of_numbers_are_in_the_words_of_what_is_predicted() -> None:
    """Answers 2, 2, 2, 4 for 1, 2, 3, 6: errors 1, 0, 1, 2; squares 6; about the mean 3 they are 14."""
    given = number_evaluation(NUMBERS.truth, NUMBERS.answers, NUMBERS.weights, None)
    assert str(given) == "RMSE 1.22474, MAE 1, R² 0.5714, 4 rows"
    assert given.score == ("RMSE", given.rmse)
    assert given.rmse == pytest.approx(math.sqrt(1.5))
    assert np.isnan([given.coverage, given.quantile_loss]).all()
    median = number_evaluation(NUMBERS.truth, NUMBERS.answers, NUMBERS.weights, 0.5)
    assert str(median) == "MAE 1 of the median, 4 rows"
    assert median.score == ("MAE", 1.0)
    # Of the .25 quantile: .75 · 1 for the answer that is too large, .25 · (1 + 2) for those too small.
    low = number_evaluation(NUMBERS.truth, NUMBERS.answers, NUMBERS.weights, 0.25)
    assert low.quantile_loss == pytest.approx((0.75 + 0.25 * 3) / 4)
    assert low.score[0] == "quantile loss"
    assert low.coverage == 0.5  # 1 and 2 are at or below their answers
    assert str(low) == "quantile loss 0.375 of the 0.25 quantile, 50.0 % of 4 rows at or below it"
    silent = NumberEvaluation(4.0, 4.0, 6.0, 14.0, left_out=1, silent=1200.0)
    assert str(silent).startswith(
        "RMSE 1.22474, MAE 1, R² 0.5714, 4 rows, 1200 more left without a prediction"
    )
    half = number_evaluation(np.array([1.0, 2.0]), np.array([1.0, np.nan]), np.ones(2), None)
    assert (half.weight, half.silent) == (1.0, 1.0)


def test_figures_of_terms() -> None:
    terms = np.array([1.0, np.nan, 3.0, 5.0])
    assert mean_of_known(terms) == 3.0
    assert math.isnan(mean_of_known(terms[1:2]))
    # Standard deviation 2: 2/√3, and with rows shared 2 · √(1/3 + 1/9).
    assert error_of_terms(terms) == pytest.approx(2 / math.sqrt(3))
    assert error_of_terms(terms, 1 / 9) == pytest.approx(2 * math.sqrt(1 / 3 + 1 / 9))
    assert math.isnan(error_of_terms(terms[:2]))
    weights = np.arange(6.0).reshape(2, 3)
    for rows in ([0, 1, 2], [2, 1, 0], [1, 1, 0], [2], [], [0, 2, 1], [1, 2, 0]):
        taken = weights_of_rows(weights, np.array(rows, dtype=np.int64))
        assert taken.tolist() == [[line[each] for each in rows] for line in weights.tolist()]
    divided = divided_or_nan(np.array([1.0, 0.0, 2.0]), np.array([2.0, 0.0, -1.0]))
    assert divided[0] == 0.5
    assert np.isnan(divided[1:]).all()
    assert divided_or_nan(np.array([1.0]), np.array([0.0]), 7.0).tolist() == [7.0]


# The positive class, and rates by group.


def test_signs_are_about_the_class_that_is_named_or_guessed() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aabbab")}, target="y")
    weights = cw.Logistic(penalty="l2").learn(table)
    assert positive_class_of(weights, "a") == ("a", "")
    guessed = positive_class_of(weights)[0]
    other = "a" if guessed == "b" else "b"
    assert about_positive(weights).contrasts == (guessed,)  # type: ignore[union-attr]
    assert about_positive(weights, other).contrasts == (other,)  # type: ignore[union-attr]
    tree = cw.CART().learn(table)
    assert about_positive(tree, other) is tree
    assert guessed_positive(("u", "v"), np.array([3.0, 1.0])) == ("v", "rarity")
    assert guessed_positive(("u", "v"), np.array([1.0, 3.0])) == ("u", "rarity")
    assert guessed_positive(("u", "v"), np.array([2.0, 2.0])) == ("v", "rarity")


def test_groups_of_a_number_are_its_values_or_its_quarters() -> None:
    few = cw.read_table({"n": [1, 2, 2, None, 1.5], "y": list("abaab")}, target="y", kinds={"n": "numeric"})
    groups = named_groups(few, "n")
    assert groups.names[:-1] == ("1", "1.5", "2")
    assert groups.of.tolist() == [0, 2, 2, 3, 1]
    many = cw.read_table({"n": list(range(1, 101)), "y": list("ab") * 50}, target="y", kinds={"n": "numeric"})
    quarters = named_groups(many, "n")
    assert quarters.names == ("≤ 25", "25 to 50", "50 to 75", "> 75")
    assert np.bincount(quarters.of).tolist() == [25] * 4
    text = cw.read_table({"t": ["so so", "la la"], "y": list("ab")}, target="y", kinds={"t": "text"})
    with pytest.raises(SchemaError, match="Column 't' is text, which has no groups"):
        named_groups(text, "t")


def test_rates_of_groups_need_rows_and_say_by_what_they_judge() -> None:
    table = cw.read_table({"g": list("uuuuuvvvvv"), "y": list("ab") * 5}, target="y")
    groups = named_groups(table, "g")
    with pytest.raises(SchemaError, match="no rows with a true class to compare groups by"):
        rates_by_group(TEN.take(np.arange(0)), groups, "bad")
    text = str(rates_by_group(replace(TEN, units=PAIRS), groups, "bad"))
    assert text.endswith("Rows belong together: intervals are by their groups, not by rows.")
    assert "belong together" not in str(rates_by_group(TEN, groups, "bad"))
    one = rates_by_group(TEN, replace(groups, names=("u",), of=np.zeros(10, dtype=np.int64)), "bad")
    assert "There is one group: nothing to compare." in str(one)
    # Of u four of five are predicted bad, of v none: a gap of −.8, and a ratio of 0.
    forty = TEN.take(np.tile(np.arange(10), 4))
    wide = replace(groups, of=np.tile(groups.of, 4))
    found = rates_by_group(forty, wide, "bad")
    assert [each.rates["selected"].value for each in found.groups] == [0.8, 0.0]
    (gap,) = found.gaps["selected"]
    assert gap.group == "v"
    assert gap.gap == pytest.approx(-0.8)
    assert [(each.group, each.ratio) for each in found.ratios] == [("v", 0.0)]
    turned = rates_by_group(forty, replace(wide, of=1 - wide.of), "bad")
    assert [each.rates["selected"].value for each in turned.groups] == [0.0, 0.8]


# Calibrators.


def test_platts_line_has_targets_a_little_inside_and_needs_two_classes() -> None:
    rows = TEN.judged
    found = calibrator_of("platt", rows)
    with pytest.raises(SchemaError, match="Calibration needs rows of two classes"):
        calibrator_of("platt", TEN.take(np.array([0, 1])).judged)
    assert found == calibrator_of("platt", replace(rows, weights=np.ones(10)))
    # The best line has no slope left: Σ (p − t) = 0 with t = 5/6 for bad and 1/8 for good (Platt 1999).
    bad = np.array(TRUTH) == 0
    line = platt_of(TEN.shares, np.stack([bad, ~bad], axis=1), np.ones(10))
    assert line == found
    odds = np.log(np.array(OF_BAD) / (1 - np.array(OF_BAD)))
    p = expit(line.slopes[0] * odds + line.intercepts[0])
    t = np.where(bad, 5 / 6, 1 / 8)
    assert (p - t).sum() == pytest.approx(0.0, abs=1e-6)
    assert ((p - t) * odds).sum() == pytest.approx(0.0, abs=1e-6)
    # Of two classes one line is the other's with the sign of its start turned.
    assert line.slopes[1] == pytest.approx(line.slopes[0])
    assert line.intercepts[1] == pytest.approx(-line.intercepts[0])
    level = platt_of(np.full((10, 2), 0.5), np.stack([bad, ~bad], axis=1), np.ones(10))
    assert level.slopes == (0.0, 0.0)
    assert expit(level.intercepts[0]) == pytest.approx(t.mean())
    alone = platt_of(TEN.shares, np.stack([bad | ~bad, bad & ~bad], axis=1), np.ones(10))
    assert (alone.slopes, alone.intercepts) == ((1.0, 1.0), (0.0, 0.0))
    assert alone.least == 1 / 12


def test_a_recalibration_names_what_became_impossible() -> None:
    table = cw.read_table({"x": [1, 1, 1, 2, 2, 2], "y": list("aabbbb")}, target="y")
    tree = cw.C45(min_rows=1, prune=False).learn(table)
    steps = Decision(calibration=Isotonic(((0.5,), (0.5,)), ((1.0,), (0.0,))))
    found = cw.recalibration(replace(tree, decision=steps), table)
    assert str(found).splitlines()[-1] == "6 rows, 4 of a class called impossible after"
    assert found.to_json()["method"] == "isotonic"
    with pytest.raises(SettingError, match="probabilities are not calibrated"):
        cw.recalibration(tree, table)


def test_figures_of_models_of_the_wrong_kind_are_refused() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4], "y": [1.0, 2.0, 7.0, 9.0]}, target="y")
    numbers = cw.CART().learn(table)
    with pytest.raises(SettingError, match="This model predicts numbers, which have no probabilities"):
        cw.coverage(numbers, table)
    classes = cw.read_table({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y")
    with pytest.raises(SettingError, match="This model predicts classes, not numbers"):
        cw.true_and_predicted(cw.CART().learn(classes), classes)
    with pytest.raises(SchemaError, match="none has a true value"):
        cw.true_and_predicted(numbers, cw.encode({"x": [1.0], "y": [None]}, numbers.schema))
    with pytest.raises(SchemaError, match="There are no rows to evaluate on"):
        cw.evaluate(numbers, table.take(np.arange(0)))
    assert score_by_name("rmse", NUMBERS) == pytest.approx(math.sqrt(1.5))


def test_two_groups_are_compared_and_the_larger_is_the_one_compared_with() -> None:
    table = cw.read_table({"g": list("uuuuvvvvvv") * 4, "y": list("ab") * 20}, target="y")
    text = str(rates_by_group(TEN.take(np.tile(np.arange(10), 4)), named_groups(table, "g"), "bad"))
    assert "Gaps to v" in text
    assert "There is one group" not in text


def test_rows_of_other_classes_are_refused_where_none_is_known() -> None:
    tree = cw.CART(max_depth=0).learn(cw.read_table({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y"))
    foreign = cw.read_table({"x": [1, 2], "y": ["0", "1"]}, target="y")
    with pytest.raises(SchemaError, match="No row has a class that the model knows: it predicts y as a"):
        cw.evaluate(tree, foreign)
    some = cw.evaluate(tree, cw.read_table({"x": [1, 2], "y": ["0", "a"]}, target="y"))
    assert isinstance(some, ClassEvaluation)
    assert sum(some.unknown) == 1.0
    nobody = cw.evaluate(tree, cw.encode({"x": [1.0], "y": [None]}, tree.schema))
    assert nobody.left_out == 1


def test_rows_that_weigh_nothing_are_left_out_of_coverage() -> None:
    found = coverage_of(np.array([0, 1]), np.array([0, 0]), np.array([0.9, 0.8]), np.array([2.0, 0.0]))
    assert (found.weight, found.left_out, found.accuracy.tolist()) == (2.0, 1, [1.0])


def test_parts_of_few_rows_or_lacking_a_class_lack_something() -> None:
    few, enough = TEN.take(np.arange(FEW_ROWS - 1) % 10), TEN.take(np.arange(FEW_ROWS) % 10)
    known = np.array([0.5, 0.5])
    assert not _lack([enough, enough], known)
    assert _lack([enough, few], known)
    assert _lack([enough, enough], np.array([0.5, np.nan]))
    assert _lack([enough, enough.take(np.zeros(FEW_ROWS, dtype=np.int64))], known)


def test_an_interval_of_drawn_rows_of_a_sample_holds_the_weighted_score() -> None:
    """Rows 2 and 4 are answered wrongly: where they weigh least, and where they weigh most."""
    for heavy in (False, True):
        weights = np.where(np.isin(np.arange(40) % 10, (2, 4)), 5.0 if heavy else 0.5, 1.0)
        sample = replace(TEN.take(np.tile(np.arange(10), 4)), weights=weights, weights_are="sampling")
        rows = distinct_rows(sample, "answers")
        statistic = SCORES["kappa"].statistic(rows.predictions, BAD)
        intervals, draws = bootstrap_intervals(rows, {"kappa": statistic}, seed=1)
        low, high = intervals["kappa"] or (math.nan, math.nan)
        assert draws > 100
        assert low < score_by_name("kappa", sample, BAD) < high
