"""Rows of one group are not so many rows: intervals and tests count the groups of a design."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.measures.wilson import wilson
from clearwood.scoring.differences.paired_mean import paired_mean_of_groups
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.scoring.intervals import score_intervals
from clearwood.scoring.predictions import ClassPredictions, predictions_together
from clearwood.scoring.score import Stakes
from clearwood.study.designs import Design
from clearwood.study.judging import study_of
from clearwood.study.scores import phrase
from clearwood.study.study_scores import study_scores
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
    assert scores["accuracy"].by == f"bootstrap of {groups} groups"
    # What is printed is the same interval, not Wilson's of the rows.
    assert isinstance(study.judged, ClassEvaluation)
    assert study.judged.interval == pytest.approx(scores["accuracy"].interval)
    low, high = study.judged.interval
    assert f"95 % interval by groups {100 * low:.1f} to {100 * high:.1f} %" in phrase(study.judged)
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


def test_an_area_of_held_out_groups_asks_for_folds_of_groups() -> None:
    with pytest.raises(SettingError, match=r"no test by groups\. Take folds of groups"):
        cw.compare_learners(
            [cw.CART(), cw.NaiveBayes()], customers(1), cw.HoldOut(0.4, group="g"), score="auc"
        )
