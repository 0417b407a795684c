"""ILA on contradictions, wide tables, empty cells and new rows: a sentence or defined behaviour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from clearwood import datasets, read_table
from clearwood.errors import Advice, ClearwoodWarning, LearningError, SettingError
from clearwood.formulas.conditions import AtMost, Condition, Equals, OneOf
from clearwood.learners.rules import ila_definition
from clearwood.learners.rules.ila import ILA, ILA2, ILA3, ILA4
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.learners.test_ila import nominal, quiet, rule_texts

MISSINGS = ("lost", "cautious", "mode", "class_mode", "delete")


def test_numbers_are_cut_and_written_back_as_numbers() -> None:
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    with quiet():
        rules = ILA(cuts="width", bins=2).learn(table)
    assert any(isinstance(c, AtMost) and c.limit == 80.5 for rule in rules for c in rule.when)
    assert rules.schema == table.schema


@pytest.mark.parametrize("missing", MISSINGS)
def test_empty_cells_are_treated_as_told(missing: Any) -> None:
    x, z = [("x", "p", "yes"), ("x", "q", "yes")], [("z", "q", "no"), ("z", "q", "no"), ("z", None, "no")]
    with quiet():
        actual = rule_texts(
            ILA4(missing=missing, class_order=("yes",)).learn(nominal([*x, (None, "q", "no"), *z]))
        )
    expected = {
        "lost": ["IF a0 = x THEN yes", "IF a0 = z THEN no"],
        "cautious": ["IF a0 = x AND a1 = p THEN yes", "IF a0 = z THEN no"],  # an empty cell could be x, or p
        "mode": ["IF a0 = x THEN yes", "IF a0 = z or missing THEN no"],
        "class_mode": ["IF a0 = x THEN yes", "IF a0 = z THEN no"],
        "delete": ["IF a0 = x THEN yes", "IF a0 = z THEN no"],
    }[missing]
    assert actual == expected


def test_contradictory_rows_are_left_over_and_named() -> None:
    table = nominal([("x", "yes"), ("y", "yes"), ("y", "no"), ("z", "no")])
    with pytest.warns(ClearwoodWarning, match="all rows but 2, .* rows 2, 3"):
        rules = ILA(class_order=("yes",)).learn(table)
    assert rule_texts(rules) == ["IF a0 = x THEN yes", "IF a0 = z THEN no"]


def test_where_no_rule_is_possible_there_is_none() -> None:
    table = nominal([("x", "p", "yes"), ("x", "p", "no")] * 3)
    with pytest.warns(ClearwoodWarning, match="all rows but 6"):
        rules = ILA().learn(table)
    assert len(rules) == 0
    assert rules.otherwise.then == "no"  # of equal classes the first by name


def test_contradictions_in_a_wide_table_end_at_once() -> None:
    cells = tuple(f"v{i}" for i in range(60))
    table = nominal([(*cells, "yes"), (*cells, "no")])
    with pytest.warns(ClearwoodWarning, match="all rows but 2"):
        ILA().learn(table)
    with pytest.warns(ClearwoodWarning, match="all rows but 2"):
        ILA2().learn(table)


@pytest.mark.slow
def test_too_many_combinations_are_refused_beforehand() -> None:
    random = np.random.default_rng(1)
    rows = [(*map(str, random.integers(0, 2, 60).tolist()), str(random.integers(0, 2))) for _ in range(400)]
    with pytest.raises(LearningError, match="60 columns have 5,461,512 combinations of 5 ") as refused:
        ILA(missing="lost").learn(nominal(rows))
    assert refused.value.advice == (Advice("max_conditions", 4, setting=True),)


@pytest.mark.slow
def test_more_work_than_a_minute_is_refused_unless_max_conditions_asks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    rows = [(*map(str, random.integers(0, 2, 12).tolist()), str(random.integers(0, 2))) for _ in range(120)]
    table = nominal(rows)
    monkeypatch.setattr(ila_definition, "MOST_WORK", 12 * 11 // 2 * 120)  # all pairs, in all rows
    message = r"has \d+ rows that fewer than 3 .* 12 columns have 220 combinations of 3\. With 1\d\d rows"
    with pytest.raises(
        LearningError,
        match=message + r" to count for each that is 2\d,\d+ looks at a row, about ",
    ) as one:
        ILA().learn(table)
    assert one.value.advice == tuple(Advice("max_conditions", most, setting=True) for most in (2, 3))
    with pytest.raises(LearningError) as other:
        ILA().learn_with_steps(table)
    assert str(one.value) == str(other.value)
    with quiet():
        assert ILA(max_conditions=12).learn(table) == ILA(max_conditions=12).learn_with_steps(table)[0]


@pytest.mark.slow
def test_a_wide_table_is_refused_before_minutes_have_passed() -> None:
    random = np.random.default_rng(1)
    rows = [(*map(str, random.integers(0, 2, 300).tolist()), str(random.integers(0, 2))) for _ in range(2000)]
    message = r"300 columns have 4,455,100 combinations of 3\..* about 89 seconds of work"
    with pytest.raises(LearningError, match=message):
        ILA().learn(nominal(rows))


def test_one_class_needs_one_rule_a_value() -> None:
    rules = ILA().learn(nominal([("x", "yes"), ("x", "yes"), ("y", "yes")]))
    assert rule_texts(rules) == ["IF a0 = x THEN yes", "IF a0 = y THEN yes"]


def test_a_table_without_a_known_cell_gives_no_rule() -> None:
    table = nominal([("x", "yes"), ("y", "no")])
    table.columns["a0"][:] = MISSING
    for missing in ("lost", "cautious", "mode", "class_mode"):
        with pytest.warns(ClearwoodWarning, match="all rows but 2"):
            assert len(ILA(missing=missing).learn(table)) == 0
    with pytest.raises(LearningError, match="Every row has an empty cell"):
        ILA(missing="delete").learn(table)


def test_a_value_outside_the_schema_satisfies_nothing() -> None:
    table = nominal([("x", "yes"), ("y", "no"), ("y", "no")])
    table.columns["a0"][0] = UNSEEN
    with pytest.warns(ClearwoodWarning, match="row 1"):
        assert rule_texts(ILA4().learn(table)) == ["IF a0 = y or missing THEN no"]


def test_numbers_without_a_cut_are_left_out_by_name() -> None:
    columns = {"x": np.array([1.0, 2, 1, 2]), "y": np.array([0, 0, 1, 1], np.int32)}
    table = Table(Schema((Numeric("x"),), Nominal("y", ("no", "yes"))), columns)
    with pytest.warns(ClearwoodWarning) as text:
        rules = ILA().learn(table)
    assert len(rules) == 0
    assert "left out: x" in str(text[0].message)


def test_thousands_of_values_are_no_trouble() -> None:
    rows = 3000
    codes = np.arange(rows, dtype=np.int32)
    schema = Schema(
        (Nominal("id", tuple(map(str, codes))), Nominal("b", ("p", "q"))), Nominal("y", ("no", "yes"))
    )
    columns = {"id": codes, "b": codes % 2, "y": (codes % 3 == 0).astype(np.int32)}
    rules = ILA().learn(Table(schema, columns))
    assert len(rules) == rows  # every identity is a rule of its own; only a person can know better
    assert all(len(rule.when) == 1 for rule in rules)


def test_duplicate_rows_count_as_often_as_they_are_there() -> None:
    rules = ILA(class_order=("yes",)).learn(nominal([("x", "yes")] * 3 + [("y", "no")] * 2))
    assert [rule.counts for rule in rules] == [(3.0, 0.0), (0.0, 2.0)]


def test_new_values_and_classes_widen_the_schema() -> None:
    seen, new = nominal([("x", "yes"), ("y", "no")]), nominal([("z", "maybe"), ("x", "yes")])
    learner = ILA(class_order=("yes", "no"))
    rules = learner.learn_more(learner.learn(seen), seen, new)
    assert rule_texts(rules) == ["IF a0 = x THEN yes", "IF a0 = y THEN no", "IF a0 = z THEN maybe"]
    assert rules.schema.classes == ("yes", "no", "maybe")


def test_only_rules_that_new_rows_contradict_are_deleted() -> None:
    seen = nominal([("x", "p", "yes"), ("y", "q", "yes"), ("z", "q", "no")])
    learner = ILA(class_order=("yes",))
    before = learner.learn(seen)
    assert rule_texts(before) == ["IF a0 = x THEN yes", "IF a0 = y THEN yes", "IF a0 = z THEN no"]
    rules = learner.learn_more(before, seen, nominal([("x", "q", "no")]))
    assert rule_texts(rules) == [
        "IF a0 = y THEN yes",
        "IF a0 = z THEN no",
        "IF a1 = p THEN yes",
        "IF a0 = x AND a1 = q THEN no",
    ]


def test_an_order_that_two_tables_disagree_on_is_refused() -> None:
    seen = nominal([("x", "yes"), ("y", "no")])
    one, two = (
        replace(seen, schema=replace(seen.schema, attributes=(Ordinal("a0", values),)))
        for values in (("x", "y"), ("y", "x"))
    )
    with pytest.raises(ValueError, match="Declare one order for both"):
        ILA().learn_more(ILA().learn(one), one, two)


def test_a_setting_that_makes_no_sense_is_refused() -> None:
    for wrong in (
        {"penalty": -1},
        {"max_conditions": 0},
        {"missing": "lots"},
        {"alpha": 0},
        {"cuts": "none"},
    ):
        with pytest.raises(SettingError):
            ILA(**wrong)
    assert (ILA2().penalty, ILA3().drop_irrelevant, ILA4().missing) == (1, True, "mode")
    joined: Condition = OneOf("a", ("x",), or_missing=True)
    assert joined != Equals("a", "x")
