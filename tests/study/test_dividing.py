"""Designs divide rows: each row judges as often as it should, groups stay whole, time runs forward."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodError
from clearwood.scoring.differences.paired import corrected_resampled_t
from clearwood.scoring.evaluation import ClassEvaluation, NumberEvaluation
from clearwood.scoring.predictions import NumberPredictions
from clearwood.study.designs import Design
from clearwood.study.dividing import parts_by_design
from clearwood.study.study import positive_phrase, short_scores, study_of


def rows(count: int = 60) -> cw.Table:
    chance = np.random.default_rng(5)
    return cw.read_table(
        {
            "x": chance.normal(size=count),
            "who": [f"c{k}" for k in chance.integers(0, 13, count)],
            "day": chance.integers(0, 20, count).astype(float),
            "y": chance.choice(["no", "yes"], size=count, p=[0.7, 0.3]),
        },
        target="y",
        kinds={"who": "nominal", "day": "numeric"},
    )


def numbers(count: int = 53) -> cw.Table:
    chance = np.random.default_rng(6)
    return cw.read_table({"x": chance.normal(size=count), "y": chance.exponential(size=count)}, target="y")


DESIGNS: list[Design] = [
    cw.Folds(5, repeats=3),
    cw.Folds(4, group="who"),
    cw.Folds(4, stratified=False),
    cw.LeaveOneOut(),
    cw.LeaveOneOut("who"),
    cw.GivenFolds("who"),
    cw.HoldOut(0.3, group="who"),
]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_no_row_judges_what_it_taught_and_each_judges_once_in_every_repeat(design: Design) -> None:
    table = rows()
    parts = parts_by_design(design, table)
    for part in parts:
        assert sorted([*part.learn.tolist(), *part.judge.tolist()]) == list(range(60))
    if not isinstance(design, cw.HoldOut):
        for repeat in {part.repeat for part in parts}:
            judged = np.concatenate([part.judge for part in parts if part.repeat == repeat])
            assert sorted(judged.tolist()) == list(range(60))


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_the_same_seed_divides_alike_and_another_does_not(design: Design) -> None:
    table = rows()
    first, again = parts_by_design(design, table), parts_by_design(design, table)
    assert all((a.judge == b.judge).all() for a, b in zip(first, again, strict=True))


def test_another_seed_and_another_repeat_deal_anew() -> None:
    table = rows()
    parts = parts_by_design(cw.Folds(5, repeats=2), table)
    assert parts[0].judge.tolist() != parts[5].judge.tolist()
    assert parts[0].judge.tolist() != parts_by_design(cw.Folds(5, seed=1), table)[0].judge.tolist()


@pytest.mark.parametrize("design", [d for d in DESIGNS if getattr(d, "group", None)], ids=str)
def test_a_group_is_never_on_both_sides(design: Design) -> None:
    table = rows()
    for part in parts_by_design(design, table):
        assert not set(table.columns["who"][part.learn]) & set(table.columns["who"][part.judge])


def test_folds_of_groups_have_about_as_many_rows_and_about_the_same_classes() -> None:
    chance = np.random.default_rng(1)
    who = np.repeat(np.arange(200), chance.integers(1, 9, 200))
    y = chance.random(len(who)) < np.where(who % 5 == 0, 0.8, 0.1)
    table = cw.read_table(
        {"who": who.astype(str), "y": np.where(y, "yes", "no")}, target="y", kinds={"who": "nominal"}
    )
    parts = parts_by_design(cw.Folds(5, group="who"), table)
    sizes = [len(part.judge) for part in parts]
    assert max(sizes) - min(sizes) <= 6
    shares = [float((table.target[part.judge] == 1).mean()) for part in parts]
    assert max(shares) - min(shares) < 0.03


@pytest.mark.parametrize(("count", "folds"), [(53, 10), (20, 3), (7, 7), (100, 10)])
def test_folds_of_numbers_hold_small_and_large_ones_alike(count: int, folds: int) -> None:
    table = numbers(count)
    parts = parts_by_design(cw.Folds(folds), table)
    assert sorted(np.concatenate([part.judge for part in parts]).tolist()) == list(range(count))
    assert max(len(p.judge) for p in parts) - min(len(p.judge) for p in parts) <= 1
    rank = np.argsort(np.argsort(table.target))
    for part in parts:
        for run in range(count // folds):  # each run of neighbours gives one row
            assert ((rank[part.judge] // folds) == run).sum() == 1


def test_numbers_held_out_are_of_every_size() -> None:
    table = numbers(90)
    (part,) = parts_by_design(cw.HoldOut(1 / 3), table)
    rank = np.argsort(np.argsort(table.target))
    assert sorted((rank[part.judge] // 3).tolist()) == list(range(30))


def test_time_runs_forward_and_rows_of_one_time_stay_together() -> None:
    table = rows()
    day = table.columns["day"]
    parts = parts_by_design(cw.ByTime("day", folds=4), table)
    assert len(parts) == 4
    for part in parts:
        assert day[part.learn].max() < day[part.judge].min()
    assert [len(part.learn) for part in parts] == sorted(len(part.learn) for part in parts)
    for part in parts_by_design(cw.ByTime("day", folds=4, window=4, gap=2), table):
        begins = day[part.judge].min()
        assert day[part.learn].max() < begins - 2
        assert day[part.learn].min() >= begins - 6


def test_dates_and_ordered_values_have_a_before_and_after() -> None:
    days = [f"2024-{month:02}-15" for month in (3, 1, 2, 4, 6, 5)]
    table = cw.read_table({"day": days, "y": list("abaabb")}, target="y", kinds={"day": "nominal"})
    assert [part.judge.tolist() for part in parts_by_design(cw.ByTime("day", folds=5), table)] == [
        [2], [0], [3], [5], [4],
    ]  # fmt: skip


def test_bootstrap_samples_are_as_large_as_the_table_and_the_others_judge() -> None:
    table = rows()
    parts = parts_by_design(cw.Bootstrap(40), table)
    assert all(len(part.learn) == 60 for part in parts)
    for part in parts:
        assert set(part.learn.tolist()) | set(part.judge.tolist()) == set(range(60))
        assert not set(part.learn.tolist()) & set(part.judge.tolist())
    assert 0.3 < np.mean([len(part.judge) / 60 for part in parts]) < 0.44


def test_no_learner_sees_the_column_that_rows_are_divided_by() -> None:
    study = study_of(cw.C45(), rows(), cw.Folds(3, group="who"))
    assert isinstance(study.model.schema["who"], cw.Ignored)
    assert study.folds is not None
    assert study.folds.design_in_words == "3 folds of groups by who"


def test_random_labels_come_to_no_skill_by_the_632_plus_estimate() -> None:
    chance = np.random.default_rng(0)
    data: dict[str, Any] = {f"x{k}": chance.normal(size=120) for k in range(6)}
    table = cw.read_table(data | {"y": chance.permutation(["a", "b"] * 60)}, target="y")
    judged = cw.cross_validate(cw.CART(min_rows=2), table, design=cw.Bootstrap(60))
    error = judged.bootstrap
    assert error is not None
    assert error.training == 0.0
    assert error.no_information == pytest.approx(0.5)
    assert error.estimate == pytest.approx(0.5, abs=0.05)
    assert error.plain < 0.4  # .632 alone is too good
    assert error.overfitting > 0.9


def test_the_632_plus_estimate_is_that_of_its_paper() -> None:
    from clearwood.study.cross_validation import BootstrapError

    error = BootstrapError(not_drawn=0.4, training=0.1, no_information=0.5)
    relative = 0.3 / 0.4
    weight = 0.6321205588 / (1 - 0.3678794412 * relative)
    assert error.overfitting == pytest.approx(relative)
    assert error.estimate == pytest.approx((1 - weight) * 0.1 + weight * 0.4)
    assert BootstrapError(0.1, 0.2, 0.5).overfitting == 0.0


def test_rows_that_judge_several_times_count_once_and_the_standard_error_knows() -> None:
    table = rows()
    once = cw.cross_validate(cw.C45(), table, design=cw.Folds(5))
    often = cw.cross_validate(cw.C45(), table, design=cw.Folds(5, repeats=4))
    assert often.together.weight == pytest.approx(once.together.weight) == 60
    spread = float(np.std(often.scores, ddof=1))
    assert often.standard_error == pytest.approx(spread * np.sqrt(1 / 20 + 0.25))


def test_a_printed_study_counts_a_row_once_however_many_judged_it() -> None:
    study = study_of(cw.C45(), rows(), cw.Folds(5, repeats=4))
    scores = short_scores(study)
    assert scores is not None
    assert scores.evaluation.weight == pytest.approx(60) == scores.rows


def test_counts_of_rows_judged_several_times_are_printed_in_a_decimal_at_most() -> None:
    scores = short_scores(study_of(cw.CART(), rows(), cw.Folds(5, repeats=3)))
    assert scores is not None
    assert re.search(r"\(\d+(\.\d)? of \d+; ", positive_phrase(scores))


@pytest.mark.parametrize("design", [cw.Folds(5), cw.LeaveOneOut()])
def test_the_spread_of_numbers_is_about_the_mean_of_all_rows_held_out(design: Design) -> None:
    chance = np.random.default_rng(2)
    x = chance.normal(size=40)
    table = cw.read_table({"x": x, "y": 2 * x + chance.normal(size=40)}, target="y")
    validation = cw.cross_validate(cw.CART(max_depth=2), table, design=design)
    assert isinstance(validation.together, NumberEvaluation)
    assert isinstance(validation.predictions, NumberPredictions)
    truth, answers = validation.predictions.truth, validation.predictions.answers
    pooled = 1 - ((truth - answers) ** 2).sum() / ((truth - truth.mean()) ** 2).sum()
    assert validation.together.r2 == pytest.approx(pooled)


@pytest.mark.parametrize(
    ("design", "sentence"),
    [
        (cw.Folds(61), "between 2 and the number of rows (60), not 61"),
        (cw.Folds(20, group="who"), "values, too few for 20 folds of groups"),
        (cw.ByTime("day", folds=30), "different times, too few for 30 folds"),
        (cw.ByTime("who"), "no before and after"),
        (cw.ByTime("day", folds=2, gap=100), "No rows lie before"),
        (cw.Folds(3, group="wo"), "No column 'wo'"),
        (cw.HoldOut(1.5), "part must leave rows on both sides"),
    ],
    ids=str,
)
def test_what_cannot_be_divided_is_refused_with_a_sentence(design: Design, sentence: str) -> None:
    with pytest.raises(ClearwoodError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        parts_by_design(design, rows())


def test_a_column_left_out_on_reading_says_how_to_keep_it() -> None:
    table = cw.read_table(
        {"id": ["a", "b", "c"], "x": [1, 2, 3], "y": list("aab")}, target="y", ignore=["id"]
    )
    with pytest.raises(ClearwoodError, match=r"do without ignore=\['id'\]"):
        parts_by_design(cw.Folds(2, group="id"), table)


def test_bootstrap_samples_are_corrected_by_the_different_rows_learned_from_everywhere() -> None:
    table, design = rows(200), cw.Bootstrap(40)
    each = [len(part.judge) / len(set(part.learn.tolist())) for part in parts_by_design(design, table)]
    ratio = float(np.mean(each))
    assert ratio == pytest.approx(0.37 / 0.63, rel=0.05)
    judged = cw.cross_validate(cw.CART(max_depth=1), table, design=design)
    assert judged.judged_to_learned == pytest.approx(ratio)
    interval = cw.scores(judged.predictions)["accuracy"].interval
    around = np.array(judged.scores) - np.mean(judged.scores) + judged.score
    assert interval == pytest.approx(corrected_resampled_t(around, ratio).interval)
    assert isinstance(judged.together, ClassEvaluation)
    assert judged.score == judged.together.accuracy
    choice = cw.choose(table, [cw.CART(max_depth=1), cw.NaiveBayes()], design=design)
    assert choice.contest.judged_to_learned == pytest.approx(ratio)
    curve = cw.learning_curve(cw.CART(max_depth=1), table, sizes=[100], design=cw.Bootstrap(5)).curves[0]
    assert curve.shared == pytest.approx(ratio, rel=0.1)
