"""Intervals: each by the way that fits, repeatable by its seed, and right as often as it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.measures.inference import wilson
from clearwood.scoring import SCORES, Stakes
from clearwood.scoring.differences.paired import corrected_resampled_t
from clearwood.scoring.intervals import auc_interval, score_intervals
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, predictions_of
from clearwood.scoring.resampling import bca, distinct_rows
from clearwood.table.schema import effective_rows, in_rows

BAD = Stakes("bad", {("bad", "good"): 5.0})


def judged_rows(rows: int, seed: int, *, leaves: bool = False) -> ClassPredictions:
    """Rows of a known truth: the log odds of bad are 1.5 x − 1, and a model takes them for 1.2 x − 0.8."""
    chance = np.random.default_rng(seed)
    x = chance.normal(size=rows)
    truth = (chance.random(rows) < 1 / (1 + np.exp(1 - 1.5 * x))).astype(np.int64)
    share = 1 / (1 + np.exp(0.8 - 1.2 * x))
    if leaves:
        share = 0.15 * np.digitize(share, [0.1, 0.2, 0.35, 0.5, 0.7]).astype(np.float64) + 0.08
    return ClassPredictions(
        classes=("good", "bad"),
        truth=truth,
        answers=(share >= 0.5).astype(np.int64),
        shares=np.column_stack([1 - share, share]),
        weights=np.ones(rows),
        places=np.arange(rows),
        part=np.zeros(rows, dtype=np.int64),
    )


def judged_numbers(rows: int, seed: int) -> NumberPredictions:
    chance = np.random.default_rng(seed)
    x = chance.normal(size=rows)
    return NumberPredictions(
        target="y",
        truth=2 * x + 1.5 * chance.normal(size=rows),
        answers=1.8 * x + 0.1,
        weights=np.ones(rows),
        places=np.arange(rows),
        part=np.zeros(rows, dtype=np.int64),
    )


def test_parts_of_rows_have_wilsons_interval() -> None:
    rows = judged_rows(200, 0)
    scored = score_intervals(("accuracy", "recall", "precision"), rows, BAD)
    own, called = rows.truth == 1, rows.answers == 1
    hits = (own & called).sum()
    for name, some, whole in (
        ("accuracy", (rows.truth == rows.answers).sum(), 200),
        ("recall", hits, own.sum()),
        ("precision", hits, called.sum()),
    ):
        assert scored[name].interval == pytest.approx(tuple(map(float, wilson(some, whole))))
        assert scored[name].by == "Wilson"


def test_an_auc_has_the_variance_of_every_pair_of_rows() -> None:
    rows = judged_rows(60, 1, leaves=True)
    share, own = rows.shares[:, 1], rows.truth == 1
    wins = (share[own][:, None] > share[~own]) + 0.5 * (share[own][:, None] == share[~own])
    area = wins.mean()
    variance = wins.mean(axis=1).var(ddof=1) / own.sum() + wins.mean(axis=0).var(ddof=1) / (~own).sum()
    reach = 1.959963984540054 * np.sqrt(variance) / (area * (1 - area))
    ends = 1 / (1 + np.exp(-(np.log(area / (1 - area)) + np.array([-reach, reach]))))
    assert score_intervals(("auc",), rows, BAD)["auc"].interval == pytest.approx(tuple(ends))


def test_an_auc_of_one_is_not_certain_and_one_row_of_a_class_tells_nothing() -> None:
    own = np.array([True] * 4 + [False] * 9)
    low, high = auc_interval(own.astype(float), own, np.ones(13)) or (0.0, 0.0)
    assert high == 1.0
    assert 0.3 < low < 0.8
    assert auc_interval(np.arange(5.0), np.array([True] + [False] * 4), np.ones(5)) is None


def test_counts_are_equal_rows() -> None:
    rows = judged_rows(80, 2, leaves=True)
    twice = replace(rows, weights=np.full(80, 2.0), weights_are="counts")
    written_out = rows.take(np.repeat(np.arange(80), 2))
    written_out = replace(written_out, places=np.arange(160))
    names = ("accuracy", "auc", "mcc", "log_loss")
    by_weight, by_rows = (score_intervals(names, each, BAD) for each in (twice, written_out))
    for name in names:
        assert by_weight[name].value == pytest.approx(by_rows[name].value)
        assert by_weight[name].interval == pytest.approx(by_rows[name].interval)


def test_sampling_weights_widen_every_interval() -> None:
    rows = judged_rows(200, 3)
    uneven = in_rows(np.where(np.arange(200) % 10, 1.0, 30.0), "sampling")
    sampled = replace(rows, weights=uneven, weights_are="sampling")
    assert effective_rows(uneven) < 40
    names = ("accuracy", "auc", "brier")
    plain, weighed = score_intervals(names, rows, BAD), score_intervals(names, sampled, BAD)
    for name in names:
        narrow, wide = plain[name].interval, weighed[name].interval
        assert narrow is not None
        assert wide is not None
        assert wide[1] - wide[0] > 1.5 * (narrow[1] - narrow[0])
        assert weighed[name].by.startswith("bootstrap")


def test_where_all_resamples_agree_the_effective_rows_tell() -> None:
    rows = judged_rows(30, 4)
    weights = in_rows(np.linspace(1, 3, 30), "sampling")
    right = replace(rows, answers=rows.truth, weights=weights, weights_are="sampling")
    scored = score_intervals(("accuracy", "mcc"), right, BAD)
    low, _ = wilson(effective_rows(weights), effective_rows(weights))
    assert scored["accuracy"].interval == pytest.approx((float(low), 1.0))
    assert scored["mcc"].interval is None


def test_repeats_are_no_more_rows() -> None:
    rows = judged_rows(100, 5)
    places = np.concatenate([np.random.default_rng(seed).permutation(100) for seed in range(3)])
    repeated = replace(rows.take(places), part=np.arange(300) // 20)
    scored = score_intervals(("accuracy",), repeated, BAD)["accuracy"]
    folds = [(repeated.truth == repeated.answers)[repeated.part == part].mean() for part in range(15)]
    assert scored.value == pytest.approx(np.mean(folds))
    assert scored.interval == pytest.approx(corrected_resampled_t(folds, 20 / 80).interval)
    right = score_intervals(("accuracy",), replace(repeated, answers=repeated.truth), BAD)["accuracy"]
    # Parts that are all right have no spread: their rows are as few as the correction makes them.
    fewer = 20 / (1 / 15 + 20 / 80)
    assert right.value == 1.0
    assert right.interval == pytest.approx(tuple(map(float, wilson(fewer, fewer))))


def test_the_same_seed_draws_the_same_rows() -> None:
    rows = judged_rows(150, 6)
    first, again, other = (score_intervals(("mcc", "ks"), rows, BAD, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_equal_rows_are_drawn_together() -> None:
    rows = judged_rows(500, 7, leaves=True)
    assert len(distinct_rows(rows, "answers").counts) == 4
    assert len(distinct_rows(rows, "shares").counts) <= 12
    assert distinct_rows(rows, "shares").counts.sum() == 500


def test_bca_of_a_symmetric_statistic_is_the_percentile_interval() -> None:
    drawn = np.linspace(-1, 1, 2001)
    assert bca(0.0, drawn, np.array([-1.0, 0.0, 1.0])) == pytest.approx((-0.95, 0.95), abs=1e-3)
    assert bca(0.0, np.zeros(100), np.zeros(3)) is None


@pytest.mark.parametrize(
    ("truth", "answers", "name", "why"),
    [
        ([0, 0, 0], [0, 0, 0], "recall", "no predicted row is bad"),
        ([0, 1, 0], [0, 0, 0], "precision", "no row was predicted as bad"),
        ([0, 0, 0], [0, 1, 0], "auc", "no row whose probabilities can be evaluated is bad"),
        ([0, 0, 0], [0, 0, 0], "mcc", "all predicted rows are of one class"),
        ([0, 1, 1], [-1, -1, -1], "accuracy", "no row was predicted"),
    ],
)
def test_what_the_rows_cannot_tell_is_nan_with_the_reason(
    truth: list[int], answers: list[int], name: str, why: str
) -> None:
    rows = judged_rows(3, 8)
    rows = replace(rows, truth=np.array(truth), answers=np.array(answers))
    scored = score_intervals((name,), rows, BAD)[name]
    assert np.isnan(scored.value)
    assert scored.why == why
    assert scored.interval is None


def test_a_constant_share_and_one_that_separates_have_no_calibration_slope() -> None:
    rows = judged_rows(40, 9)
    constant = replace(rows, shares=np.full((40, 2), 0.5))
    assert "the same probability" in SCORES["calibration_slope"].statistic(constant, BAD).why
    parted = np.where(rows.truth == 1, 0.9, 0.1)
    separated = replace(rows, shares=np.column_stack([1 - parted, parted]))
    assert "separate" in SCORES["calibration_slope"].statistic(separated, BAD).why


def test_shares_of_0_and_1_that_separate_have_no_slope_either() -> None:
    """Newton's steps grow smaller there without end: where they stop says nothing."""
    rows = judged_rows(40, 9)
    certain = np.eye(2)[rows.truth]
    for shares in (certain, 1 - certain):
        scored = score_intervals(("calibration_slope",), replace(rows, shares=shares), BAD)
        assert np.isnan(scored["calibration_slope"].value)
        assert "separate" in scored["calibration_slope"].why


