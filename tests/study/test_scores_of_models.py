"""Scores of a model on rows: which fit, beside which baseline, about which class, and what rows chose."""

from __future__ import annotations

import json

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.scores import scores_of
from clearwood.scoring.share_scores import LiftStep, LiftTable
from tests.scoring.test_intervals import judged_rows
from tests.trees import tennis_table


def test_every_score_that_fits_has_a_value_and_a_baseline() -> None:
    table = tennis_table()
    judged = cw.scores(cw.ID3(max_depth=1).learn(table), table, costs={("No", "Yes"): 5.0})
    assert judged.positive == "Yes"
    assert judged["accuracy"].value == pytest.approx(10 / 14)
    assert judged["accuracy"].baseline == pytest.approx(9 / 14)
    assert judged["auc"].baseline == 0.5
    assert judged["cost"].baseline == pytest.approx(9 / 14)  # always No: a missed Yes costs 1
    assert {"mcc", "brier", "brier_resolution", "lift", "cost_at_best_cutoff"} <= {
        each.name for each in judged
    }
    json.dumps(judged.to_json(), allow_nan=False)
    assert "baseline: always Yes, 64.3 % of the rows evaluated" in str(judged)


def test_the_baseline_is_of_the_training_rows_where_they_are_known() -> None:
    table = tennis_table()
    held = table.take(np.flatnonzero(table.target == 0))  # no day of play among them
    model = cw.with_profile(cw.ID3().learn(table), table)
    judged = cw.scores(model, held)
    assert judged["accuracy"].baseline == 0.0
    assert "always Yes, 64.3 % of the training rows" in str(judged)
    assert judged["auc"].why == "no row whose probabilities can be evaluated is Yes"


def test_numbers_are_beside_the_mean_or_the_quantile() -> None:
    y = [float(i**2) for i in range(40)]
    table = cw.read_table({"x": list(range(40)), "y": y}, target="y")
    judged = cw.scores(cw.CART(max_depth=2).learn(table), table)
    assert judged["mae"].baseline == pytest.approx(np.abs(np.array(y) - np.mean(y)).mean())
    assert judged["r2"].baseline == pytest.approx(0.0)
    upper = cw.Boosting(loss="quantile", quantile=0.9, trees=3, min_child=0).learn(table)
    assert [each.name for each in cw.scores(upper, table)] == ["pinball", "mae"]


def test_the_rows_it_was_learned_from_are_known_again_in_any_order() -> None:
    table = cw.read_table(
        {"x": [i % 20 for i in range(60)], "y": ["ab"[i % 20 > 8] for i in range(60)]}, target="y"
    )
    model = cw.with_profile(cw.C45().learn(table), table)
    turned = table.take(np.arange(60)[::-1])
    assert "learned from" in cw.scores(model, turned).notes[0]
    assert cw.scores(model, table.take(np.arange(30))).notes == ()


def test_the_predictions_of_folds_have_scores_too() -> None:
    table = cw.read_table(
        {"x": [i % 17 for i in range(120)], "y": ["ab"[i % 17 > 8] for i in range(120)]}, target="y"
    )
    folds = cw.cross_validate(cw.C45(), table, design=cw.Folds(4, repeats=2))
    judged = cw.scores(folds.predictions)
    assert judged.rows == 120
    assert judged["brier"].by == "8 parts, corrected" or judged["brier"].interval is None


def test_what_makes_no_sense_is_refused() -> None:
    table = tennis_table()
    model = cw.ID3().learn(table)
    with pytest.raises(SettingError, match="Did you mean 'Yes'"):
        cw.scores(model, table, positive="Yess")
    with pytest.raises(SettingError, match="No class 'Maybe'"):
        cw.scores(model, table, costs={("Maybe", "Yes"): 1.0})
    with pytest.raises(SettingError, match="must be a number"):
        cw.scores(model, table, costs={("No", "Yes"): float("nan")})
    with pytest.raises(SettingError, match="beta must be a number above 0"):
        cw.scores(model, table, beta=0)
    with pytest.raises(SettingError, match="needs the rows"):
        cw.scores(model)


def test_many_classes_have_means_unless_one_is_named() -> None:
    chance = np.random.default_rng(0)
    rows = {"x": chance.normal(size=90).tolist(), "y": list("abc" * 30)}
    table = cw.read_table(rows, target="y")
    model = cw.NaiveBayes().learn(table)
    judged = cw.scores(model, table)
    assert judged["auc"].label == "AUC, mean of classes"
    assert judged["auc_hand_till"].interval is not None
    assert judged.lift is None
    named = cw.scores(model, table, positive="b")
    assert named["auc"].by == "DeLong"
    assert named.lift is not None


def test_three_rows_and_one_class_have_scores_or_reasons() -> None:
    table = cw.read_table({"x": [1, 2, 3], "y": ["a", "b", "b"]}, target="y")
    model = cw.C45(min_rows=1).learn(table)
    assert cw.scores(model, table)["accuracy"].value > 0
    ones = table.take(np.array([1, 2]))
    judged = cw.scores(model, ones)
    assert np.isnan(judged["auc"].value)
    assert judged["auc"].why


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_judged() -> None:
    judged = scores_of(judged_rows(100_000, 1), only=("auc", "brier"))
    for each in judged:
        assert each.interval is not None
        assert each.interval[0] < each.value < each.interval[1]


def test_a_lift_table_says_what_its_parts_of_rows_are() -> None:
    rows = {"x": [i % 4 for i in range(14)], "y": ["ab"[i % 4 > 1] for i in range(14)]}
    model = cw.NaiveBayes().learn(cw.read_table(rows, target="y"))
    assert "parts of them are then counted" in str(cw.scores(model, cw.read_table(rows, target="y")).lift)
    whole = LiftTable("b", (LiftStep(0.5, 7.0, 0.6, 5.0, 0.8, 1.6),))
    assert "counted" not in str(whole)
    weighed = cw.read_table(
        {**rows, "w": [0.5 + i % 3 for i in range(14)]}, target="y", weight="w", weights_are="importance"
    )
    assert "Rows are counted by their weights." in str(cw.scores(model, weighed).lift)


def test_the_quantile_loss_of_means_is_half_the_mae_and_shown_only_where_asked() -> None:
    table = cw.read_table({"x": list(range(40)), "y": [float(i**2) for i in range(40)]}, target="y")
    predictions = predictions_of(cw.CART(max_depth=2).learn(table), table)
    assert "pinball" not in [each.name for each in scores_of(predictions)]
    asked = scores_of(predictions, only=("pinball", "mae"))
    assert asked["pinball"].value == pytest.approx(asked["mae"].value / 2)
