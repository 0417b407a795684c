"""Limits: what people write and what is evaluated are the same of every number."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.formulas.conditions import (
    Limit,
    OnNumbers,
    bounds_of,
    high_bound,
    high_limit,
    holds,
    interval,
    limits_of,
    low_bound,
    low_limit,
)
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import merged_conditions
from tests.definitions.row_by_rules import answer_by_rules

AGES = cw.Schema((cw.Numeric("age"),), cw.Nominal("y", ("no", "yes")))

finite = st.floats(allow_nan=False, allow_infinity=False)
written = st.decimals(-10_000, 10_000, places=3).map(float)
near = st.builds(math.nextafter, written, st.sampled_from([-math.inf, math.inf]))
conditions = st.one_of(
    *(st.builds(kind, st.just("age"), written) for kind in (cw.AtMost, cw.Below, cw.Above, cw.AtLeast)),
    st.builds(cw.Between, st.just("age"), written, written, st.just(False), st.booleans(), st.booleans()),
)


@given(written, st.booleans())
def test_a_limit_that_was_written_is_read_off_its_bound(number: float, included: bool) -> None:
    limit = Limit(number, included)
    assert low_limit(low_bound(limit)) == limit
    assert high_limit(high_bound(limit)) == limit


@given(finite)
def test_a_bound_read_as_a_limit_is_the_same_bound(bound: float) -> None:
    assert low_bound(low_limit(bound)) == bound
    assert high_bound(high_limit(bound)) == bound


@given(conditions, st.one_of(written, near))
def test_the_bounds_of_a_condition_hold_what_it_holds(condition: OnNumbers, cell: float) -> None:
    low, high = bounds_of(condition)
    numbers = [limit.number for limit in limits_of(condition)]
    for value in (cell, *numbers, *(math.nextafter(each, -math.inf) for each in numbers)):
        if math.isfinite(value):
            assert (low < value <= high) == holds(condition, value)


@given(conditions, conditions, st.one_of(written, near))
def test_two_conditions_merged_hold_what_both_hold(one: OnNumbers, two: OnNumbers, cell: float) -> None:
    (both,) = merged_conditions([one, two])
    assert holds(both, cell) == (holds(one, cell) and holds(two, cell))


@given(st.lists(conditions, min_size=1, max_size=3), st.lists(st.one_of(written, near), max_size=5))
def test_native_matching_holds_what_the_definition_holds(
    conditions: list[OnNumbers], cells: list[float]
) -> None:
    rules = cw.RuleList(AGES, (cw.Rule(tuple(conditions), "yes"),), cw.Otherwise("no"))
    numbers = [*cells, *(limit.number for each in conditions for limit in limits_of(each))]
    rows = [{"age": each} for each in numbers if math.isfinite(each)]
    assert cw.predict(rules, rows).tolist() == [answer_by_rules(rules, row) for row in rows]


def test_a_gap_of_an_audit_has_the_signs_of_its_neighbours() -> None:
    text = str(cw.audit(cw.read_rules("IF age < 21 THEN no\nIF 65 ≤ age < 90 THEN yes", AGES)))
    assert "21 ≤ age < 65 or age ≥ 90 or missing" in text


def test_merged_bounds_keep_their_signs() -> None:
    merged_groups = merged_conditions([cw.AtLeast("age", 18.0), cw.Below("age", 65.0), cw.Above("age", 3.0)])
    assert [str(each) for each in merged_groups] == ["18 ≤ age < 65"]


def test_a_threshold_of_many_digits_stays_as_it_is() -> None:
    assert str(interval("x", -math.inf, 0.30000000000000004)) == "x ≤ 0.30000000000000004"


@pytest.mark.parametrize(("age", "after"), [(20.0, 21.0), (21.0, 20.0)])
def test_the_smallest_change_across_an_open_limit_is_a_number_one_would_write(
    age: float, after: float
) -> None:
    rules = cw.read_rules("IF age < 21 THEN no\nOTHERWISE yes", AGES)
    change = cw.smallest_change(rules, {"age": age})
    assert [each.after for each in change.cells or ()] == [after]


def test_a_tree_by_hand_prints_and_saves_what_was_written() -> None:
    young = cw.Branch(cw.Below("age", 21.0), 0.5, cw.Leaf((2.0, 0.0)))
    old = cw.Branch(cw.AtLeast("age", 21.0), 0.5, cw.Leaf((0.0, 2.0)))
    tree = tree_of(AGES, cw.Split((2.0, 2.0), {}, (young, old)))
    assert "age < 21" in str(tree)
    assert "age ≥ 21" in str(tree)
    text = to_json(tree)
    assert '"below": 21' in text
    assert '"at_least": 21' in text
    assert from_json(text) == tree
