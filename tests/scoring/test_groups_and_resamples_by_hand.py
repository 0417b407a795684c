"""Rows that belong together, and rows drawn anew: beside the plain definition, row by row."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.scoring import SCORES, Stakes, WeighedScore
from clearwood.scoring.clustered_rows import rows_as_changed, rows_as_taken, rows_in_groups
from clearwood.scoring.costs import cost_intervals, expected_cost
from clearwood.scoring.cutoffs import shortest_between
from clearwood.scoring.differences.ranks import friedman, midranks, signed_ranks
from clearwood.scoring.differences.same_rows import areas_under_curves, mcnemar
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.scoring.intervals import (
    auc_interval,
    score_intervals,
    score_over_parts,
    with_fitting_intervals,
)
from clearwood.scoring.positive import check_stakes, guessed_positive
from clearwood.scoring.predictions import (
    ClassPredictions,
    Judged,
    NumberPredictions,
    counted_once,
    in_own_order,
    judged_by_content,
    predictions_together,
    rows_that_speak,
)
from clearwood.scoring.recalibration import cross_calibrated, isotonic_of, platt_of
from clearwood.scoring.resampling import bootstrap_intervals, distinct_rows


def _rows(seed: int, rows: int, **more: Any) -> ClassPredictions:
    random = np.random.default_rng(seed)
    share = random.integers(1, 10, rows) / 10
    return ClassPredictions(
        classes=("good", "bad"),
        truth=(random.random(rows) < share).astype(np.int64),
        answers=(share >= 0.5).astype(np.int64),
        shares=np.column_stack([1 - share, share]),
        weights=np.ones(rows),
        places=np.arange(rows),
        part=np.zeros(rows, dtype=np.int64),
        **more,
    )


# Rows that belong together


def _worth(weights: Floats, values: Floats, units: Any) -> float:
    """So many rows by themselves would vary as the ratio of the groups' sums does."""
    groups, total = np.unique(units), weights.sum()
    if len(groups) < 2:
        return float(min(total, 1.0))
    mean = (weights * values).sum() / total
    spread = (weights * (values - mean) ** 2).sum() / total
    if spread < 1e-12:
        return float(min(total, total**2 / sum(weights[units == each].sum() ** 2 for each in groups)))
    sums = [(weights * (values - mean))[units == each].sum() for each in groups]
    variance = len(groups) / (len(groups) - 1) * sum(each**2 for each in sums) / total**2
    if variance < 1e-15:
        return float(total)
    unsure = (stats.norm.ppf(0.975) / stats.t.ppf(0.975, len(groups) - 1)) ** 2
    return float(min(spread / variance * unsure, total))


def test_groups_of_rows_are_worth_as_many_rows_as_vary_as_they_do() -> None:
    random = np.random.default_rng(1)
    less = 0
    for _ in range(60):
        rows = int(random.integers(1, 30))
        weights = random.uniform(0.5, 3, rows)
        values = random.choice([0.0, 1.0, 5.0], rows)
        units = random.integers(0, random.integers(1, 8), rows)
        worth = rows_in_groups(weights, values, units)
        assert worth == pytest.approx(_worth(weights, values, units))
        less += worth < weights.sum() / 2
        hits = values > 0
        as_taken = rows_as_taken(weights, hits, units)
        for first in range(1, rows + 1):
            some = slice(first)
            assert as_taken[first - 1] == pytest.approx(
                _worth(weights[some], hits[some].astype(np.float64), units[some])
            )
        after = random.choice([0.0, 1.0, 5.0], rows)
        as_changed = rows_as_changed(weights, values, after, units)
        for first in range(rows + 1):
            now = np.where(np.arange(rows) < first, after, values)
            assert as_changed[first] == pytest.approx(_worth(weights, now, units))
    assert less > 10