OF_CLASSES = tuple(
    name
    for name, entry in SCORES.items()
    if entry.of != "numbers" and entry.interval != "none" and name not in ("auc_hand_till", "profit", "gains")
)


@pytest.mark.long
@pytest.mark.parametrize("leaves", [False, True])
def test_intervals_of_200_rows_hold_the_truth_as_often_as_they_say(leaves: bool) -> None:
    whole = judged_rows(400_000, 10**6, leaves=leaves)
    truth = {name: SCORES[name].value(whole, BAD) for name in OF_CLASSES}
    _check_coverage(truth, lambda seed: judged_rows(200, seed, leaves=leaves), BAD, 600)


@pytest.mark.long
def test_intervals_of_200_numbers_hold_the_truth_as_often_as_they_say() -> None:
    whole = judged_numbers(400_000, 10**6)
    truth = {name: SCORES[name].value(whole, Stakes()) for name in ("rmse", "mae", "r2", "pinball")}
    _check_coverage(truth, lambda seed: judged_numbers(200, seed), Stakes(), 1_000)


def _check_coverage(truth: dict[str, float], draw: object, stakes: Stakes, times: int) -> None:
    assert callable(draw)
    held = dict.fromkeys(truth, 0)
    for seed in range(times):
        for name, scored in score_intervals(tuple(truth), draw(seed), stakes).items():
            assert scored.interval is not None, name
            held[name] += scored.interval[0] <= truth[name] <= scored.interval[1]
    chance = 2 * np.sqrt(0.05 * 0.95 / times)  # how far so many draws may be from the part that they tell
    for name, count in held.items():
        assert 0.93 - chance <= count / times <= 0.97 + chance, f"{name}: {count / times}"


