"""Cells that a model cannot use are counted, for every kind of model, and answered by a stated rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.predicting.unusable import rule_for_unusable, unusable_cells

ROWS: list[dict[str, str | float | None]] = [
    {"Outlook": "Sunny", "Temperature": 24.0, "Humidity": 80.0, "Wind": "Weak"},
    {"Outlook": "Foggy", "Temperature": None, "Humidity": None, "Wind": "Weak"},
    {"Outlook": None, "Temperature": 24.0, "Humidity": 80.0, "Wind": "Strng"},
]


@pytest.fixture(scope="module")
def table() -> cw.Table:
    return cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")


def _counts(model: Any, table: cw.Table) -> dict[str, tuple[list[bool], list[bool]]]:
    unusable = unusable_cells(model, cw.encode(ROWS, table.schema))
    return {each.name: (each.unseen.tolist(), each.missing.tolist()) for each in unusable}


@pytest.mark.parametrize("learner", [cw.NaiveBayes(), cw.Logistic(penalty="l2")])
def test_new_values_and_blanks_are_counted_by_column(table: cw.Table, learner: Any) -> None:
    assert _counts(learner.learn(table), table) == {
        "Outlook": ([False, True, False], [False, False, True]),
        "Temperature": ([False] * 3, [False, True, False]),
        "Humidity": ([False] * 3, [False, True, False]),
        "Wind": ([False, False, True], [False] * 3),
    }


def test_only_columns_that_a_tree_asks_are_counted(table: cw.Table) -> None:
    tree = cw.C45().learn(table)
    assert set(_counts(tree, table)) == {"Outlook", "Humidity", "Wind"}
    assert "or every branch" in rule_for_unusable(tree, "Outlook")


def test_a_branch_that_takes_empty_cells_uses_them() -> None:
    rows = {"x": [None, None, None, None, *map(float, range(8))] * 3, "y": [*"pppp", *"qqqqqqqq"] * 3}
    tree = cw.CART(missing="direction").learn(cw.read_table(rows, target="y"))
    assert not unusable_cells(tree, cw.encode([{"x": None}], tree.schema, only={"x"}))


def test_a_rule_about_empty_cells_uses_them(table: cw.Table) -> None:
    rules = cw.read_rules(
        "IF Humidity is missing THEN Play = Play\n"
        "IF Outlook = Sunny THEN Play = Don't Play\n"
        "OTHERWISE Play = Play",
        table.schema,
    )
    assert set(_counts(rules, table)) == {"Outlook"}


def test_a_weight_of_empty_cells_uses_them() -> None:
    rows = {"c": ["a", "b", None, "a", None, "b"] * 5, "y": ["p", "q", "p", "q", "q", "p"] * 5}
    model = cw.Logistic(penalty="l2").learn(cw.read_table(rows, target="y"))
    unusable = unusable_cells(model, cw.encode([{"c": None}, {"c": "z"}], model.schema, only={"c"}))
    assert [(each.unseen.tolist(), each.missing.tolist()) for each in unusable] == [
        ([False, True], [False, False])
    ]


def test_leaving_a_field_out_is_not_rewarded() -> None:
    random = np.random.default_rng(0)
    account = random.choice(["none", "low", "high"], 600, p=[0.5, 0.3, 0.2])
    risk = {"none": 0.1, "low": 0.6, "high": 0.3}
    target = ["bad" if random.random() < risk[each] else "good" for each in account]
    model = cw.Logistic().learn(cw.read_table({"account": account.tolist(), "y": target}, target="y"))
    bad = model.schema.classes.index("bad")
    rows = [{"account": each} for each in ("none", "low", None, "overdrawn")]
    safest, worst, blank, unseen = cw.shares(model, rows)[:, bad].tolist()
    assert safest < blank < worst
    assert blank == unseen
    assert cw.row_predictor(model).shares({"account": None})["bad"] == pytest.approx(blank)


def test_a_model_without_averages_keeps_its_old_rule(table: cw.Table) -> None:
    model = replace(cw.Logistic(penalty="l2").learn(table), averages={})
    usual = {**ROWS[0], "Outlook": model.fills["Outlook"]}
    assert cw.shares(model, [{**ROWS[0], "Outlook": "Foggy"}]).tolist() == cw.shares(model, [usual]).tolist()
    assert rule_for_unusable(model, "Outlook") == f"such a cell counts as {model.fills['Outlook']}"