def test_nothing_and_values_all_alike_are_worth_their_groups() -> None:
    with np.errstate(divide="raise", invalid="raise"):
        assert rows_in_groups(np.zeros(2), np.ones(2), np.array([0, 1])) == 0
        assert rows_in_groups(np.ones(6), np.ones(6), np.array([0, 0, 0, 0, 1, 1])) == pytest.approx(36 / 20)
        assert rows_in_groups(np.full(3, 0.25), np.arange(3.0), np.zeros(3, dtype=int)) == 0.75
        # Groups of the same mean do not vary at all, and are no more rows than there are.
        assert rows_in_groups(np.ones(4), np.array([0.0, 1, 0, 1]), np.array([0, 0, 1, 1])) == 4


# Rows drawn anew


def _drawn(given: Any, of: Any) -> tuple[Any, Floats, Floats]:
    """The distinct rows, the weights of the resamples and those with something left out."""
    rows = distinct_rows(given, of)
    seen: list[Floats] = []

    def kept(weights: Floats) -> Floats:
        seen.append(weights.copy())
        return weights @ np.arange(1.0, weights.shape[1] + 1)

    _, draws = bootstrap_intervals(rows, {"any": WeighedScore(kept)})
    every = np.concatenate(seen[:-1])  # the last is the whole
    return rows, every[:draws], every[draws:]


def test_a_resample_has_as_many_rows_and_each_is_left_out_in_turn() -> None:
    given = _rows(2, 40)
    rows, drawn, left = _drawn(given, "shares")
    assert len(drawn) == 2_000
    assert (drawn.sum(axis=1) == 40).all()
    assert (drawn == drawn.round()).all()
    np.testing.assert_allclose(drawn.mean(axis=0), rows.counts, atol=0.3)
    np.testing.assert_allclose(drawn.var(axis=0), rows.counts * (1 - rows.counts / 40), rtol=0.2)
    np.testing.assert_allclose(rows.counts - left, np.eye(len(rows.counts)))
    assert rows.predictions.shares[:, 1].tolist() == sorted(rows.predictions.shares[:, 1], reverse=True)


def test_few_kinds_of_many_rows_are_drawn_by_their_counts() -> None:
    rows, drawn, _ = _drawn(_rows(3, 300), "answers")
    assert len(rows.counts) == 4
    assert (drawn.sum(axis=1) == 300).all()
    np.testing.assert_allclose(drawn.mean(axis=0), rows.counts, rtol=0.05)
    np.testing.assert_allclose(drawn.var(axis=0), rows.counts * (1 - rows.counts / 300), rtol=0.15)


def test_a_weight_of_a_sample_goes_with_its_row_and_a_count_is_so_many_rows() -> None:
    weights = np.linspace(0.5, 1.5, 20)
    rows, drawn, left = _drawn(replace(_rows(4, 20), weights=weights, weights_are="sampling"), "answers")
    assert len(rows.counts) == 20
    whole = np.sort(rows.predictions.weights)
    assert whole == pytest.approx(weights)
    times = drawn / rows.predictions.weights
    np.testing.assert_allclose(times, times.round(), atol=1e-12)
    assert (times.sum(axis=1).round() == 20).all()
    np.testing.assert_allclose(rows.predictions.weights - left, np.diag(rows.predictions.weights))
    counted, drawn, left = _drawn(
        replace(_rows(4, 20), weights=np.full(20, 3.0), weights_are="counts"), "answers"
    )
    assert counted.counts.sum() == 60
    assert (drawn.sum(axis=1) == 60).all()
    np.testing.assert_allclose(counted.counts - left, np.eye(len(left)))


def test_groups_are_drawn_and_left_out_as_wholes() -> None:
    units = np.repeat([7, 3, 9, 4], [1, 2, 3, 4])
    rows, drawn, left = _drawn(replace(_rows(5, 10), units=units), "answers")
    assert rows.units is not None
    sizes = np.bincount(rows.units, rows.counts)
    assert sizes.tolist() == [2, 4, 1, 3]  # in the order of their numbers
    times = drawn / rows.counts
    for group in range(4):
        assert np.ptp(times[:, rows.units == group], axis=1).max() == 0
    by_group = np.stack([times[:, rows.units == group][:, 0] for group in range(4)])
    assert (by_group.sum(axis=0) == 4).all()
    np.testing.assert_allclose(left, np.where(rows.units == np.arange(4)[:, None], 0, rows.counts))
    scored = score_intervals(("accuracy",), replace(_rows(5, 10), units=units), Stakes())["accuracy"]
    assert scored.by == "bootstrap of 4 groups"


