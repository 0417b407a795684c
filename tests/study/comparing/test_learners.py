"""Learners by the same folds: the same rows for all, corrected tests, and designs of every kind."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import clearwood as cw
from clearwood.catalogue import PRUNERS
from clearwood.errors import SettingError
from clearwood.study.designs import Design, TrainingRows
from clearwood.study.recipe import Pruning, Recipe
from clearwood.table.table import Table
from tests.typed import mistyped


def made(count: int = 120, seed: int = 1) -> Table:
    chance = np.random.default_rng(seed)
    x, z = chance.normal(size=(2, count))
    y = np.where(x + 0.6 * chance.normal(size=count) > 0, "yes", "no")
    customer = [f"k{k}" for k in chance.integers(0, 15, count)]
    return cw.read_table(
        {"x": x, "z": z, "customer": customer, "day": np.arange(count), "y": y},
        target="y",
        kinds={"customer": "nominal", "day": "numeric"},
    )


@pytest.mark.slow
def test_every_learner_is_judged_on_the_same_rows_and_tested_with_the_correction() -> None:
    design = cw.Folds(5, repeats=3, seed=2)
    learners = {"stump": cw.CART(max_depth=1), "deep": cw.CART()}
    comparison = cw.compare_learners(learners, made(), design)
    alone = {name: cw.cross_validate(each, made(), design=design) for name, each in learners.items()}
    for name, validation in alone.items():
        assert comparison.scores[name] == pytest.approx(validation.scores)
    places = [each.predictions.places for each in comparison.validations.values()]
    assert (places[0] == places[1]).all()
    apart = np.array(comparison.scores["stump"]) - np.array(comparison.scores["deep"])
    t = apart.mean() / math.sqrt((1 / 15 + 1 / 4) * apart.var(ddof=1))
    difference = comparison.difference("stump", "deep")
    assert difference.p == pytest.approx(2 * stats.t.sf(abs(t), 14), rel=1e-3)  # folds of 24 of 120 rows
    assert difference.posterior is not None
    assert difference.five_by_two is None


def test_five_times_two_folds_bring_dietterichs_and_alpaydins_tests() -> None:
    comparison = cw.compare_learners([cw.CART(max_depth=1), cw.NaiveBayes()], made(), cw.Folds(2, repeats=5))
    assert comparison.names == ("CART", "NaiveBayes")
    tested = comparison.differences[0].five_by_two
    assert tested is not None
    first, second = (np.array(comparison.scores[name]) for name in comparison.names)
    apart = (first - second).reshape(5, 2)
    variance = ((apart - apart.mean(axis=1, keepdims=True)) ** 2).sum()
    assert tested.f == pytest.approx((apart**2).sum() / (2 * variance))
    assert "5×2 F p" in str(comparison)


def test_one_part_held_out_is_tested_over_its_rows() -> None:
    comparison = cw.compare_learners(
        [cw.CART(max_depth=1), cw.NaiveBayes()], made(200), cw.HoldOut(0.3, seed=4)
    )
    difference = comparison.differences[0]
    assert difference.test == "McNemar's exact test"
    assert difference.posterior is None
    assert any("One part was held out" in note for note in comparison.notes)


def test_a_held_out_rmse_is_tested_as_the_mean_squared_error() -> None:
    x = np.random.default_rng(3).normal(size=100)
    table = cw.read_table({"x": x, "y": x**2}, target="y")
    comparison = cw.compare_learners([cw.CART(max_depth=1), cw.CART()], table, cw.HoldOut(0.4))
    assert comparison.score == "rmse"
    assert comparison.differences[0].of_first == pytest.approx(comparison.scores["CART 1"][0] ** 2)
    assert "mean squared error (paired t-test)" in str(comparison)
    with pytest.raises(SettingError, match="R² has no test by rows"):
        cw.compare_learners([cw.CART(max_depth=1), cw.CART()], table, cw.HoldOut(0.4), score="r2")


@pytest.mark.parametrize(
    "design",
    [
        cw.LeaveOneOut(),
        cw.Bootstrap(8),
        cw.Folds(3, group="customer"),
        cw.ByTime("day", 3),
        cw.GivenFolds("customer"),
    ],
)
def test_every_design_compares(design: Design) -> None:
    comparison = cw.compare_learners({"a": cw.CART(max_depth=1), "b": cw.CART(max_depth=2)}, made(60), design)
    json.dumps(comparison.to_json(), allow_nan=False)
    assert comparison.differences[0].is_known
    assert str(comparison)


def test_numbers_are_compared_by_rmse_where_less_is_better() -> None:
    chance = np.random.default_rng(3)
    x = chance.normal(size=150)
    table = cw.read_table({"x": x, "y": x**2 + 0.1 * chance.normal(size=150)}, target="y")
    comparison = cw.compare_learners({"stump": cw.CART(max_depth=1), "deep": cw.CART(min_leaf=5)}, table)
    assert (comparison.score, comparison.better) == ("rmse", "less")
    assert comparison.best_first == ("deep", "stump")
    difference = comparison.differences[0]
    assert difference.ahead == "deep"
    assert difference.is_shown
    assert difference.posterior is not None
    assert difference.posterior.second > 0.95
    assert difference.rope == pytest.approx(0.01 * min(difference.of_first, difference.of_second))


def test_costs_make_the_expected_cost_the_score() -> None:
    comparison = cw.compare_learners(
        [cw.CART(max_depth=1), cw.NaiveBayes()], made(), cw.Folds(5), costs={("yes", "no"): 5.0}
    )
    assert (comparison.score, comparison.better) == ("cost", "less")


def test_recipes_are_learned_in_each_part() -> None:
    pruned = Recipe(cw.CART(), (Pruning("reduced-error", PRUNERS["reduced-error"], {}),))
    comparison = cw.compare_learners({"grown": cw.CART(), "pruned": pruned}, made(), cw.Folds(4))
    sizes = {name: np.mean(each.sizes) for name, each in comparison.validations.items()}
    assert sizes["pruned"] < sizes["grown"]


def test_many_learners_have_a_sentence_about_the_best() -> None:
    learners = {f"depth {k}": cw.CART(max_depth=k) for k in (1, 2, 3)} | {"bayes": cw.NaiveBayes()}
    learners["noise"] = cw.CART(max_depth=1, min_rows=10_000)
    comparison = cw.compare_learners(learners, made(200), cw.Folds(5))
    text = " ".join(str(comparison).split())
    best = comparison.best_first[0]
    assert f"{best} has a better accuracy than" in text
    assert f"No difference in accuracy from {best} was shown for" in text
    assert "adjusted for 10 comparisons" in text


def test_the_same_learner_twice_shows_no_difference() -> None:
    comparison = cw.compare_learners([cw.CART(), cw.CART()], made(), cw.Folds(5))
    assert comparison.names == ("CART 1", "CART 2")
    difference = comparison.differences[0]
    assert (difference.difference, difference.p) == (0.0, 1.0)
    assert difference.posterior is None
    assert not difference.is_equivalent
    assert "whose scores are the same throughout. That does not make them equal" in difference.conclusion
    assert "whose scores are the same" in " ".join(str(comparison).split())
    with pytest.raises(SettingError, match="No difference of this score was tested"):
        cw.charts.differences(comparison)


def test_the_same_seed_gives_the_same_comparison() -> None:
    def scores(seed: int) -> dict[str, tuple[float, ...]]:
        compared = cw.compare_learners([cw.CART(max_depth=1), cw.NaiveBayes()], made(), seed=seed)
        return dict(compared.scores)

    assert scores(3) == scores(3) != scores(4)


def test_what_cannot_be_compared_is_refused() -> None:
    table = made()
    with pytest.raises(SettingError, match="at least two learners, and 1 given"):
        cw.compare_learners([cw.CART()], table)
    with pytest.raises(SettingError, match="compared by compare_models"):
        cw.compare_learners([cw.CART(), mistyped(cw.CART().learn(table))], table)
    with pytest.raises(SettingError, match="takes a Table, not list"):
        cw.compare_learners([cw.CART(), cw.C45()], mistyped([]))
    with pytest.raises(SettingError, match="cannot be compared on the rows learned from"):
        cw.compare_learners([cw.CART(), cw.C45()], table, TrainingRows())
    with pytest.raises(SettingError, match="'rmse' is a score of numbers"):
        cw.compare_learners([cw.CART(), cw.C45()], table, score="rmse")
    with pytest.raises(SettingError, match="rope must be 0 or more"):
        cw.compare_learners([cw.CART(), cw.C45()], table, rope=-0.1)
    with pytest.raises(SettingError, match="at least two rows"):
        cw.compare_learners([cw.CART(), cw.C45()], table.take(np.arange(1)))


def test_three_rows_are_compared_or_refused_with_a_sentence() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]}, target="y")
    comparison = cw.compare_learners([cw.CART(), cw.NaiveBayes()], table)
    assert len(comparison.scores["CART"]) == 3
    assert str(comparison)


@pytest.mark.long
def test_learners_that_are_equally_good_are_seldom_told_apart() -> None:
    """Of 200 tables of noise the corrected test at 5 % errs on few; the plain t-test would on many."""
    shown = plain = 0
    for seed in range(200):
        chance = np.random.default_rng(seed)
        table = cw.read_table(
            {
                "a": chance.normal(size=120),
                "b": chance.normal(size=120),
                "y": chance.integers(0, 2, 120).astype(str),
            },
            target="y",
        )
        learners: dict[str, Any] = {"tree": cw.CART(max_depth=3), "bayes": cw.NaiveBayes()}
        compared = cw.compare_learners(learners, table, cw.Folds(10, repeats=3))
        difference = compared.differences[0]
        shown += difference.is_shown
        first, second = (np.array(each) for each in compared.scores.values())
        plain += bool(stats.ttest_rel(first, second).pvalue <= 0.05)
    assert shown <= 20
    assert plain > 2 * shown


def test_sizes_are_reading_sizes_in_the_words_of_choose() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    learners: dict[str, Any] = {"tree": cw.ID3(), "bayes": cw.NaiveBayes()}
    compared = cw.compare_learners(learners, days, cw.Folds(7))
    chosen = cw.choose(days, learners, design=cw.Folds(7))
    samples = cw.bias_variance(learners, days, samples=5)
    models = cw.compare_models({name: each.learn(days) for name, each in learners.items()}, days)
    for name, learner in learners.items():
        assert compared.to_json()["learners"][name]["sizes"] == list(chosen[name].sizes)
        assert models.sizes[name] == cw.reading_size(learner.learn(days))
        assert samples[name].size > 0
    assert samples["bayes"].size == chosen["bayes"].size == 20
    for shown in map(str, (chosen, compared, models, samples)):
        assert "Size: conditions, cells, weights or steps to read" in shown.replace("\n  ", " ")


def test_the_chart_draws_the_difference_that_its_labels_name() -> None:
    """Of errors, too, where less is better: first − second, as in the table."""
    chance = np.random.default_rng(2)
    x = chance.uniform(-2, 2, 120)
    rows = cw.read_table({"x": x, "y": x**2 + chance.normal(0, 0.2, 120)}, target="y")
    learners = {"stump": cw.CART(max_depth=1), "tree": cw.CART(max_depth=4)}
    compared = cw.compare_learners(learners, rows, cw.Folds(5))
    (pair,) = compared.differences
    spec = cw.charts.differences(compared).spec
    assert spec is not None
    (panel,) = spec["vconcat"]
    drawn = [record for layer in panel["layer"] for record in layer["data"]["values"] if "pair" in record]
    assert {record["pair"] for record in drawn} == {"stump − tree"}
    assert {record["difference"] for record in drawn} == {pair.difference}
    assert pair.difference > 0
    assert panel["layer"][2]["encoding"]["x"]["title"].endswith("to the left the first is better")
