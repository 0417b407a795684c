"""Why this answer: the path, the rules and the evidence are what predict does, and are said in words."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ColumnError, SchemaError, SettingError
from clearwood.explaining.by_path import ByPath
from clearwood.explaining.reasons import ByEvidence, ByRules
from clearwood.formulas.conditions import Above, AtMost, Equals, IsMissing
from clearwood.models.decision import Cutoff, Decision
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Surrogate, Tree
from clearwood.predicting.one import reached
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.book_tables import book_table
from tests.explaining.test_smallest_change import SMALL, rows
from tests.trees import tennis_tree, trees

SUNNY = {"Outlook": "Sunny", "Temperature": 24, "Humidity": 80, "Wind": "Weak"}


def numeric_tennis() -> cw.Table:
    return book_table("tennis_numeric", target="Play")


def by_path(tree: Tree, row: dict[str, object]) -> ByPath:
    reason = cw.explain(tree, row).reason
    assert isinstance(reason, ByPath)
    return reason


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_the_leaves_and_their_weights_are_those_of_prediction(data: st.DataObject) -> None:
    tree = data.draw(trees(attributes=SMALL))
    row = data.draw(rows(tree.schema))
    explained = cw.explain(tree, row)
    assert isinstance(explained.reason, ByPath)
    assert [(leaf.weight, leaf.counts) for leaf in explained.reason.leaves] == [
        (each.weight, each.counts) for each in reached(tree, row)
    ]
    assert explained.answer == cw.predict(tree, [row])[0]
    json.dumps(explained.to_json(), allow_nan=False)
    assert str(explained)


def test_a_path_names_its_thresholds_and_how_near_they_were() -> None:
    first, second = by_path(cw.C45().learn(numeric_tennis()), SUNNY).leaves[0].steps
    assert (str(first.when), first.threshold) == ("Outlook = Sunny", None)
    assert (str(second.when), second.threshold, second.distance) == ("Humidity > 75", 75.0, 5.0)


def test_a_missing_cell_goes_down_every_branch_with_its_share() -> None:
    leaves = by_path(tennis_tree(), {"Humidity": "High", "Wind": "Weak"}).leaves
    assert [leaf.steps[0].by for leaf in leaves] == ["every branch"] * 3
    assert [leaf.weight for leaf in leaves] == [5 / 14, 4 / 14, 5 / 14]


def test_a_surrogate_is_named_with_its_agreement() -> None:
    schema = Schema((Numeric("x"), Nominal("c", ("a", "b"))), Nominal("t", ("no", "yes")))
    surrogate = Surrogate(Equals("c", "a"), 1, Equals("c", "b"), 0.9)
    low, high = (
        Branch(AtMost("x", 1.0), 0.5, Leaf((4.0, 0.0))),
        Branch(Above("x", 1.0), 0.5, Leaf((0.0, 4.0))),
    )
    tree = tree_of(schema, Split((4.0, 4.0), {}, (low, high), (surrogate,), 0))
    text = str(cw.explain(tree, {"c": "a"}))
    assert "x > 1  x is missing; c = a stands in (agrees on 90 % of rows): it is a" in text
    assert "x ≤ 1  x is missing; such rows go this way" in str(cw.explain(tree, {}))
    assert "x ≤ 1  it is 1, on the threshold" in str(cw.explain(tree, {"x": 1}))


def test_a_leaf_without_rows_borrows_those_above() -> None:
    schema = Schema((Nominal("c", ("a", "b")),), Nominal("t", ("no", "yes")))
    branches = (
        Branch(Equals("c", "a"), 1.0, Leaf((3.0, 1.0))),
        Branch(Equals("c", "b"), 0.0, Leaf((0.0, 0.0))),
    )
    leaf = by_path(tree_of(schema, Split((3.0, 1.0), {}, branches)), {"c": "b"}).leaves[0]
    assert (leaf.borrowed, leaf.counts, leaf.answer) == (True, (3.0, 1.0), "no")


def test_a_branch_for_missing_cells_needs_no_more_words() -> None:
    schema = Schema((Nominal("c", ("a", "b")),), Nominal("t", ("no", "yes")))
    branches = (
        Branch(Equals("c", "a"), 0.5, Leaf((3.0, 1.0))),
        Branch(IsMissing("c"), 0.5, Leaf((0.0, 2.0))),
    )
    text = str(cw.explain(tree_of(schema, Split((3.0, 3.0), {}, branches)), {}))
    assert "\n  c is missing\n" in text


def test_a_number_has_its_interval_and_no_class_to_change() -> None:
    table = book_table("tennis_numeric", target="Temperature")
    explanation = cw.explain(
        cw.CART(min_leaf=3).learn(table), {"Outlook": "Sunny", "Humidity": 90, "Wind": "Weak"}
    )
    assert explanation.shares is None
    assert explanation.interval is not None
    assert explanation.interval[0] < float(explanation.answer or 0) < explanation.interval[1]
    assert "predicts a number" in explanation.change.because
    with pytest.raises(SettingError, match="no class to reach"):
        cw.explain(cw.CART().learn(table), {"Humidity": 90}, to="hot")


def test_the_rule_that_took_the_row_and_the_nearest_before_it() -> None:
    rules = cw.rules_of(cw.C45().learn(numeric_tennis()))
    explanation = cw.explain(rules, SUNNY)
    assert isinstance(explanation.reason, ByRules)
    (took,), nearest = explanation.reason.took, explanation.reason.nearest
    assert took.number == 2
    assert all(each.holds for each in took.conditions)
    assert nearest is not None
    assert (nearest.number, [str(each.when) for each in nearest.failed]) == (1, ["Humidity ≤ 75"])
    assert "rule 2 of 5 is the first that holds" in str(explanation)


def test_all_rules_that_vote_are_told() -> None:
    rules = cw.CN2(rules="unordered").learn(numeric_tennis())
    explanation = cw.explain(rules, SUNNY)
    assert isinstance(explanation.reason, ByRules)
    assert [each.number for each in explanation.reason.took] == [1, 3]
    assert "of 5 rules 2 hold" in str(explanation)


def test_where_no_rule_holds_otherwise_answers_or_nothing_is_said() -> None:
    rules = cw.read_rules("IF Wind = Strong THEN No\nOTHERWISE Yes", tennis_tree().schema)
    assert "none of them holds" not in str(cw.explain(rules, {"Wind": "Weak"}))
    assert "it does not hold; the default rule decides" in str(cw.explain(rules, {"Wind": "Weak"}))
    silent = cw.read_rules("IF Wind = Strong THEN No", tennis_tree().schema)
    explanation = cw.explain(silent, {"Wind": "Weak"})
    assert (explanation.answer, explanation.change.instead) == (None, "No")
    assert str(explanation).startswith("PlayTennis is left without a prediction.")


def test_evidence_multiplies_up_to_the_odds() -> None:
    table = book_table("buys_computer", target="buys_computer")
    row = {"age": "<=30", "income": "medium", "student": "yes", "credit_rating": "fair"}
    explanation = cw.explain(cw.NaiveBayes().learn(table), row)
    assert isinstance(explanation.reason, ByEvidence)
    assert explanation.shares is not None
    odds = math.exp(math.fsum(bar.log_odds for bar in explanation.reason.bars))
    assert odds == pytest.approx(explanation.shares["yes"] / explanation.shares["no"])
    assert "× 2.227  student: yes" in str(explanation)
    assert str(explanation.change) == "student: yes → no: then no"


def test_costs_that_overrule_the_shares_are_named() -> None:
    schema = Schema((), Nominal("t", ("no", "yes")))
    dear = Decision((), ((0.0, 1.0), (9.0, 0.0)))  # to say no where yes is true
    explanation = cw.explain(tree_of(schema, Leaf((3.0, 1.0)), decision=dear), {})
    assert explanation.answer == "yes"
    assert "no is more probable, 0.75: the costs of mistakes decide." in str(explanation)
    assert explanation.change.because == "No change leads to another class: the model uses no column."


def test_a_value_never_met_is_told_with_the_one_like_it() -> None:
    explanation = cw.explain(tennis_tree(), {"Outlook": "suny", "Humidity": "High", "Wind": "Weak"})
    assert explanation.notes == ("The model has never met Outlook = 'suny'. Did you mean 'Sunny'?",)
    assert "'suny' did not occur in training; every branch takes its share" in str(explanation)


@pytest.mark.parametrize(
    ("row", "error", "sentence"),
    [
        ({"Outlok": "Sunny"}, ColumnError, "No column 'Outlok'. Did you mean 'Outlook'?"),
        ({"Humidity": "high"}, SchemaError, "'Humidity' is numeric"),
        ({"Humidity": math.inf}, SchemaError, "Give a finite number"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(
    row: dict[str, object], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        cw.explain(cw.C45().learn(numeric_tennis()), row)


def test_markup_in_names_is_text_in_a_notebook() -> None:
    bad = "<script>alert(1)</script>"
    schema = Schema((Nominal(bad, ("a\nb", "&")),), Nominal("t", (bad, "yes")))
    branches = (
        Branch(Equals(bad, "a\nb"), 0.5, Leaf((3.0, 0.0))),
        Branch(Equals(bad, "&"), 0.5, Leaf((0.0, 2.0))),
    )
    explanation = cw.explain(tree_of(schema, Split((3.0, 2.0), {}, branches)), {bad: "&"})
    assert "<script>" not in explanation._repr_html_()
    assert "a\\nb" in str(explanation)


def test_a_cutoff_that_decided_against_the_likelier_class_is_named() -> None:
    table = book_table("tennis", target="PlayTennis")
    tree = cw.ID3(max_depth=1).learn(table)
    explanation = cw.explain(replace(tree, decision=Decision(cutoff=Cutoff("No", 0.3))), {"Outlook": "Rainy"})
    assert explanation.answer == "No"
    text = str(explanation)
    assert "Yes is more probable, 0.6: the cutoff decides, No from a probability of 0.3 on." in text
    assert "costs" not in text
    data = explanation.to_json()
    assert data["decided_by"] == "cutoff"
    assert data["cutoff"] == {"positive": "No", "at": 0.3}


def test_an_explanation_names_the_shares_before_calibration_and_why_a_row_is_referred() -> None:
    table = book_table("tennis", target="PlayTennis")
    model = cw.calibrate(cw.NaiveBayes().learn(table.take(np.arange(8))), table.take(np.arange(6, 14)))
    row = {"Outlook": "Sunny"}
    before = cw.shares(replace(model, decision=Decision()), [{name: row.get(name) for name in NAMES}])[0]
    told = cw.explain(cw.with_refer(model, 0.9), row)
    assert told.notes == (
        f"Probabilities are calibrated; before that they were: No {before[0]:.2g}, Yes {before[1]:.2g}.",
        "No class has a probability of at least 0.9, so that the row is referred.",
    )
    assert told.answer is None
    assert told.to_json()["notes"] == list(told.notes)


NAMES = ("Outlook", "Temperature", "Humidity", "Wind")