def test_where_groups_all_agree_their_effective_number_tells() -> None:
    units = np.repeat([0, 1, 2], [2, 2, 4])
    right = replace(_rows(6, 8), units=units)
    right = replace(right, answers=right.truth)
    scored = score_intervals(("accuracy",), right, Stakes())["accuracy"]
    rows = 64 / (4 + 4 + 16)
    z = stats.norm.ppf(0.975) ** 2
    assert scored.by == "Wilson of the effective groups"
    assert scored.interval == pytest.approx((rows / (rows + z), 1.0))
    alone = score_intervals(("accuracy",), replace(right, units=np.zeros(8, dtype=int)), Stakes())["accuracy"]
    assert (alone.interval, alone.by) == (None, "one group does not tell")


def test_many_rows_are_left_out_in_four_hundred_blocks() -> None:
    random = np.random.default_rng(7)
    given = NumberPredictions(
        target="y",
        truth=random.normal(size=1_601),
        answers=random.normal(size=1_601),
        weights=np.ones(1_601),
        places=np.arange(1_601),
        part=np.zeros(1_601, dtype=np.int64),
    )
    _, drawn, left = _drawn(given, "numbers")
    assert len(drawn) == 2_000
    assert left.shape == (400, 1_601)
    assert sorted((1_601 - left.sum(axis=1)).astype(int)) == [4] * 399 + [5]
    assert ((left == 0).sum(axis=0) == 1).all()  # each row in one of them


# Rows of several models


def test_a_row_that_was_judged_often_counts_once() -> None:
    twice = replace(_rows(8, 6), places=np.array([0, 1, 2, 0, 1, 5]), weights=np.full(6, 2.0))
    assert counted_once(twice).weights.tolist() == [1, 1, 2, 1, 1, 2]
    once = _rows(8, 6)
    assert counted_once(once) is once
    assert rows_that_speak(twice, np.ones(6, dtype=bool)) == 12
    sampled = replace(twice, weights_are="sampling")
    assert rows_that_speak(sampled, np.ones(6, dtype=bool)) == pytest.approx(12**2 / (16 + 16 + 4 + 4))
    one, other = replace(once, costs=((0.0, 1.0), (2.0, 0.0))), replace(once, costs=((0.0, 1.0), (3.0, 0.0)))
    together = predictions_together([one, one])
    assert isinstance(together, ClassPredictions)
    assert (together.costs, len(together)) == (one.costs, 12)
    mixed = predictions_together([one, other])
    assert isinstance(mixed, ClassPredictions)
    assert mixed.costs == ()
    grouped = replace(once, units=np.arange(6))
    assert predictions_together([grouped, once]).units is None
    both = predictions_together([replace(grouped, left_out=2), replace(grouped, left_out=1)])
    assert both.units is not None
    assert both.units.tolist() == [*range(6), *range(6)]
    assert both.left_out == 3


def test_the_order_of_rows_follows_their_content() -> None:
    given = replace(_rows(9, 30), units=np.arange(30), left_out=3)
    turned = given.take(np.random.default_rng(0).permutation(30))
    first, second = in_own_order(given), in_own_order(replace(turned, left_out=3))
    assert isinstance(first, ClassPredictions)
    assert isinstance(second, ClassPredictions)
    assert first.shares.tolist() == second.shares.tolist()
    assert first.truth.tolist() == second.truth.tolist() == sorted(given.truth)
    assert (first.left_out, second.left_out) == (3, 3)
    one, other = judged_by_content(given.judged), judged_by_content(turned.judged)
    assert one.shares.tolist() == other.shares.tolist()
    assert one.units is not None
    assert one.shares.tolist() == given.shares[one.units].tolist()


