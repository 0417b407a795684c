"""Rules answer rows natively just as their definition says, one row at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import clearwood as cw
from clearwood import _native, datasets
from clearwood.formulas.conditions import Equals, OneOf
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.decision import ShareSmoothing
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.predicting import predict, predict_codes, shares
from clearwood.predicting.of_rules import first_rule, rule_counts
from clearwood.predicting.one import rules_that_hold
from clearwood.predicting.row import row_predictor
from clearwood.scoring.evaluation import ClassEvaluation, evaluate
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.definitions.row_by_rules import answer_by_rules, shares_by_rules
from tests.rules_of_every_kind import SCHEMA, row_of, rule_lists, tables


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(rule_lists(), tables())
def test_every_row_gets_the_answer_of_the_definition(rules: RuleList, table: Table) -> None:
    answers = predict(rules, table)
    for row in range(len(table)):
        assert answers[row] == answer_by_rules(rules, row_of(table, row))


@pytest.mark.slow
@pytest.mark.parametrize("smoothing", [None, "laplace", 2.0])
@settings(max_examples=60, deadline=None)
@given(rules=rule_lists(), table=tables())
def test_every_row_gets_the_shares_of_the_definition(
    rules: RuleList, table: Table, smoothing: ShareSmoothing
) -> None:
    class_shares = shares(rules, table, smoothing=smoothing)
    for row in range(len(table)):
        expected = list(shares_by_rules(rules, row_of(table, row), smoothing).values())
        assert class_shares[row] == pytest.approx(expected)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(rule_lists(), tables())
def test_counts_are_of_the_rows_that_satisfy_and_of_those_taken_first(rules: RuleList, table: Table) -> None:
    covered, answered = np.zeros((len(rules), 3)), np.zeros((len(rules) + 1, 3))
    for row in range(len(table)):
        code, weight = int(table.columns["kind"][row]), 1.0
        weight = weight if table.weights is None else float(table.weights[row])
        held = rules_that_hold(rules, row_of(table, row))
        if code >= 0:
            covered[held, code] += weight
            answered[held[0] if held else -1, code] += weight
    counts = rule_counts(SCHEMA, rules, table)
    assert np.array_equal(counts[0], covered)
    assert np.array_equal(counts[1], answered)


def test_rows_beyond_one_block_are_matched_alike() -> None:
    rows = 3 * 4096 + 77
    table = Table(
        SCHEMA,
        {
            "colour": np.arange(rows, dtype=np.int32) % 3,
            "size": np.zeros(rows, dtype=np.int32),
            "weight": np.zeros(rows),
            "height": np.zeros(rows),
            "kind": np.arange(rows, dtype=np.int32) % 2,
        },
        np.full(rows, 0.1),
    )
    rules = RuleList(SCHEMA, (Rule((Equals("colour", "green"),), "b"),), Otherwise("a"))
    assert (first_rule(rules, table) == np.where(np.arange(rows) % 3 == 1, 0, -1)).all()
    one = rule_counts(SCHEMA, rules, table)
    _native.set_thread_count(1)
    try:
        assert all(np.array_equal(a, b) for a, b in zip(one, rule_counts(SCHEMA, rules, table), strict=True))
    finally:
        _native.set_thread_count(0)


def test_where_a_list_says_nothing_the_answer_is_none_and_counted_apart() -> None:
    table = cw.read_table(datasets.path("tennis"), target="PlayTennis")
    rules = RuleList(table.schema, (Rule((Equals("Outlook", "Overcast"),), "Yes"),))
    answers = predict(rules, table)
    assert [answer for answer in answers if answer is not None] == ["Yes"] * 4
    assert shares(rules, table)[0].tolist() == [0.0, 0.0]
    assert predict_codes(rules, table).min() == -1
    judged = evaluate(rules, table)
    assert isinstance(judged, ClassEvaluation)
    assert (judged.right, judged.weight) == (4.0, 14.0)
    assert judged.answered == pytest.approx(4 / 14)
    assert str(judged).splitlines() == [
        "accuracy 1.0000 (0.5101 to 1.0000 at 95 %) of 4 rows predicted; 10 of 14 left without a prediction",
        "true / predicted  No  Yes  (nothing)  recall  precision",
        "No                 0    0          5       –          –",
        "Yes                0    4          5  1.0000     1.0000",
        "–: no predicted row is No; no row was predicted as No",
    ]


def test_one_row_at_a_time_takes_rules_too() -> None:
    table = cw.read_table(datasets.path("tennis_numeric"), target="Play")
    rules = rules_of(cw.C45().learn(table))
    ask = row_predictor(rules)
    row = {"Outlook": "Sunny", "Temperature": 20.0, "Humidity": 70.0, "Wind": "Weak"}
    assert ask(row) == "Play"
    assert ask.shares(row) == {"Don't Play": 0.0, "Play": 1.0}
    assert ask({**row, "Outlook": None}) == "Play"


def test_smoothing_draws_towards_the_shares_of_all_rows_each_counted_once() -> None:
    table = cw.read_table(datasets.path("tennis"), target="PlayTennis")
    for learner in (cw.ILA(), cw.PRISM(), cw.C45Rules(), cw.CN2(rules="unordered")):
        class_shares = shares(learner.learn(table), table, smoothing=1e12)
        assert class_shares[0] == pytest.approx([5 / 14, 9 / 14])


@pytest.mark.slow
def test_thousands_of_values_take_little_memory() -> None:
    values = tuple(f"v{i}" for i in range(30_000))
    schema = Schema((Nominal("id", values),), Nominal("kind", ("a", "b")))
    rules = tuple(Rule((OneOf("id", values[i : i + 2]),), "a") for i in range(0, 30_000, 2))
    rows = Table(schema, {"id": np.array([0, 29_999, -1, -2], dtype=np.int32)})
    assert first_rule(RuleList(schema, rules), rows).tolist() == [0, 14_999, -1, -1]


def test_the_interval_of_a_number_goes_by_the_rows_that_its_rule_took() -> None:
    schema = Schema((Nominal("a", ("x", "y", "z")),), Numeric("price"))
    rules = (Rule((Equals("a", "x"),), 5.0, (4.0, 5.0, 8.0)), Rule((Equals("a", "y"),), 7.0))
    model = RuleList(schema, rules, Otherwise(1.0, (16.0, 1.0, 16.0)))
    ends = cw.intervals(model, [{"a": "x"}, {"a": "y"}, {"a": "z"}])
    z = 1.959964
    assert ends[0].tolist() == pytest.approx([5 - z * (2 / 4) ** 0.5, 5 + z * (2 / 4) ** 0.5], abs=1e-5)
    assert np.isnan(ends[1]).all()
    assert ends[2].tolist() == pytest.approx([1 - z / 4, 1 + z / 4], abs=1e-5)


@pytest.mark.parametrize("lacking", ["target", "classes", "column"])
def test_rows_are_counted_by_class_only_where_classes_are_known(lacking: str) -> None:
    inputs, cells = (Nominal("a", ("x", "y")),), {"a": np.array([0, 1], dtype=np.int32)}
    of_classes = Schema(inputs, Nominal("class", ("no", "yes")))
    schema = {
        "target": Schema(inputs),
        "classes": Schema(inputs, Numeric("class")),
        "column": of_classes,
    }[lacking]
    known = {"classes": {"class": np.array([1.0, 2.0])}, "target": {}, "column": {}}[lacking]
    with pytest.raises(cw.errors.SchemaError, match="needs a target column of classes"):
        rule_counts(schema, [(Equals("a", "x"),)], Table(schema, {**cells, **known}))