def test_more_rounds_of_folds_do_not_make_a_score_look_less_sure() -> None:
    # One ruler for one round and for many: the correction is the same, and more parts vary less.
    rows = judged_rows(400, 7)
    widths = []
    for repeats in (1, 3):
        places = np.concatenate([np.random.default_rng(seed).permutation(400) for seed in range(repeats)])
        folds = replace(rows.take(places), part=np.arange(400 * repeats) // 40)
        scored = score_intervals(("accuracy", "auc", "log_loss", "brier"), folds, BAD)
        assert {each.by for each in scored.values()} == {f"Nadeau–Bengio over {10 * repeats} parts"}
        widths.append([each.interval[1] - each.interval[0] for each in scored.values() if each.interval])
    assert np.mean(widths[1]) < np.mean(widths[0])
    one_round = replace(rows, part=np.arange(400) // 40)
    folds_auc = [SCORES["auc"].value(one_round.take(one_round.part == part), BAD) for part in range(10)]
    auc = score_intervals(("auc",), one_round, BAD)["auc"]
    assert auc.interval == pytest.approx(corrected_resampled_t(folds_auc, 1 / 9).interval)


@pytest.mark.long
@pytest.mark.parametrize("learner", [cw.NaiveBayes(), cw.CART(max_depth=3)], ids=["bayes", "cart"])
@pytest.mark.parametrize("rows", [100, 400])
def test_intervals_over_folds_hold_the_true_score_as_often_as_they_say(learner: cw.CART, rows: int) -> None:
    names, chance = ("accuracy", "auc"), np.random.default_rng(1)
    bad = Stakes("bad")

    def drawn(count: int) -> cw.Table:
        x = chance.normal(size=(count, 4))
        odds = -0.7 + x @ np.array([1.0, 0.7, -0.5, 0.0])
        classes = np.where(chance.random(count) < 1 / (1 + np.exp(-odds)), "bad", "good")
        return cw.read_table({**{f"x{i}": x[:, i] for i in range(4)}, "y": classes}, target="y")

    others, true = drawn(20_000), []
    held: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for run in range(200):
        table = drawn(rows)
        given = predictions_of(learner.learn(table), others)
        true.append([SCORES[name].value(given, bad) for name in names])
        for repeats in (1, 3):
            folds = cw.cross_validate(learner, table, design=cw.Folds(10, run, repeats=repeats))
            for name, scored in score_intervals(names, folds.predictions, bad).items():
                assert scored.interval is not None
                held.setdefault((repeats, name), []).append(scored.interval)
    for (repeats, name), intervals in held.items():
        expected = float(np.mean(true, axis=0)[names.index(name)])
        low, high = np.array(intervals).T
        covered = ((low <= expected) & (expected <= high)).mean()
        # Wilson's of the same rows, uncorrected, hold in 85 to 95 of 100.
        assert covered >= (0.91 if repeats == 1 else 0.87), (repeats, name, covered)
    assert np.ptp(held[3, "accuracy"], axis=1).mean() < np.ptp(held[1, "accuracy"], axis=1).mean()