def test_rows_that_cannot_be_judged_are_left_out_with_their_groups() -> None:
    given = replace(_rows(10, 6), units=np.arange(6), left_out=1)
    shares = given.shares.copy()
    shares[2] = 0
    judged = replace(given, truth=np.array([0, -2, 1, 1, 0, 1]), shares=shares).judged
    assert judged.left_out == 3
    assert judged.units is not None
    assert judged.units.tolist() == [0, 3, 4, 5]
    assert judged.times == 1
    assert replace(given, places=np.array([0, 0, 1, 1, 2, 2])).judged.times == 2
    weighed = Judged(given.shares, given.truth, np.array([1.0, 1, 1, 1, 1, 5]), 0, "sampling", 2.0)
    assert weighed.rows_of(weighed.weights) == pytest.approx(100 / 30 / 2)
    assert replace(weighed, weights_are="counts").rows_of(weighed.weights) == 10


def test_parts_that_can_tell_have_their_own_scores_as_terms() -> None:
    # Two parts of six rows with both classes: the terms are their scores, moved to the score of all.
    given = replace(
        _rows(11, 12),
        truth=np.array([0, 0, 0, 1, 1, 1] * 2),
        answers=np.array([0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1]),
        part=np.repeat([0, 1], 6),
    )
    over = score_over_parts("balanced_accuracy", given, Stakes())
    assert over.value == pytest.approx((5 / 6 + 4 / 6) / 2)
    assert over.scores == pytest.approx([5 / 6, 4 / 6])
    assert over.terms == pytest.approx([5 / 6, 4 / 6])
    f = score_over_parts("f_beta", given, Stakes("bad"))
    assert f.scores == pytest.approx([6 / 7, 2 / 4])
    assert f.value == pytest.approx(8 / 11)  # four hits, one false alarm, two missed
    assert f.terms == pytest.approx(f.scores + 8 / 11 - (6 / 7 + 1 / 2) / 2)
    assert f.standard_error() == pytest.approx(np.std([6 / 7, 1 / 2], ddof=1) / math.sqrt(2))
    # With four rows in a part it is the jackknife: of two parts, each is what the other lacks.
    small = f.value
    four = given.take(np.array([0, 1, 2, 3, 4, 5, 6, 7, 9, 10]))
    by_parts = score_over_parts("f_beta", four, Stakes("bad"))
    whole, without_first, without_second = 6 / 9, 0.0, 6 / 7
    assert by_parts.value == pytest.approx(whole) != pytest.approx(small)
    apart = (without_second - without_first) / 2
    assert by_parts.terms == pytest.approx([whole + apart, whole - apart])


# Small steps


def test_what_is_at_stake_is_checked() -> None:
    classes = ("good", "bad")
    check_stakes(Stakes("bad", {("bad", "good"): -5.0}, 0.5), classes)
    for wrong, sentence in (
        (Stakes("worse"), "worse"),
        (Stakes("bad", {("bad", "worse"): 1.0}), "worse"),
        (Stakes("bad", {("worse", "bad"): 1.0}), "worse"),
        (Stakes("bad", {("bad", "good"): math.nan}), "must be a number"),
        (Stakes("bad", {("bad", "good"): math.inf}), "must be a number"),
        (Stakes(beta=0.0), "above 0"),
        (Stakes(beta=-1.0), "above 0"),
        (Stakes(beta=math.inf), "above 0"),
    ):
        with pytest.raises(SettingError, match=sentence):
            check_stakes(wrong, classes)
    assert guessed_positive(("bad", "fraud"), np.array([1.0, 2.0])) == ("bad", "rarity")
    assert guessed_positive(("a", "b"), np.array([0.0, 2.0])) == ("a", "rarity")
    assert guessed_positive(("b", "a"), np.zeros(2)) == ("b", "rarity")
    assert guessed_positive(("x", "not x"), np.array([9.0, 2.0])) == ("x", "name")


