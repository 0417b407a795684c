"""PRISM: the lenses worked by hand, WEKA's rules to the last, and tables that are hard on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.formulas.conditions import AtMost, Equals
from clearwood.learners.rules.prism import PRISM
from clearwood.models.kinds.rules.rule_list import Otherwise
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from tests.nominal_tables import named_as_declared, nominal_table, rules_by_position
from tests.shared_data import load_shared
from tests.typed import mistyped

FIGURES: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[1] / "figures" / "prism.json").read_text(encoding="utf-8")
)["tables"]


def table_of(a: list[int], y: list[int], classes: int = 2, weights: list[float] | None = None) -> Table:
    schema = Schema((Nominal("a", tuple("uvwx")),), Nominal("y", tuple("ABCD"[:classes])))
    columns = {"a": np.array(a, np.int32), "y": np.array(y, np.int32)}
    return Table(schema, columns, None if weights is None else np.array(weights))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FIGURES))
def test_the_rules_are_those_of_weka(name: str) -> None:
    kind, _, seed = name.partition(" ")
    table = nominal_table(int(seed)) if kind == "generated" else load_shared(name, train=True)
    assert rules_by_position(PRISM().learn(named_as_declared(table))) == FIGURES[name]


def test_hard_lenses_as_worked_by_hand() -> None:
    rules, steps = PRISM().learn_with_steps(load_shared("contact_lenses"))
    hard = [step for step in steps if step.then == "hard" and step.rule == 1]
    assert [(str(step.chosen.condition), step.chosen.right, step.chosen.taken) for step in hard] == [
        ("astigmatism = yes", 4, 12),
        ("tear-prod-rate = normal", 4, 6),
        ("spectacle-prescrip = myope", 3, 3),
    ]
    # Four of twelve both, and astigmatism comes first in the schema.
    assert "  → astigmatism = yes: 4 of 12" in str(hard[0])
    assert "    tear-prod-rate = normal: 4 of 12" in str(hard[0])
    first = next(rule for rule in rules if rule.then == "hard")
    assert first.when == tuple(step.chosen.condition for step in hard)
    assert first.counts == (0, 3, 0)


def test_a_rule_counts_only_rows_no_earlier_rule_takes() -> None:
    rules = PRISM().learn(load_shared("car"))
    everything = np.sum([rule.counts for rule in rules], axis=0)
    assert everything.tolist() == [1210.0, 384.0, 69.0, 65.0]
    assert rules.otherwise == Otherwise(rules.schema.classes[0], (0.0, 0.0, 0.0, 0.0))  # no row is left


def test_contradictory_rows_end_in_a_rule_that_is_not_pure() -> None:
    rules = PRISM().learn(table_of([0, 0, 0, 1], [0, 0, 1, 1]))
    assert [(str(rule), rule.counts) for rule in rules] == [
        ("IF a = u THEN A", (2, 1)),
        ("IF a = v THEN B", (0, 1)),
        ("IF a = u THEN B", (0, 0)),
    ]


def test_one_class_needs_no_condition() -> None:
    rules = PRISM().learn(table_of([0, 1, 2], [0, 0, 0]))
    assert [(rule.when, rule.then, rule.counts) for rule in rules] == [((), "A", (3, 0))]


def test_a_row_of_empty_cells_is_covered_by_no_rule() -> None:
    rules = PRISM().learn(table_of([0, 0, 1, MISSING, MISSING], [0, 0, 1, 1, 1]))
    assert [str(rule) for rule in rules] == ["IF a = u THEN A", "IF a = v THEN B"]
    assert (rules.otherwise.then, rules.otherwise.counts) == ("B", (0, 2))
    assert PRISM(otherwise="abstain").learn(table_of([0, 1], [0, 1])).otherwise.then is None


def test_nothing_but_empty_cells_gives_no_rule_and_the_majority() -> None:
    rules = PRISM().learn(table_of([MISSING] * 3, [0, 1, 1]))
    assert len(rules) == 0
    assert rules.otherwise.then == "B"


def test_a_weight_of_two_is_two_rows() -> None:
    twice = PRISM().learn(table_of([0, 0, 0, 1, 1], [0, 0, 1, 1, 1]))
    weighed = PRISM().learn(table_of([0, 0, 1], [0, 1, 1], weights=[2, 1, 2]))
    assert twice.rules == weighed.rules


def test_numbers_are_cut_beforehand_and_the_rules_speak_of_numbers() -> None:
    x = np.array([1.0, 2, 3, 4, 10, 11, 12, 13, np.nan])
    columns: dict[str, Any] = {"x": x, "y": (x > 5).astype(np.int32)}
    table = Table(Schema((Numeric("x"),), Nominal("y", ("low", "high"))), columns)
    rules, steps = PRISM().learn_with_steps(table)
    assert rules.rules == PRISM().learn(table).rules
    assert [rule.when for rule in rules if rule.then == "low"] == [(AtMost("x", 7.0),)]
    assert next(step for step in steps if step.then == "low").chosen.condition == AtMost("x", 7.0)


def test_a_number_without_a_cut_is_left_out_aloud() -> None:
    columns = {
        "x": np.array([1.0, 1, 1, 1]),
        "a": np.array([0, 0, 1, 1], np.int32),
        "y": np.array([0, 0, 1, 1], np.int32),
    }
    table = Table(Schema((Numeric("x"), Nominal("a", ("u", "v"))), Nominal("y", ("A", "B"))), columns)
    with pytest.warns(ClearwoodWarning, match="left out: x"):
        rules = PRISM().learn(table)
    assert rules.rules[0].when == (Equals("a", "u"),)


def test_thousands_of_values_are_no_trouble() -> None:
    values = tuple(f"v{i}" for i in range(2000))
    codes = np.arange(2000, dtype=np.int32)
    table = Table(
        Schema((Nominal("a", values),), Nominal("y", ("A", "B"))),
        {"a": codes, "y": (codes % 2).astype(np.int32)},
    )
    rules = PRISM().learn(table)
    assert len(rules) == 2000
    assert all(sum(rule.counts) == 1 for rule in rules)


def test_wrong_settings_are_refused_when_made() -> None:
    with pytest.raises(SettingError, match="Did you mean 'abstain'"):
        PRISM(otherwise=mistyped("abstian"))
    with pytest.raises(SettingError, match="bins must be at least 2"):
        PRISM(bins=1)
