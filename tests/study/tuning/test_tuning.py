"""Tuning beside a plain loop, on noise, on several threads, in groups, interrupted, and on odd tables."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, LearningError, SchemaError, SettingError
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Tuned
from clearwood.scoring import Stakes
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.scores import score_by_name
from clearwood.study.designs import TrainingRows
from clearwood.study.dividing import parts_by_design
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.trials import InterruptedTuningError
from clearwood.table.table import Table, as_counts
from tests.typed import mistyped

GRID = {"max_depth": (1, 2, 4), "min_leaf": (1, 10)}


def credit(rows: int = 300, seed: int = 3, *, weights: bool = False) -> Table:
    """Two informative columns, a nominal one, noise, some cells empty."""
    chance = np.random.default_rng(seed)
    income, age, noise = chance.normal(size=(3, rows))
    job = chance.integers(0, 3, rows)
    bad = income + 0.7 * age + 0.5 * (job == 1) + chance.normal(size=rows) > 0.8
    income[chance.random(rows) < 0.05] = np.nan
    columns: dict[str, Any] = {
        "income": income,
        "age": age,
        "noise": noise,
        "job": np.array(["a", "b", "c"], dtype=object)[job],
        "customer": np.array([f"k{each}" for each in chance.integers(0, 40, rows)], dtype=object),
        "class": np.where(bad, "bad", "good").astype(object),
    }
    if weights:
        columns["w"] = chance.uniform(0.5, 2, rows)
        return cw.read_table(columns, target="class", weight="w", weights_are="importance")
    return cw.read_table(columns, target="class", kinds={"customer": "nominal"})


def naive(learner: Any, table: Table, grid: dict[str, Any], design: Any, by: str, positive: str) -> list[Any]:
    """The same by two plain loops: for each setting, its score in each fold."""
    apart = as_counts(table)
    scores: list[list[float]] = []
    for values in itertools.product(*grid.values()):
        tuned = replace(learner, **dict(zip(grid, values, strict=True)))
        scores.append([])
        for part in parts_by_design(design, table):
            model = tuned.learn(table.take(part.learn))
            predictions = predictions_of(model, apart.take(part.judge))
            scores[-1].append(score_by_name(by, predictions, Stakes(positive)))
    return scores


@pytest.mark.parametrize("by", ["accuracy", "auc", "f_beta", "log_loss"])
@pytest.mark.parametrize("weights", [False, True], ids=["", "weighted"])
def test_scores_are_those_of_a_plain_loop_over_settings_and_folds(by: str, weights: bool) -> None:
    table = credit(200, weights=weights)
    design = cw.Folds(4, seed=5, repeats=2)
    tuned = cw.tune(cw.CART(), table, GRID, design=design, by=by, positive="bad")
    expected = naive(cw.CART(), table, GRID, design, by, "bad")
    np.testing.assert_array_equal([each.scores for each in tuned.trials], expected)
    means = np.mean(expected, axis=1)
    best = means.max() if tuned.entry.better == "more" else means.min()
    assert tuned.best.mean == pytest.approx(best)


@pytest.mark.parametrize(
    ("learner", "grid"),
    [
        (cw.C45(), {"confidence": (0.05, 0.25), "min_rows": (2, 20)}),
        (cw.RIPPER(), {"seed": (0, 1)}),
        (cw.NaiveBayes(), {"alpha": (0.5, 1.0)}),
        (cw.Forest(trees=5), {"max_depth": (1, 4)}),
        (cw.Bagging(of=cw.ID3(), trees=3), {"of": (cw.ID3(max_depth=1), cw.CART(max_depth=2))}),
    ],
    ids=lambda each: type(each).__name__ if not isinstance(each, dict) else "",
)
def test_so_they_are_of_any_learner(learner: Any, grid: dict[str, Any]) -> None:
    table = credit(120)
    tuned = cw.tune(learner, table, grid, design=cw.Folds(3))
    expected = naive(learner, table, grid, cw.Folds(3), "accuracy", "")
    np.testing.assert_array_equal([each.scores for each in tuned.trials], expected)


def test_numbers_are_tuned_by_their_error() -> None:
    chance = np.random.default_rng(1)
    x = chance.uniform(0, 6, 200)
    table = cw.read_table({"x": x, "y": np.sin(x) + chance.normal(0, 0.2, 200)}, target="y")
    tuned = cw.tune(cw.CART(), table, {"max_depth": range(1, 9)})
    assert tuned.judging.by == "rmse"
    assert tuned.entry.better == "less"
    assert 2 <= tuned.best.settings["max_depth"] <= 6
    simple = cw.tune(cw.CART(), table, {"max_depth": range(1, 9)}, one_se=True)
    assert simple.chosen.size <= tuned.best.size
    assert simple.chosen.mean <= simple.best.mean + simple.best.standard_error
    median = cw.CART(measure="absolute")
    assert cw.tune(median, table, {"max_depth": (1, 2)}).judging.by == "mae"


def test_any_number_of_threads_gives_the_same() -> None:
    table = credit()
    learner = Noting()
    grids = {"depth": (0, 1, 2, 3), "bad": (False,)}
    told = []
    results = []
    for threads in (1, 2, 5):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            results.append(cw.tune(learner, table, grids, threads=threads).to_json())
        told.append(sorted(str(each.message) for each in caught))
    assert results[0] == results[1] == results[2]
    assert told[0] == told[1] == told[2]
    assert "In each of the 10 folds: Depth 2." in told[0]


@dataclass(frozen=True)
class Noting:
    """Remarks on its depth, and refuses parts of a table where it is told to."""

    depth: int = 0
    bad: bool = False

    def learn(self, table: Table) -> Tree:
        warnings.warn(f"Depth {self.depth}.", ClearwoodWarning, stacklevel=2)
        if self.bad and len(table) < 14:
            raise LearningError("These rows are too few.")
        return cw.CART(max_depth=self.depth).learn(table)


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
def test_settings_that_a_fold_refuses_fail_and_the_others_go_on() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tuned = cw.tune(Noting(), table, {"bad": (True, False), "depth": (0, 1)}, design=cw.Folds(7))
    assert [bool(each.failed) for each in tuned.trials] == [True, True, False, False]
    assert tuned.trials[0].failed == "In fold 1: These rows are too few."
    assert not tuned.chosen.settings["bad"]
    assert "bad = yes, depth = 0: In fold 1: These rows are too few." in str(tuned)
    assert "2 of which failed" in str(tuned)
    with pytest.raises(LearningError, match=r"None of the settings could be evaluated\. In fold 1"):
        cw.tune(Noting(bad=True), table, {"depth": (0, 1)}, design=cw.Folds(7))


def test_the_model_is_learned_from_all_rows_with_the_chosen_settings() -> None:
    table = credit()
    tuned = cw.tune(cw.CART(), table, GRID, by="auc", one_se=True)
    expected = replace(cw.CART(), **tuned.chosen.settings).learn(table)
    assert tuned.model == replace(expected, origin=tuned.model.origin)
    assert tuned.model.origin.settings == expected.origin.settings
    assert tuned.model.origin.fingerprint == expected.origin.fingerprint
    assert tuned.model.origin.after == (Tuned(dict(tuned.chosen.settings), 6, "auc", simplest=True),)
    assert from_json(to_json(tuned.model)) == tuned.model


def test_a_tuner_is_a_learner_that_can_be_cross_validated_and_nested() -> None:
    table = credit(200)
    tuner = cw.Tuner(cw.CART(), cw.SettingGrid(GRID), cw.Folds(3), by="auc", one_se=True)
    assert (
        tuner.learn(table) == cw.tune(cw.CART(), table, GRID, design=cw.Folds(3), by="auc", one_se=True).model
    )
    folds = cw.cross_validate(tuner, table, folds=3)
    nested = cw.tune(cw.CART(), table, GRID, design=cw.Folds(3), one_se=True, nested=3).nested
    assert nested is not None
    outer = cw.cross_validate(replace(tuner, by="accuracy"), table, folds=3)
    assert nested.scores == pytest.approx(outer.scores)
    assert len(folds.scores) == 3
    tuned_inside = cw.Tuner(tuner, cw.SettingGrid({"one_se": (True, False)}), cw.Folds(2))
    assert isinstance(tuned_inside.learn(table), Tree)


def test_a_recipe_is_tuned_with_its_steps_in_every_fold() -> None:
    table = credit(150)
    recipe = Recipe(cw.CART(), seed=3)
    plain = cw.tune(cw.CART(), table, {"max_depth": (1, 3)}, design=cw.Folds(3))
    assert cw.tune(recipe, table, {"max_depth": (1, 3)}, design=cw.Folds(3)).trials == plain.trials


def test_on_noise_the_best_looks_better_than_chance_and_the_nested_estimate_does_not() -> None:
    chance = np.random.default_rng(11)
    optimistic, nested = [], []
    for _ in range(5):
        columns = {f"x{place}": chance.normal(size=80) for place in range(8)}
        table = cw.read_table({**columns, "y": chance.permutation(["a", "b"] * 40)}, target="y")
        grid = {"max_depth": (1, 2, 3, 5), "min_leaf": (1, 4, 12), "measure": ("gini", "error")}
        tuned = cw.tune(cw.CART(), table, grid, design=cw.Folds(4), nested=4)
        optimistic.append(tuned.chosen.mean)
        assert tuned.nested is not None
        nested.append(tuned.nested.mean)
    assert np.mean(optimistic) > 0.55
    assert abs(np.mean(nested) - 0.5) < 0.045
    assert np.mean(optimistic) - np.mean(nested) > 0.04


def test_groups_stay_together_within_and_without() -> None:
    table = credit(200)
    design = cw.Folds(4, group="customer")
    tuned = cw.tune(cw.CART(), table, {"max_depth": (1, 3)}, design=design, nested=3)
    assert tuned.nested is not None
    assert tuned.nested.design == cw.Folds(3, group="customer")
    assert "customer" not in {each.name for each in tuned.model.schema.inputs}
    assert "4 folds of groups by customer" in str(tuned)
    tuner = cw.Tuner(cw.CART(), cw.SettingGrid({"max_depth": (1, 3)}), design)
    outer = cw.cross_validate(tuner, table, design=cw.Folds(3, group="customer"))
    assert outer.scores == pytest.approx(tuned.nested.scores)


def test_what_may_be_quoted_is_said() -> None:
    table = credit(150)
    alone = str(cw.tune(cw.CART(), table, {"max_depth": (1, 3)}, design=cw.Folds(3)))
    assert "is optimistic: these folds chose the settings. Do not quote it." in alone
    assert "For a score to quote" in alone
    both = str(cw.tune(cw.CART(), table, {"max_depth": (1, 3)}, design=cw.Folds(3), nested=3))
    assert "over 3 outer folds, whose rows chose nothing, may be quoted" in both
    assert "For a score to quote" not in both


def test_of_one_setting_nothing_is_chosen() -> None:
    one = cw.tune(cw.CART(), credit(), {"max_depth": [2]}, design=cw.Folds(4))
    assert "There was nothing to choose: one setting was tried, max_depth = 2." in str(one)
    assert "over 4 folds, whose rows chose nothing, may be quoted." in str(one)
    assert "optimistic" not in str(one)
    assert one.to_json()["optimistic"]["may_be_quoted"] is True
    two = cw.tune(cw.CART(), credit(), {"max_depth": [1, 2]}, design=cw.Folds(4))
    assert two.to_json()["optimistic"]["may_be_quoted"] is False


def test_json_has_every_trial_and_no_number_that_json_lacks() -> None:
    tuned = cw.tune(cw.CART(), credit(100), {"max_depth": (1, None)}, design=cw.HoldOut(0.3), nested=2)
    data = json.loads(json.dumps(tuned.to_json(), allow_nan=False))
    assert [each["settings"]["max_depth"] for each in data["trials"]] == [1, None]
    assert data["trials"][0]["standard_error"] is None
    assert data["nested"]["may_be_quoted"]
    assert not data["optimistic"]["may_be_quoted"]


def test_whoever_watches_hears_of_each_fold_and_can_end_it() -> None:
    table = credit(150)
    heard: list[Any] = []

    def watch(progress: Any) -> bool:
        heard.append(progress)
        return bool(progress.done >= 9)

    with cw.watching(watch):
        tuned = cw.tune(cw.CART(), table, {"min_leaf": (1, 5, 9)}, design=cw.Folds(5), threads=1)
    assert [(each.done, each.of, each.unit) for each in heard] == [(n, 15, "fold") for n in range(1, 10)]
    assert tuned.ended == "interrupted after 3 of 5 folds"
    whole = cw.tune(cw.CART(), table, {"min_leaf": (1, 5, 9)}, design=cw.Folds(5))
    assert [each.scores for each in tuned.trials] == [each.scores[:3] for each in whole.trials]
    assert "Tuning was interrupted after 3 of 5 folds." in str(tuned)
    with cw.watching(lambda _: True), pytest.raises(InterruptedTuningError, match="before every setting"):
        cw.tune(cw.CART(), table, {"min_leaf": (1, 5, 9)}, design=cw.Folds(5), threads=1)


def test_an_interrupted_nested_estimate_is_left_out() -> None:
    table = credit(150)
    with cw.watching(lambda progress: progress.done >= 12):
        tuned = cw.tune(cw.CART(), table, {"min_leaf": (1, 9)}, design=cw.Folds(5), nested=2, threads=1)
    assert tuned.nested is None
    assert len(tuned.trials[0].scores) == 5
    assert tuned.ended


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"by": "acuracy"}, "Did you mean 'accuracy'?"),
        ({"by": "rmse"}, "score of numbers"),
        ({"by": "auc", "positive": "Bad"}, "No class 'Bad'. Did you mean 'bad'?"),
        ({"design": TrainingRows()}, "holds no rows out"),
        ({"design": cw.HoldOut(0.3), "one_se": True}, "this design has one part"),
        ({"nested": 1}, "nested must be at least 2"),
        ({"costs": {("bad", "god"): 2.0}}, "Did you mean 'good'?"),
    ],
)
def test_a_wrong_request_is_refused_before_anything_is_learned(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises((SettingError, SchemaError)) as refused:
        cw.tune(Unlearned(), credit(60), {"depth": (1, 2)}, **more)
    assert sentence in str(refused.value)


@dataclass(frozen=True)
class Unlearned:
    depth: int = 1

    def learn(self, _: Table) -> Tree:
        raise AssertionError("nothing should be learned")


def test_the_positive_class_is_guessed_once_from_all_rows() -> None:
    tuned = cw.tune(cw.CART(), credit(150), {"max_depth": (1, 2)}, by="recall", design=cw.Folds(3))
    assert tuned.judging.guessed == "bad"
    assert "recall of bad" in str(tuned).lower()


def test_odd_tables_are_tuned_or_refused_in_a_sentence() -> None:
    three = cw.read_table({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]}, target="y")
    assert cw.tune(cw.CART(), three, {"max_depth": (1, 2)}).folds == 3
    one = cw.read_table({"x": [1.0], "y": ["a"]}, target="y")
    with pytest.raises(SettingError, match="folds"):
        cw.tune(cw.CART(), one, {"max_depth": (1, 2)})
    same = cw.read_table({"x": np.arange(12.0), "y": ["a"] * 12}, target="y")
    alike = cw.tune(cw.CART(), same, {"max_depth": (1, 2)}, one_se=True)
    assert alike.chosen.mean == 1.0
    assert alike.chosen.settings["max_depth"] == 1
    with pytest.raises(LearningError, match="None of the settings could be evaluated"):
        cw.tune(cw.CART(), same, {"max_depth": (1, 2)}, by="auc")
    rare = cw.read_table({"x": np.arange(20.0), "y": ["a"] * 18 + ["b"] * 2}, target="y")
    folds = cw.tune(cw.CART(), rare, {"max_depth": (0, 1)}, by="auc", design=cw.Folds(10))
    assert sum(math.isnan(score) for score in folds.best.scores) == 8
    holes = cw.read_table({"x": np.arange(20.0), "y": ["a", "b", None, "a"] * 5}, target="y")
    assert cw.tune(cw.CART(), holes, {"max_depth": (0, 1)}, design=cw.Folds(4)).folds == 4


def test_costs_are_tuned_by_where_they_are_given() -> None:
    table = credit(150)
    costs = {("bad", "good"): 8.0}
    learner = cw.CART(costs=costs)
    tuned = cw.tune(learner, table, {"max_depth": (1, 4)}, design=cw.Folds(4))
    assert tuned.judging.by == "cost"
    expected = naive(learner, table, {"max_depth": (1, 4)}, cw.Folds(4), "cost", "")
    np.testing.assert_array_equal([each.scores for each in tuned.trials], expected)


def test_a_validation_curve_has_both_scores_of_each_value() -> None:
    table = credit(200)
    design = cw.Folds(4)
    curve = cw.validation_curve(cw.CART(), table, "max_depth", range(1, 6), design=design)
    expected = naive(cw.CART(), table, {"max_depth": range(1, 6)}, design, "accuracy", "")
    np.testing.assert_array_equal([each.scores for each in curve.trials], expected)
    names = np.array(table.schema.classes, dtype=object)
    for depth, trial in zip(range(1, 6), curve.trials, strict=True):
        learned = [table.take(part.learn) for part in parts_by_design(design, table)]
        models = [cw.CART(max_depth=depth).learn(rows) for rows in learned]
        own = [
            float(np.mean(cw.predict(m, rows) == names[rows.target]))
            for m, rows in zip(models, learned, strict=True)
        ]
        assert trial.training == pytest.approx(own)
    training = [each.mean_on_training for each in curve.trials]
    assert training == sorted(training)
    assert curve.best.mean == max(each.mean for each in curve.trials)
    lines = str(curve).splitlines()
    assert lines[0] == "Accuracy by max_depth, over 4 folds"
    assert len(lines) == 7
    assert json.loads(json.dumps(curve.to_json(), allow_nan=False))["values"][0]["value"] == 1
    with pytest.raises(SettingError, match="Did you mean 'max_depth'"):
        cw.validation_curve(cw.CART(), table, "max_dept", range(3))


def test_charts_are_drawn_of_one_setting_of_two_of_words_and_of_draws() -> None:
    table = credit(100)
    design = cw.Folds(2)
    curve = cw.validation_curve(cw.CART(), table, "measure", ("gini", "error"), design=design)
    assert "best" in cw.charts.validation_curve(curve).alt
    two = cw.tune(cw.CART(), table, {**GRID, "measure": ("gini", "entropy")}, design=design, one_se=True)
    assert "by max_depth and min_leaf" in cw.charts.tuning(two).alt
    assert "by measure" in cw.charts.tuning(two, "measure").alt
    over = {"alpha": cw.Range(0.001, 0.1, log=True), "max_depth": cw.Range(1, 5)}
    drawn = cw.tune(cw.CART(), table, cw.SettingGrid(over, draws=6), design=design)
    assert "6 settings tried" in cw.charts.tuning(drawn).alt
    assert "by alpha" in cw.charts.tuning(drawn, "alpha").alt
    same = cw.tune(cw.CART(max_depth=0), table, {"min_leaf": (1, 2), "min_rows": (2, 3)}, design=design)
    assert cw.charts.tuning(same).spec
    with pytest.raises(SettingError, match=r"No tuned setting called 'alphas'\. Did you mean 'alpha'"):
        cw.charts.tuning(drawn, "alphas")
    with pytest.raises(SettingError, match="draws the result of tune"):
        cw.charts.tuning(mistyped(0.5))