def test_isotonic_steps_and_curves_of_one_class_keep_the_probabilities() -> None:
    share = np.array([0.2, 0.4, 0.4, 0.7])
    true = np.array([False, True, False, True])
    steps = isotonic_of(share[:, None], true[:, None], np.array([1.0, 3.0, 1.0, 1.0]))
    assert (steps.at, steps.share) == (((0.2, 0.4, 0.7),), ((0.0, 0.75, 1.0),))
    # A row without weight is none: without the first of 0.4 both of the class are 0.7.
    without = isotonic_of(share[:, None], true[:, None], np.array([1.0, 0.0, 1.0, 1.0]))
    assert (without.at, without.share) == (((0.2, 0.4, 0.7),), ((0.0, 0.0, 1.0),))
    alike = isotonic_of(share[:, None], np.ones((4, 1), dtype=bool), np.ones(4))
    assert (alike.at, alike.share) == (((0.0, 1.0),), ((0.0, 1.0),))
    kept = platt_of(share[:, None], np.ones((4, 1), dtype=bool), np.ones(4))
    assert (kept.slopes, kept.intercepts) == ((1.0,), (0.0,))
    assert kept.least == pytest.approx(1 / 6)
    constant = platt_of(np.full((4, 1), 0.4), true[:, None], np.ones(4))
    # Two of four: targets 3 ⁄ 4 and 1 ⁄ 4, whose mean is a half.
    assert constant.slopes == (0.0,)
    assert constant.intercepts[0] == pytest.approx(0, abs=1e-12)


def test_a_single_row_is_not_calibrated_across_folds() -> None:
    one = _rows(12, 1).judged
    assert cross_calibrated("platt", one) is one
    two = Judged(np.array([[0.2, 0.8], [0.7, 0.3]]), np.array([1, 0]), np.ones(2), 0)
    # Each is calibrated by the other alone, which is of one class: it keeps its probabilities.
    assert cross_calibrated("isotonic", two).shares == pytest.approx(two.shares)


def test_expected_costs_by_hand() -> None:
    confusion, costs = ((6.0, 2.0), (1.0, 11.0)), ((0.0, 5.0), (1.0, 0.0))
    cost = expected_cost(("bad", "good"), confusion, costs)
    assert cost is not None
    assert cost.per_row == pytest.approx(11 / 20)
    assert cost.constant == "bad"
    assert cost.constant_per_row == pytest.approx(12 / 20)
    fewer = expected_cost(("bad", "good"), confusion, costs, 5)
    assert fewer is not None
    assert fewer.interval[1] - fewer.interval[0] > cost.interval[1] - cost.interval[0]
    assert expected_cost(("bad", "good"), ((0.0, 0.0), (0.0, 0.0)), costs) is None
    # Where every row pays the same, nothing but what is not seen may change it.
    low, high = cost_intervals(np.array([0.0, 1.0]), np.array([[1.0], [0.0]]), 10)
    z = stats.norm.ppf(0.975) ** 2
    assert (low[0], high[0]) == pytest.approx((0, z / (10 + z)))
    low, high = cost_intervals(np.array([0.0, 1.0]), np.array([[0.7], [0.3]]), 20)
    centre, n = (0.3 + z / 40) / (1 + z / 20), 20
    reach = math.sqrt(z) / (1 + z / n) * math.sqrt(0.21 / n + z / (4 * n * n))
    assert (low[0], high[0]) == pytest.approx((centre - reach, centre + reach))


