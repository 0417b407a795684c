"""Rows of one group are not so many rows: intervals and tests count the groups of a design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.measures.inference import wilson
from clearwood.scoring import Stakes
from clearwood.scoring.by_group import NamedGroups, rates_by_group
from clearwood.scoring.calibration import calibration_of
from clearwood.scoring.clustered_rows import rows_as_changed, rows_as_taken, rows_in_groups
from clearwood.scoring.coverage import coverage_of
from clearwood.scoring.cutoffs import cutoffs_of
from clearwood.scoring.differences.paired import paired_mean_of_groups
from clearwood.scoring.differences.same_rows import areas_under_curves
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.scoring.intervals import score_intervals
from clearwood.scoring.predictions import ClassPredictions, predictions_together
from clearwood.study.designs import Design
from clearwood.study.scores import phrase
from clearwood.study.study import study_of, study_scores
from clearwood.table.table import Table


def customers(seed: int, groups: int = 40, rows: int = 10) -> Table:
    """Rows that are nearly the same within a customer; x and z tell nothing of y."""
    chance = np.random.default_rng(seed)
    who = np.repeat(np.arange(groups), rows)
    x, z = chance.normal(size=(2, groups))[:, who]
    y = chance.random(groups)[who] < 0.5
    return cw.read_table(
        {"x": x, "z": z, "g": [f"k{k}" for k in who], "y": np.where(y, "yes", "no")},
        target="y",
        kinds={"g": "nominal"},
    )


def judged(chance: np.random.Generator, groups: int = 40, rows: int = 10) -> ClassPredictions:
    """Seven in ten groups are right, with all of their rows."""
    units = np.repeat(np.arange(groups), rows)
    truth = (chance.random(groups) < 0.5)[units].astype(np.int64)
    answers = np.where((chance.random(groups) < 0.7)[units], truth, 1 - truth)
    share = np.clip(0.2 + 0.6 * answers + 0.1 * chance.normal(size=groups)[units], 0.0, 1.0)
    return ClassPredictions(
        classes=("no", "yes"),
        truth=truth,
        answers=answers,
        shares=np.column_stack([1 - share, share]),
        weights=np.ones(len(units)),
        places=np.arange(len(units)),
        part=np.zeros(len(units), dtype=np.int64),
        units=units,
    )


def test_intervals_of_groups_cover_as_often_as_they_say() -> None:
    chance = np.random.default_rng(1)
    hits, by_rows, runs = 0, 0, 120
    for _ in range(runs):
        rows = judged(chance)
        scored = score_intervals(("accuracy",), rows, Stakes("yes"))["accuracy"]
        assert scored.by == "bootstrap of 40 groups"
        assert scored.interval is not None
        hits += scored.interval[0] <= 0.7 <= scored.interval[1]
        low, high = wilson(scored.value * 400, 400)
        by_rows += bool(low <= 0.7 <= high)
    assert hits >= 0.88 * runs
    assert by_rows < 0.6 * runs


def test_no_score_of_groups_has_a_formula_of_rows() -> None:
    rows = judged(np.random.default_rng(2))
    stakes = Stakes("yes", {("yes", "no"): 5.0})
    names = ("accuracy", "recall", "precision", "auc", "cost", "brier", "log_loss")
    by_groups = score_intervals(names, rows, stakes)
    by_rows = score_intervals(names, replace(rows, units=None), stakes)
    for name in names:
        assert by_groups[name].by == "bootstrap of 40 groups"
        one, other = by_groups[name].interval, by_rows[name].interval
        assert one is not None
        assert other is not None
        assert one[1] - one[0] > 2 * (other[1] - other[0])  # some √10 times as wide


def test_groups_that_are_all_right_are_counted_as_groups() -> None:
    rows = judged(np.random.default_rng(3))
    right = score_intervals(("accuracy",), replace(rows, answers=rows.truth), Stakes("yes"))["accuracy"]
    assert right.interval == pytest.approx([float(end) for end in wilson(40, 40)])
    alone = rows.take(np.asarray(rows.units == 0))
    single = score_intervals(("accuracy",), alone, Stakes("yes"))["accuracy"]
    assert (single.interval, single.by) == (None, "one group does not tell")


def test_units_stay_with_their_rows() -> None:
    rows = judged(np.random.default_rng(4))
    some = rows.take(np.array([399, 0, 15]))
    assert some.units is not None
    assert some.units.tolist() == [39, 0, 1]
    both = predictions_together([some, rows.take(np.array([20]))])
    assert both.units is not None
    assert both.units.tolist() == [39, 0, 1, 2]
    assert predictions_together([some, replace(some, units=None)]).units is None


@pytest.mark.parametrize(
    "design", [cw.HoldOut(0.4, group="g"), cw.Folds(5, group="g"), cw.LeaveOneOut("g")], ids=str
)
def test_every_design_of_groups_says_which_rows_belong_together(design: Design) -> None:
    table = customers(1)
    study = study_of(cw.CART(max_depth=2), table, design)
    predictions = study.predictions
    validation = cw.cross_validate(cw.CART(max_depth=2), table, design=design).predictions
    chosen = cw.choose(table, [cw.CART(max_depth=2), cw.NaiveBayes()], design=design).judged[0].predictions
    assert chosen is not None
    for each in (predictions, validation, chosen):
        assert each.units is not None
        who = each.places // 10
        assert len(np.unique(each.units)) == len(np.unique(who)) == len({*zip(each.units, who, strict=True)})
    scores = study_scores(study)
    assert scores is not None
    assert predictions.units is not None
    groups = len(np.unique(predictions.units))
    parts = len(np.unique(predictions.part))
    assert scores["accuracy"].by == (
        f"bootstrap of {groups} groups" if parts == 1 else f"Nadeau–Bengio over {parts} parts"
    )
    # What is printed is the same interval, not Wilson's of the rows.
    assert isinstance(study.judged, ClassEvaluation)
    assert study.judged.interval == pytest.approx(scores["accuracy"].interval)
    low, high = study.judged.interval
    by = "groups" if parts == 1 else scores["accuracy"].by
    assert f"95 % interval {100 * low:.1f} to {100 * high:.1f} %, by {by})" in phrase(study.judged)
    rows = study.judged.weight
    assert high - low > 1.8 * float(np.subtract(*wilson(study.judged.right, rows)[::-1]))


def test_bootstrap_samples_of_groups_say_which_rows_belong_together() -> None:
    judged = cw.cross_validate(cw.CART(max_depth=1), customers(1), design=cw.Bootstrap(5, group="g"))
    units = judged.predictions.units
    assert units is not None
    assert len(np.unique(units)) == len(np.unique(judged.predictions.places // 10))


def test_the_cost_of_groups_has_their_interval() -> None:
    learner = cw.CART(max_depth=1, costs={("yes", "no"): 5.0})
    study = study_of(learner, customers(2), cw.HoldOut(0.4, group="g"))
    scores = study_scores(study)
    assert scores is not None
    assert isinstance(study.judged, ClassEvaluation)
    assert study.judged.cost is not None
    assert study.judged.cost.interval == pytest.approx(scores["cost"].interval)
    assert scores["cost"].by.startswith("bootstrap of")


def test_learners_on_held_out_groups_are_not_told_apart_by_luck() -> None:
    learners = {"deep": cw.CART(max_depth=3), "stump": cw.CART(max_depth=1)}
    rejected, runs = 0, 25
    for seed in range(runs):
        compared = cw.compare_learners(learners, customers(seed), cw.HoldOut(0.4, seed, group="g"))
        (each,) = compared.differences
        assert each.test.startswith("paired t-test over ")
        assert each.mcnemar is None
        rejected += each.p <= 0.05
    assert rejected <= 5


def test_the_spread_of_groups_is_that_of_their_means_where_they_are_of_one_size() -> None:
    chance = np.random.default_rng(7)
    units = np.repeat(np.arange(12), 5)
    first, second = chance.normal(size=(2, 60)) + chance.normal(size=(2, 12))[:, units]
    tested = paired_mean_of_groups(first, second, np.ones(60), units)
    means = (first - second).reshape(12, 5).mean(axis=1)
    assert tested.mean == pytest.approx(means.mean())
    assert tested.standard_error == pytest.approx(means.std(ddof=1) / np.sqrt(12))
    assert tested.df == 11


def test_what_has_no_test_on_held_out_groups_asks_for_folds_of_groups() -> None:
    with pytest.raises(SettingError, match=r"no test by groups\. Take folds of groups"):
        cw.compare_learners(
            [cw.CART(), cw.NaiveBayes()], customers(1), cw.HoldOut(0.4, group="g"), score="log_loss"
        )


def test_the_areas_of_held_out_groups_are_compared_over_the_groups() -> None:
    compared = cw.compare_learners(
        [cw.CART(max_depth=3), cw.NaiveBayes()], customers(1), cw.HoldOut(0.4, group="g"), score="auc"
    )
    assert compared.differences[0].test.startswith("DeLong's test over ")
    assert compared.differences[0].test.endswith(" groups")


def test_the_covariance_of_areas_of_groups_is_obuchowskis() -> None:
    chance = np.random.default_rng(9)
    units, own = chance.integers(0, 8, 40), chance.random(40) < 0.4
    scores = chance.normal(size=(2, 40)).round(1) + own
    areas = areas_under_curves(scores, own, units=units)
    names = np.unique(units)

    def parts(r: int) -> tuple[list[float], list[float], float]:
        """The structural components of one ranking, less the area, summed by group."""
        x, y = scores[r][own], scores[r][~own]
        wins = (x[:, None] > y) + (x[:, None] == y) / 2
        area, of_own, of_other = float(wins.mean()), units[own], units[~own]
        ups = [float((wins.mean(axis=1)[of_own == name] - area).sum()) for name in names]
        downs = [float((wins.mean(axis=0)[of_other == name] - area).sum()) for name in names]
        return ups, downs, area

    m, n = own.sum(), (~own).sum()
    k, j, i = len(np.unique(units[own])), len(np.unique(units[~own])), len(names)
    for r in range(2):
        for s in range(2):
            (up, down, area), (other_up, other_down, _) = parts(r), parts(s)
            assert areas.areas[r] == pytest.approx(area)
            first = k / (k - 1) / m**2 * np.dot(up, other_up)
            second = j / (j - 1) / n**2 * np.dot(down, other_down)
            cross = i / (i - 1) / (m * n) * (np.dot(up, other_down) + np.dot(down, other_up))
            assert areas.covariances[r, s] == pytest.approx(first + second + cross)
    alone = areas_under_curves(scores, own, units=np.arange(40))
    assert alone.covariances == pytest.approx(areas_under_curves(scores, own).covariances)
    assert np.isnan(areas_under_curves(scores, own, units=np.where(own, 0, units)).covariances).all()


@pytest.mark.long
@pytest.mark.parametrize(("groups", "rows"), [(40, 10), (80, 5)])
def test_two_rankings_of_groups_that_are_alike_are_told_apart_one_time_in_twenty(
    groups: int, rows: int
) -> None:
    chance, shown, by_rows, runs = np.random.default_rng(0), 0, 0, 2_000
    units = np.repeat(np.arange(groups), rows)
    for _ in range(runs):
        own = (chance.random(groups) < 0.5)[units] ^ (chance.random(len(units)) < 0.1)
        shared = chance.normal(size=(2, groups))[:, units] + 0.5 * chance.normal(size=(2, len(units)))
        scores = shared + 0.8 * own
        shown += areas_under_curves(scores, own, units=units).difference(0, 1).p <= 0.05
        by_rows += areas_under_curves(scores, own).difference(0, 1).p <= 0.05
    assert 0.03 <= shown / runs <= 0.07
    assert by_rows / runs > 0.2


def test_a_rate_of_groups_is_worth_as_many_rows_however_they_are_counted() -> None:
    chance = np.random.default_rng(8)
    units, weights = chance.integers(0, 9, 60), chance.random(60) + 0.5
    hits, first, then = (
        chance.random(60) < 0.4,
        chance.choice([0.0, 1, 5], 60),
        chance.choice([0.0, 1, 5], 60),
    )
    taken, changed = rows_as_taken(weights, hits, units), rows_as_changed(weights, first, then, units)
    for k in (1, 7, 30, 60):
        alone = rows_in_groups(weights[:k], hits[:k].astype(float), units[:k])
        assert taken[k - 1] == pytest.approx(alone)
        values = np.where(np.arange(60) < k, then, first)
        assert changed[k] == pytest.approx(rows_in_groups(weights, values, units))
    assert rows_in_groups(np.ones(40), np.ones(40), np.repeat(np.arange(8), 5)) == pytest.approx(8)


def test_cutoffs_coverage_calibration_and_rates_of_groups_have_wider_intervals() -> None:
    rows = judged(np.random.default_rng(2))
    alone = replace(rows, units=None)

    def width(ends: Sequence[float]) -> float:
        return ends[1] - ends[0]

    costs = ((0.0, 1.0), (5.0, 0.0))
    tables = [cutoffs_of(each.classes, each.judged, "yes", costs=costs) for each in (rows, alone)]
    assert "intervals by groups of rows" in str(tables[0])
    for grouped, single in zip(*(each.lines() for each in tables), strict=True):
        if 0.2 < single["recall"] < 0.8:
            for name in ("recall_interval", "precision_interval", "cost_interval"):
                assert width(grouped[name]) > 1.8 * width(single[name])
    best = rows.shares.max(axis=1)
    curves = [
        coverage_of(rows.truth, rows.answers, best, rows.weights, units=units) for units in (rows.units, None)
    ]
    low, high = curves[0].interval
    assert high[0] - low[0] > 2 * width([end[0] for end in curves[1].interval])
    bins = [calibration_of(each.classes, each.judged, 4) for each in (rows, alone)]
    for grouped_bin, single_bin in zip(*(each.reliability["yes"] for each in bins), strict=True):
        if 0.2 < single_bin.observed < 0.8:
            assert width(grouped_bin.interval) > 2 * width(single_bin.interval)
    halves = NamedGroups("half", ("a", "b"), rows.places % 2)
    by_rows, by_groups = rates_by_group(alone, halves, "yes"), rates_by_group(rows, halves, "yes")
    assert "intervals are by their groups" in str(by_groups)
    assert by_groups.groups[0].rates["accuracy"].value == by_rows.groups[0].rates["accuracy"].value
    spans = [width(each.groups[0].rates["accuracy"].interval) for each in (by_groups, by_rows)]
    assert spans[0] > 1.8 * spans[1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("groups", "rows", "alike"), [(40, 10, 1.0), (40, 10, 0.3), (100, 3, 0.5), (20, 10, 0.3)]
)
@pytest.mark.parametrize("rate", [0.5, 0.7])
def test_wilsons_interval_of_the_rows_that_groups_are_worth_holds_the_rate(
    groups: int, rows: int, alike: float, rate: float
) -> None:
    chance, hits, runs = np.random.default_rng(0), 0, 3_000
    units = np.repeat(np.arange(groups), rows)
    for _ in range(runs):
        of_group = (chance.random(groups) < rate)[units]
        own = chance.random(len(units)) < rate
        right = np.where(chance.random(len(units)) < np.sqrt(alike), of_group, own)
        worth = rows_in_groups(np.ones(len(units)), right.astype(float), units)
        low, high = wilson(right.mean() * worth, worth)
        hits += bool(low <= rate <= high)
    assert 0.93 <= hits / runs <= 0.97
