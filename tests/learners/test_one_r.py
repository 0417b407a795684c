"""OneR: the weather by hand, WEKA's rules to the last, and its definition on random tables."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.errors import SettingError
from clearwood.formulas.conditions import Above, AtMost, Between, Equals, IsMissing
from clearwood.learners.rules.one_r import OneR
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.predicting import predict
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table
from tests.definitions.one_r import one_rule
from tests.learners.random_tables import random_tables
from tests.nominal_tables import named_as_declared, nominal_table, rules_of_one_column
from tests.shared_data import load_shared

FIGURES: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[1] / "figures" / "one_r.json").read_text(encoding="utf-8")
)["tables"]


def of_numbers(x: list[float], y: list[int], weights: list[float] | None = None) -> Table:
    schema = Schema((Numeric("x"),), Nominal("y", tuple("ABC")))
    columns: dict[str, Column] = {"x": np.array(x, np.float64), "y": np.array(y, np.int32)}
    return Table(schema, columns, None if weights is None else np.array(weights))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FIGURES))
def test_the_rules_are_those_of_weka(name: str) -> None:
    kind, _, seed = name.partition(" ")
    table = nominal_table(int(seed)) if kind == "generated" else load_shared(name, train=True)
    assert rules_of_one_column(OneR().learn(named_as_declared(table))) == FIGURES[name]


def test_the_weathers_outlook_as_worked_by_hand() -> None:
    rules = OneR().learn(load_shared("weather_nominal"))
    outlook = {str(rule.when[0]): (rule.then, sum(rule.counts), max(rule.counts)) for rule in rules}
    assert outlook == {  # 4 + 3 + 3 of 14; Humidity has as many, and comes later
        "outlook = overcast": ("yes", 4, 4),
        "outlook = rainy": ("yes", 5, 3),
        "outlook = sunny": ("no", 5, 3),
    }


def test_humiditys_intervals_as_witten_and_frank_work_them() -> None:
    table = load_shared("weather_numeric")
    alone = Table(
        Schema((Numeric("humidity"),), table.schema.target),
        {name: table.columns[name] for name in ("humidity", "play")},
    )
    rules = OneR(min_bucket=3).learn(alone)
    assert [(rule.when[0], rule.then) for rule in rules] == [
        (AtMost("humidity", 82.5), "yes"),
        (Between("humidity", 82.5, 95.5), "no"),
        (Above("humidity", 95.5), "yes"),
    ]


def test_an_interval_goes_on_while_its_class_is_the_next_values() -> None:
    rules = OneR(min_bucket=2).learn(of_numbers([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 0]))
    assert [(rule.when[0], rule.then, rule.counts) for rule in rules] == [
        (AtMost("x", 3.5), "A", (3, 0, 0)),
        (Between("x", 3.5, 5.5), "B", (0, 2, 0)),
        (Above("x", 5.5), "A", (1, 0, 0)),
    ]


def test_a_number_of_one_interval_needs_no_rule() -> None:
    rules = OneR().learn(of_numbers([1, 2, 3, np.nan], [0, 1, 0, 1]))
    assert [(rule.when[0], rule.then) for rule in rules] == [(IsMissing("x"), "B")]
    assert (rules.otherwise.then, rules.otherwise.counts) == ("A", (2, 1, 0))


def test_missing_cells_have_a_rule_and_values_never_seen_the_most_common_class() -> None:
    schema = Schema((Nominal("a", ("u", "v", "w")),), Nominal("y", ("A", "B")))
    table = Table(
        schema,
        {"a": np.array([0, 0, 1, MISSING, 1], np.int32), "y": np.array([0, 0, 1, 1, 1], np.int32)},
    )
    rules = OneR().learn(table)
    assert [(rule.when[0], rule.then) for rule in rules] == [
        (Equals("a", "u"), "A"),
        (Equals("a", "v"), "B"),
        (IsMissing("a"), "B"),
    ]
    assert list(predict(rules, [{"a": "w"}, {"a": "never"}, {"a": None}])) == ["B", "B", "B"]


def test_a_weight_of_two_is_two_rows() -> None:
    twice = OneR(min_bucket=2).learn(of_numbers([1, 1, 2, 3, 3], [0, 0, 1, 1, 1]))
    weighed = OneR(min_bucket=2).learn(of_numbers([1, 2, 3], [0, 1, 1], weights=[2, 1, 2]))
    assert twice.rules == weighed.rules


def test_cuts_of_the_schema_are_the_only_ones() -> None:
    schema = Schema((Numeric("x", (10.0, 20.0, 30.0)),), Nominal("y", ("A", "B")))
    x = np.array([1.0, 12, 13, 25, 35])
    rules = OneR(min_bucket=1).learn(Table(schema, {"x": x, "y": np.array([0, 0, 0, 1, 1], np.int32)}))
    assert [rule.when[0] for rule in rules] == [AtMost("x", 20.0), Above("x", 20.0)]


def test_a_hundred_thousand_numbers_are_cut_at_once() -> None:
    random = np.random.default_rng(0)
    x = random.random(100_000)
    rules = OneR(min_bucket=50).learn(of_numbers(x.tolist(), (x + random.random(100_000) > 1).tolist()))
    assert predict(rules, [{"x": 0.0}, {"x": 1.0}]).tolist() == ["A", "B"]


def test_a_wrong_bucket_is_refused_when_made() -> None:
    with pytest.raises(SettingError, match="min_bucket must be at least 0"):
        OneR(min_bucket=-1)


@settings(max_examples=100, deadline=None)
@given(
    table=random_tables(("nominal", "ordinal"), weights=("none",), max_values=20, spare_class=False),
    min_bucket=st.integers(1, 8),
)
def test_the_rules_are_those_of_the_definition(table: Table, min_bucket: int) -> None:
    rules = OneR(min_bucket=min_bucket).learn(table)
    column, classes, right = one_rule(table, min_bucket)
    counts = [rule.counts for rule in rules] + [rules.otherwise.counts]
    assert sum(max(each) for each in counts) == right
    assert {condition.name for rule in rules for condition in rule.when} <= {column}
    assert learned_classes(rules, table, column) == classes


def learned_classes(rules: RuleList, table: Table, column: str) -> dict[str, str | float | None]:
    """The rules in the words of the definition, an interval by the largest number in it."""
    found: dict[str, str | float | None] = {}
    attribute = table.schema[column]
    cells = table.columns[column]
    for rule in rules:
        match rule.when[0]:
            case IsMissing():
                found["missing"] = rule.then
            case Equals(_, value):
                assert isinstance(attribute, Nominal | Ordinal)
                found[str(attribute.values.index(value))] = rule.then
            case AtMost(_, high) | Between(_, _, high):
                found[f"≤ {float(cells[cells <= high].max()) + 0.0}"] = rule.then
            case _:
                found[f"≤ {float(np.nanmax(cells)) + 0.0}"] = rule.then
    if isinstance(attribute, Numeric) and not found.keys() - {"missing"} and not np.isnan(cells).all():
        found[f"≤ {float(np.nanmax(cells)) + 0.0}"] = rules.otherwise.then
    return found