def test_mcnemar_of_equal_numbers_and_ranks_of_ties() -> None:
    assert (mcnemar(3, 3).p, mcnemar(0, 0).p, mcnemar(0, 0).mid_p) == (1, 1, 1)
    assert mcnemar(3, 3).mid_p == pytest.approx(1 - math.comb(6, 3) / 2**6 / 2)
    assert mcnemar(0, 4).p == pytest.approx(2 / 16)
    assert mcnemar(0, 4).mid_p == pytest.approx(1 / 16)
    assert midranks(np.array([2.0, 2.0, 1.0, 2.0 + 1e-15])).tolist() == [3, 3, 1, 3]
    assert midranks(np.array([-1.0, 0.0, 0.0, 1e-300])).tolist() == [1, 2.5, 2.5, 4]
    assert signed_ranks([1.0, -2.0, 0.0, 3.0]).above == pytest.approx(2 + 4 + 0.5)
    less = friedman(np.array([[1.0, 2, 3], [1.0, 3, 2]]), more_is_better=False)
    assert less.mean_ranks == (1, 2.5, 2.5)
    assert less.df == (2, 2)


def test_areas_of_weighted_rows_vary_as_their_pairs_do() -> None:
    random = np.random.default_rng(13)
    scores, own = random.integers(0, 6, (2, 14)) / 5, np.arange(14) < 6
    weights, units = random.uniform(0.5, 2, 14), np.array([0, 1, 2, 3, 3, 4, 5, 5, 6, 0, 1, 7, 8, 8])
    wins = (scores[:, own, None] > scores[:, None, ~own]) + 0.5 * (
        scores[:, own, None] == scores[:, None, ~own]
    )
    w, v = weights[own] / weights[own].sum(), weights[~own] / weights[~own].sum()
    above, below = wins @ v, np.einsum("kij,i->kj", wins, w)
    area = above @ w
    sampled = areas_under_curves(scores, own, weights, counts=False)
    assert sampled.areas == pytest.approx(area)

    def spread(placed: Floats, part: Floats) -> Floats:
        apart, rows = placed - area[:, None], 1 / (part**2).sum()
        return np.asarray((apart * part**2) @ apart.T * rows / (rows - 1))

    np.testing.assert_allclose(sampled.covariances, spread(above, w) + spread(below, v))
    grouped = areas_under_curves(scores, own, weights, units=units)
    first, second = (above - area[:, None]) * w, (below - area[:, None]) * v
    one = np.stack([first[:, units[own] == each].sum(axis=1) for each in range(9)], 1)
    other = np.stack([second[:, units[~own] == each].sum(axis=1) for each in range(9)], 1)
    m, n = len(set(units[own])), len(set(units[~own]))
    both = one @ other.T * 9 / 8
    np.testing.assert_allclose(
        grouped.covariances, one @ one.T * m / (m - 1) + other @ other.T * n / (n - 1) + both + both.T
    )
    assert grouped.difference(0, 1).df == 8
    assert "over 9 groups" in grouped.difference(0, 1).test
    assert np.isnan(areas_under_curves(scores, own, units=np.zeros(14, dtype=int)).covariances).all()


def test_the_area_of_a_class_that_is_named_is_delongs_and_that_of_all_pairs_is_drawn() -> None:
    random = np.random.default_rng(15)
    of_three = replace(
        _rows(15, 40),
        classes=("a", "b", "c"),
        truth=np.arange(40) % 3,
        shares=random.dirichlet([1, 1, 1], 40),
    )
    scored = score_intervals(("auc", "auc_hand_till"), of_three, Stakes("b"))
    assert scored["auc"].by == "DeLong"
    assert scored["auc_hand_till"].by.startswith("bootstrap")
    assert score_intervals(("auc",), of_three, Stakes())["auc"].by.startswith("bootstrap")
    assert score_intervals(("auc_hand_till",), _rows(16, 40), Stakes())["auc_hand_till"].by == "DeLong"


