"""A model file holds a whole rule list, and only a whole one is read from it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.auditing import audit
from clearwood.errors import ModelFileError, TableError
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    OneOf,
    never_holds,
)
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from tests.models.published_schema import fits_the_published_schema
from tests.rules_of_every_kind import SCHEMA, rule_lists
from tests.trees import trees
from tests.typed import mistyped

RULES = RuleList(
    SCHEMA,
    (Rule((Equals("colour", "red"), AtMost("weight", 2.5)), "a", (3.0, 1.0, 0.0)), Rule((), "b")),
    Otherwise("c", (0.0, 0.0, 2.0)),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rule_lists())
def test_rules_come_back_as_they_were_and_fit_the_published_schema(rules: RuleList) -> None:
    text = to_json(rules)
    assert from_json(text) == rules
    fits_the_published_schema(text)


@pytest.mark.parametrize(
    "condition",
    [
        Between("weight", 50.0, 30.0),
        Between("weight", -math.inf, math.inf),
        Above("weight", math.inf),
        AtMost("weight", -math.inf, or_missing=True),
        OneOf("colour", ()),
        OneOf("colour", ("red", "red")),
    ],
    ids=str,
)
def test_a_rule_that_no_row_satisfies_is_saved_and_audited_all_the_same(condition: Condition) -> None:
    rules = RuleList(SCHEMA, (Rule((condition,), "a"),))
    text = to_json(rules)
    fits_the_published_schema(text)
    read = from_json(text)
    assert read == rules
    assert isinstance(read, RuleList)
    assert bool(audit(read).impossible) == never_holds(condition)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(trees())
def test_the_rules_of_any_tree_come_back(tree: Tree) -> None:
    assert from_json(to_json(rules_of(tree))) == rules_of(tree)


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (lambda d: d["rules"][0].update(then="d"), "Rule 1: No class 'd'"),
        (lambda d: d["rules"][0].pop("then"), r"rules\[0\]: 'then' is missing"),
        (lambda d: d["rules"][0].update(counts=[1.0]), "counts must be 3 numbers, not 1"),
        (lambda d: d["rules"][0].update(counts=[1.0, -1.0, 0]), r"counts\[1\] must be a finite number ≥ 0"),
        (lambda d: d["rules"][0]["when"][0].update(column="color"), "Did you mean 'colour'"),
        (lambda d: d["rules"][0]["when"][0].update({"is": "pink"}), "No value of colour called 'pink'"),
        (lambda d: d["rules"][0]["when"][1].update(at_most="2"), "at_most must be a finite number"),
        (lambda d: d["rules"][0]["when"][1].update({"is": "red"}), "must have 'is', 'in', 'above'"),
        (lambda d: d["rules"][0]["when"][1].update(above="inf"), "above must be a finite number"),
        (lambda d: d["rules"][0]["when"][1].update(known=True), "must have 'is', 'in', 'above'"),
        (lambda d: d["rules"][0]["when"][0].update({"is": 1}), r"when\[0\].is must be text, not 1"),
        (lambda d: d["rules"][0].update(when="always"), r"rules\[0\].when must be a list"),
        (lambda d: d.update(matching="last"), "No matching called 'last'"),
        (lambda d: d.update(matching=[]), "matching must be one of first, vote"),
        (lambda d: d.update(otherwise={"then": 3}), "No class '3.0'"),
        (lambda d: d.update(otherwise={"then": 10**400}), "then must be a class or a finite number"),
        (lambda d: d.update(otherwise="a"), "otherwise must be an object"),
        (lambda d: d.update(more=1), "No field 'more'"),
    ],
)
def test_a_forged_file_gets_a_sentence(forge: Callable[[dict[str, Any]], object], sentence: str) -> None:
    data = json.loads(to_json(RULES))
    forge(data["body"])
    with pytest.raises(ModelFileError, match=sentence):
        from_json(json.dumps(data))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_mutated_file_is_a_rule_list_or_a_sentence(data: st.DataObject) -> None:
    text = to_json(RULES)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.text(max_size=3)) + text[at + length :]
    try:
        rules = from_json(text)
    except ModelFileError:
        return
    assert from_json(to_json(rules)) == rules


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (Rule((Equals("color", "red"),), "a"), "Rule 1: No column 'color'. Did you mean 'colour'"),
        (Rule((Equals("kind", "a"),), "a"), "'kind' is the target"),
        (Rule((Equals("colour", "rot"),), "a"), "No value of colour called 'rot'. Values: red"),
        (Rule((AtMost("colour", 1.0),), "a"), "is nominal; it cannot have 'colour ≤ 1'"),
        (Rule((Equals("weight", "1"),), "a"), "is numeric; it cannot have 'weight = 1'"),
        (Rule((), "z"), "No class 'z'"),
    ],
)
def test_a_rule_that_no_row_can_be_asked_is_refused(rule: Rule, sentence: str) -> None:
    with pytest.raises(TableError, match=sentence):
        RuleList(SCHEMA, (rule,))


NUMBERS = Schema((Numeric("x"),), Numeric("y"))
BARE: Any = Equals("colour", "red")  # a condition where a rule wants a tuple of them


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: RuleList(NUMBERS, (), matching="vote"), "Rules vote for classes"),
        (lambda: RuleList(NUMBERS, (Rule((AtMost("x", float("nan")),), 1.0),)), "no number"),
        (lambda: RuleList(NUMBERS, (Rule((), float("nan")),)), "a finite number, not nan"),
        (lambda: RuleList(NUMBERS, (Rule((), True),)), "a finite number, not True"),
        (lambda: RuleList(SCHEMA, (Rule((), "a", (1.0, -1.0, 0.0)),)), "weights not below 0"),
        (lambda: RuleList(SCHEMA, (), Otherwise(None, (1.0,))), "Otherwise: counts must be 3 numbers"),
        (lambda: RuleList(SCHEMA, (Rule(BARE, "a"),)), r"a rule is Rule\(\(condition"),
    ],
)
def test_what_is_no_rule_list_is_refused_when_made(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(TableError, match=sentence):
        make()


def test_a_list_of_rules_is_kept_as_a_tuple() -> None:
    assert RuleList(SCHEMA, mistyped([Rule((), "a")])).rules == (Rule((), "a"),)


@pytest.mark.parametrize(
    ("bounds", "condition"),
    [
        ({"below": 21}, Below("weight", 21.0)),
        ({"at_least": 21}, AtLeast("weight", 21.0)),
        ({"at_least": 3, "below": 7}, Between("weight", 3.0, 7.0, low_included=True, high_included=False)),
        ({"above": 3, "below": 7}, Between("weight", 3.0, 7.0, high_included=False)),
    ],
)
def test_a_bound_may_be_open_or_closed(bounds: dict[str, float], condition: Condition) -> None:
    data = json.loads(to_json(RuleList(SCHEMA, (Rule((AtMost("weight", 1.0),), "a"),))))
    data["body"]["rules"][0]["when"] = [{"column": "weight", **bounds}]
    read = from_json(json.dumps(data))
    assert isinstance(read, RuleList)
    assert read.rules[0].when == (condition,)


def test_a_bound_from_two_fields_is_refused() -> None:
    data = json.loads(to_json(RuleList(SCHEMA, (Rule((AtMost("weight", 1.0),), "a"),))))
    data["body"]["rules"][0]["when"][0]["below"] = 2
    with pytest.raises(ModelFileError, match=r"body.rules\[0\].when\[0\] must have"):
        from_json(json.dumps(data))