def test_where_no_row_was_answered_any_accuracy_is_possible() -> None:
    silent = replace(_rows(17, 6), answers=np.full(6, -1), units=np.arange(6) // 2)
    evaluation = silent.evaluation
    assert with_fitting_intervals(evaluation, silent) is evaluation
    assert math.isnan(evaluation.accuracy)
    assert evaluation.interval == (0, 1)
    assert replace(evaluation, effective=0.0).interval == (0, 1)
    one_group = replace(_rows(17, 6), units=np.zeros(6, dtype=int), costs=((0.0, 2.0), (3.0, 0.0)))
    fitting = with_fitting_intervals(one_group.evaluation, one_group)
    assert isinstance(fitting, ClassEvaluation)
    assert fitting.interval == (0, 1)
    assert fitting.interval_by == "groups"
    assert fitting.cost is not None
    assert fitting.cost.interval == (0, 3)


def test_more_than_ten_probabilities_are_ten_groups_of_as_many_rows() -> None:
    share = np.arange(1, 21) / 25
    truth = (np.arange(20) % 3 == 0).astype(np.int64)
    given = replace(_rows(18, 20), truth=truth, shares=np.column_stack([1 - share, share]))
    means, met = share.reshape(10, 2).mean(axis=1), truth.reshape(10, 2).mean(axis=1)
    reliability = float(((means - met) ** 2).mean())
    assert SCORES["brier_reliability"].value(given, Stakes()) == pytest.approx(reliability)


def test_rows_of_a_class_that_is_not_known_are_wrong_whatever_is_predicted() -> None:
    given = replace(
        _rows(19, 6),
        classes=("a", "b", "c"),
        truth=np.array([0, 0, 1, -2, -2, 2]),
        answers=np.array([0, 1, 1, 0, 1, 2]),
    )
    # Predicted a: one right, one unknown; b: one right, one of a, one unknown; c: one right.
    value = {name: SCORES[name].value(given, Stakes()) for name in ("accuracy", "precision", "f_beta")}
    assert value["accuracy"] == pytest.approx(3 / 6)
    assert value["precision"] == pytest.approx((1 / 2 + 1 / 3 + 1) / 3)
    assert value["f_beta"] == pytest.approx((2 / 4 + 2 / 4 + 1) / 3)


def test_a_cutoff_lies_between_the_two_probabilities_and_is_neither() -> None:
    low, high = np.array([0.3, 0.25, 0.3, 0.1, 0.5]), np.array([0.35, 0.3, 0.4, 0.9, 0.5000000000000001])
    at = shortest_between(low, high)
    assert at[:4].tolist() == [0.32, 0.28, 0.35, 0.5]
    assert at[4] == high[4]  # nothing lies between


def test_an_area_of_half_reaches_as_far_to_both_sides() -> None:
    shares, own = np.array([0.1, 0.2, 0.2, 0.1]), np.array([True, True, False, False])
    low, high = auc_interval(shares, own, np.ones(4)) or (0.0, 0.0)
    # Each variance is that of 1 ⁄ 4 and 3 ⁄ 4 about a half, over two rows: 1 ⁄ 16 each.
    reach = stats.norm.ppf(0.975) * math.sqrt(1 / 8) / 0.25
    assert (low, high) == pytest.approx((1 / (1 + math.exp(reach)), 1 / (1 + math.exp(-reach))))
    apart = auc_interval(np.array([0.1, 0.1, 0.9]), np.array([True, True, False]), np.ones(3))
    assert apart is None
    worst = auc_interval(np.array([0.1, 0.1, 0.9, 0.8, 0.9]), np.arange(5) < 2, np.ones(5))
    z = stats.norm.ppf(0.975) ** 2
    assert worst == pytest.approx((0, z / (2 + z)))


def test_every_score_of_rows_without_weight_is_unknown_and_divides_by_nothing() -> None:
    given = replace(_rows(14, 8), weights=np.zeros(8))
    with np.errstate(divide="raise", invalid="raise"):
        for name in (
            "accuracy",
            "balanced_accuracy",
            "recall",
            "precision",
            "f_beta",
            "mcc",
            "kappa",
            "cost",
        ):
            scored = SCORES[name].statistic(given, Stakes("bad"))
            assert math.isnan(float(scored.of(given.weights[None])[0])), name
            assert scored.why, name
