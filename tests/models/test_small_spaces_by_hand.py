"""Conditions, boxes and spaces so small that every cell is tried."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest

from clearwood.errors import ModelFileError
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    holds,
    never_holds,
    one_of,
)
from clearwood.models.decision import Decision
from clearwood.models.files import from_json, to_json
from clearwood.models.files.conditions import ConditionForm, condition_from_form, condition_to_form
from clearwood.models.files.forms import Misplaced
from clearwood.models.in_words import shortened
from clearwood.models.kinds.additive.additive_model import AdditiveModel, PairShape, Shape
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Bag, Categorical, Cuts, Gaussian, Kernel
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, ValueTerm
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Surrogate, merged_conditions, path_to
from clearwood.models.model import account_of
from clearwood.models.routing import Sent, Way, first_that_holds, route, route_of, sent, ways
from clearwood.models.space.axes import Ask, Axis, axes_of, inside, region_text
from clearwood.models.space.input_space import input_space_of
from clearwood.models.space.search import Budget, TooLongError, find_outside, widened
from clearwood.models.space.settling import (
    Identities,
    Searched,
    ask_of,
    joined_parts,
    odd_cells,
    settled_parts,
)
from clearwood.models.space.space_of import space_of, thresholds_of
from clearwood.models.space.walk_of import walk_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema

SCHEMA = Schema(
    (Numeric("x"), Nominal("v", ("a", "b", "c")), Ordinal("size", ("S", "M", "L")), Numeric("z"), Text("t")),
    Nominal("y", ("no", "yes")),
)
FLAGS = (False, True)
ON_X: list[Condition] = [
    *(
        kind("x", limit, flag)
        for kind in (AtMost, Below, Above, AtLeast)
        for limit in (1.0, 2.0)
        for flag in FLAGS
    ),
    *(
        Between("x", low, high, flag, low_included=one, high_included=other)
        for low, high in ((1.0, 2.0), (2.0, 2.0), (2.0, 1.0))
        for flag, one, other in product(FLAGS, repeat=3)
    ),
    AtMost("x", math.inf),
    AtMost("x", math.inf, True),
    IsMissing("x"),
]
SETS: tuple[tuple[str, ...], ...] = (("a",), ("b", "a"), ("c", "b"), ("a", "b", "c"), ())
ON_V: list[Condition] = [
    Equals("v", "a"),
    Equals("v", "c"),
    IsMissing("v"),
    *(OneOf("v", values, flag) for values in SETS for flag in FLAGS),
]
NUMBERS = [None, 0.0, 1.0, 1.5, 2.0, 3.0, np.nextafter(1.0, 0), np.nextafter(2.0, 3)]
VALUES = [None, "a", "b", "c", "another"]


@pytest.mark.parametrize(("conditions", "cells"), [(ON_X, NUMBERS), (ON_V, VALUES)])
def test_two_conditions_merged_hold_for_the_cells_for_which_both_do(
    conditions: list[Condition], cells: list[Any]
) -> None:
    for one, two in product(conditions, repeat=2):
        (both,) = merged_conditions([one, two])
        for cell in cells:
            assert holds(both, cell) == (holds(one, cell) and holds(two, cell)), (one, two, cell)


def test_conditions_on_a_way_stand_in_the_order_in_which_they_were_first_asked() -> None:
    asked: list[Condition] = [AtMost("x", 2.0), Equals("v", "a"), Above("x", 1.0)]
    asked += [OneOf("size", ("S", "M")), OneOf("v", ("a", "b"))]
    assert [str(each) for each in merged_conditions(asked)] == ["1 < x ≤ 2", "v = a", "size in {S, M}"]
    low, high = Leaf((1.0, 0.0)), Leaf((0.0, 1.0))
    deeper = split((Equals("v", "a"), low), (Equals("v", "b"), high))
    nested = split((AtMost("x", 2.0), low), (Above("x", 2.0), deeper))
    tree = tree_of(SCHEMA, nested)
    assert [[str(each) for each in path_to(tree, node)] for node in range(5)] == [
        [], ["x ≤ 2"], ["x > 2"], ["x > 2", "v = a"], ["x > 2", "v = b"],
    ]  # fmt: skip


@pytest.mark.parametrize("condition", [*ON_X, *ON_V], ids=str)
def test_every_condition_comes_back_from_a_file(condition: Condition) -> None:
    form = condition_to_form(condition)
    written: dict[str, Any] = msgspec.to_builtins(form)
    assert written["column"] == condition.name
    assert written.get("or_missing", False) is (getattr(condition, "or_missing", False) is True)
    again = condition_from_form(msgspec.convert(written, ConditionForm), SCHEMA)
    assert again == condition or (isinstance(condition, OneOf) and again == one_of(*_parts(condition)))
    rules = RuleList(SCHEMA, (Rule((condition,), "yes"),), Otherwise("no"))
    assert from_json(to_json(rules)) == rules


def _parts(condition: OneOf) -> tuple[str, tuple[str, ...], bool]:
    return condition.name, condition.values, condition.or_missing


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"known": False}, "must have 'is', 'in'"),
        ({"missing": False}, "must have 'is', 'in'"),
        ({"missing": True, "or_missing": True}, "must have 'is', 'in'"),
        ({"missing": True, "known": True}, "must have 'is', 'in'"),
        ({"above": 1.0, "at_least": 1.0}, "must have 'is', 'in'"),
        ({"at_most": 1.0, "below": 1.0}, "must have 'is', 'in'"),
        ({"above": 1.0, "known": True}, "must have 'is', 'in'"),
        ({"or_missing": True}, "must have 'is', 'in'"),
        ({"is": "a"}, "cannot have"),
        ({"in": ["a"], "above": 1.0}, "must have 'is', 'in'"),
    ],
)
def test_fields_that_ask_nothing_together_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(Misplaced, match=words):
        condition_from_form(msgspec.convert({"column": "x", **fields}, ConditionForm), SCHEMA)


@pytest.mark.parametrize(("conditions", "cells"), [(ON_X, NUMBERS), (ON_V, VALUES)])
def test_an_axis_has_a_cell_of_each_sort_and_groups_those_that_no_condition_tells_apart(
    conditions: list[Condition], cells: list[Any]
) -> None:
    (axis,) = axes_of(conditions, SCHEMA.__getitem__, SCHEMA.positions.__getitem__).all
    satisfied = axes_of(conditions, SCHEMA.__getitem__, SCHEMA.positions.__getitem__).satisfied
    by_answers = {tuple(holds(each, cell) for each in conditions) for cell in (*cells, *axis.cells)}
    assert axis.groups == len(by_answers)
    for condition in conditions:
        for cell, group in zip(axis.cells, axis.group_of, strict=True):
            assert bool(satisfied[condition][group]) == holds(condition, cell)
    assert axis.cells[-1] is None
    assert axis.known == len(axis.cells) - (1 if axis.name == "x" else 2)


def test_axes_stand_in_the_order_of_the_columns() -> None:
    conditions: list[Condition] = [Above("z", 1.0), Equals("v", "a"), AtMost("x", 1.0)]
    axes = axes_of(conditions, SCHEMA.__getitem__, SCHEMA.positions.__getitem__)
    assert axes.places == {"x": 0, "v": 1, "z": 2}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-math.inf, math.inf, 0.0), (1.0, math.inf, 2.0), (-3.5, math.inf, 0.0), (0.0, math.inf, 1.0),
        (-math.inf, 2.5, 2.0), (1.0, 2.0, 2.0), (1.5, 1.75, 1.6), (0.21, 0.26, 0.23), (0.1, 0.2, 0.2),
        (1e16, math.inf, 1e16 + 2), (-math.inf, -1e16, -1e16),
        (0.30000000000000004, np.nextafter(0.30000000000000004, 1), np.nextafter(0.30000000000000004, 1)),
    ],
)  # fmt: skip
def test_the_number_shown_of_an_interval_is_a_short_one_inside(
    low: float, high: float, expected: float
) -> None:
    assert low < inside(low, high) <= high
    assert inside(low, high) == expected


def test_regions_of_two_columns_are_joined_and_bracketed_where_they_have_alternatives() -> None:
    on_x: list[Condition] = [AtMost("x", 1.0), Above("x", 2.0), IsMissing("x")]
    on_v: list[Condition] = [Equals("v", "a"), Equals("v", "b")]
    x, v = axes_of([*on_x, *on_v], SCHEMA.__getitem__, SCHEMA.positions.__getitem__).all

    def sets(axis: Axis, *cells: int) -> int:
        return axis.groups_of(cells)

    # x: ≤ 1, 1 to 2, > 2, missing; v: a, b, (c, another and missing are one group)
    assert region_text([x, v], [sets(x, 0, 2), sets(v, 0)]) == "(x ≤ 1 or x > 2) AND v = a"
    assert region_text([x, v], [sets(x, 0, 2), v.everything]) == "x ≤ 1 or x > 2"
    assert region_text([x, v], [sets(x, 0, 1), sets(v, 0, 1)]) == "x ≤ 2 AND v in {a, b}"
    assert region_text([x, v], [x.everything, v.everything]) == "any row"
    assert x.intervals(x.cells_in(sets(x, 0, 2))) == [(-math.inf, 1.0), (2.0, math.inf)]
    assert x.intervals(x.cells_in(sets(x, 1, 2))) == [(1.0, math.inf)]
    assert x.example(sets(x, 2)) == 3.0
    assert x.first(sets(x, 1, 2)) == 1


# What a model says of its space.


def split(*branches: tuple[Condition, Leaf | Split], surrogates: tuple[Surrogate, ...] = ()) -> Split:
    """A split whose counts are the sums of its branches'."""
    counts = tuple(map(sum, zip(*(below.counts for _, below in branches), strict=True)))
    parts = tuple(Branch(when, sum(below.counts) / sum(counts), below) for when, below in branches)
    return Split(counts, {"gain": 0.5}, parts, surrogates)


BY_V = Surrogate(Equals("v", "a"), 0, OneOf("v", ("b", "c")), 0.75)
BY_Z = Surrogate(AtMost("z", 7.0), 1, Above("z", 7.0), 0.75)
TREE = tree_of(
    SCHEMA,
    split(
        (AtMost("x", 1.0), Leaf((2.0, 0.0))),
        (
            Above("x", 1.0, or_missing=True),
            split((AtMost("x", 5.0), Leaf((1.0, 0.0))), (Above("x", 5.0), Leaf((0.0, 1.0)))),
        ),
        surrogates=(BY_V, BY_Z),
    ),
)
RULES = RuleList(
    SCHEMA,
    (
        Rule((AtMost("x", 1.0), Equals("v", "a")), "yes"),
        Rule((Between("x", 2.0, 3.0, or_missing=True),), "yes"),
        Rule((IsMissing("size"),), "no"),
    ),
    Otherwise("no"),
)


def test_a_tree_says_where_it_turns_and_what_it_asks() -> None:
    space = space_of(TREE)
    assert set(space.columns()) == {"x", "v", "z"}
    assert thresholds_of(TREE) == {"x": (1.0, 5.0), "z": (7.0,)}
    assert list(space.asked("x")) == ["in 2 splits"]
    assert list(space.asked("z")) == ["in 1 surrogate"]
    assert list(space.asked("size")) == []
    assert space.takes_missing() == {"x"}
    assert (space.spans(), list(space.pairs()), space.usual("x")) == ({}, [], None)
    assert space.unusable("x") == "such rows follow a surrogate, the branch marked for them, or every branch"
    assert space.without_a_place(Nominal("v", ("a", "b", "c"))) == [False] * 3


def test_rules_say_where_they_turn_and_what_they_ask() -> None:
    space = space_of(RULES)
    assert set(space.columns()) == {"x", "v", "size"}
    assert thresholds_of(RULES) == {"x": (1.0, 2.0, 3.0)}
    assert list(space.asked("x")) == ["in rules 1 and 2"]
    assert list(space.asked("v")) == ["in rule 1"]
    assert space.takes_missing() == {"x", "size"}
    assert (space.spans(), list(space.pairs()), space.usual("x")) == ({}, [], None)
    assert space.unusable("x") == "such a cell satisfies no condition"
    assert space.without_a_place(Nominal("v", ("a", "b", "c"))) == [False] * 3
    many = RuleList(SCHEMA, (Rule((AtMost("x", 1.0),), "yes"),) * 9, Otherwise("no"))
    assert list(space_of(many).asked("x")) == ["in rules 1, 2, 3, 4, 5, 6, 7, 8 and more"]
    eight = replace(many, rules=many.rules[:8])
    assert list(space_of(eight).asked("x")) == ["in rules 1, 2, 3, 4, 5, 6, 7 and 8"]


def test_bayes_tables_say_where_their_curves_lie() -> None:
    """x is 1 and 3 of one class, 4 and 8 of the other: means 2 and 6, standard deviations 1 and 2."""
    gaussian = Gaussian("x", (2, 2), (4, 12), (10, 80))
    tables = BayesTables(SCHEMA, (2, 2), (gaussian, Categorical("v", ((1, 1, 0), (0, 0, 2)))))
    space = space_of(tables)
    assert space.columns() == ("x", "v")
    assert space.spans() == {"x": (-1.0, 12.0)}
    assert list(space.limits()) == []
    assert list(space.asked("x")) == ["in a table of its own"]
    assert (list(space.pairs()), list(space.takes_missing()), space.usual("x")) == ([], [], None)
    assert space.unusable("v").startswith("missing cells are left out of the product")
    assert space.without_a_place(Nominal("v", ("a", "b", "c"))) == [False] * 3

    def of(*distributions: Any) -> Any:
        return space_of(BayesTables(SCHEMA, (2, 2), distributions))

    kernel = Kernel("x", (((1.0, 1), (3.0, 1)), ((-2.0, 2),)))
    assert of(kernel).spans() == {"x": (-2.0, 3.0)}
    assert of(replace(kernel, points=(((1.0, 1),), ((1.0, 1),)))).spans() == {}
    assert of(replace(kernel, points=((), ()))).spans() == {}
    assert of(replace(gaussian, sums=(4, 4), squares=(8, 8))).spans() == {}  # it never varies
    counted = Bag(("x", "z"), "multinomial", ((1, 2), (3, 4)))
    assert of(counted).spans() == {"x": (0.0, math.inf), "z": (0.0, math.inf)}
    assert list(of(counted).limits()) == []
    there = Bag(("x", "z"), "bernoulli", ((1, 1), (0, 1)), ((2, 2), (2, 2)))
    assert of(there).spans() == {}
    assert list(of(there).limits()) == [("x", (0.0,)), ("z", (0.0,))]
    cuts = Cuts("x", (1.0, 2.0), ((1, 0, 2), (0, 0, 1)))
    assert of(cuts).spans() == {}
    assert list(of(cuts).limits()) == [("x", (1.0, 2.0))]


def test_curves_say_where_they_turn_and_which_values_they_never_met() -> None:
    x = Shape("x", (1.0, 2.0), ((0.5, 0.0, -0.5, 0.25, 0.0),))
    v = Shape("v", (), ((0.5, 0.0, -0.5, 0.0, 0.25),), rows=(3.0, 0.0, 2.0, 0.0, 0.0))
    pair = PairShape(("x", "z"), ((1.5,), (9.0,)), ((0.0,) * 16,))
    model = AdditiveModel(SCHEMA, (0.0,), (x, v), (pair,))
    space = space_of(model)
    assert space.columns() == model.columns == ("x", "v", "z")
    assert thresholds_of(model) == {"x": (1.0, 1.5, 2.0), "z": (9.0,)}
    assert [list(space.asked(name)) for name in ("x", "v", "z")] == [
        ["in a curve and 1 pair"], ["in a curve"], ["in 1 pair"],
    ]  # fmt: skip
    assert space.takes_missing() == {"x"}
    assert list(space.pairs()) == [(("x", "z"), ((1.5,), (9.0,)))]
    assert space.without_a_place(Nominal("v", ("a", "b", "c"))) == [False, True, False]
    assert space.without_a_place(Ordinal("size", ("S", "M", "L"))) == [False] * 3
    assert space.unusable("x") == "such a cell adds as much as the average row's"
    assert (space.spans(), space.usual("x")) == ({}, None)
    assert repr(model).endswith(": 2 curves, 1 pair>")
    other = PairShape(("z", "v"), ((), ()), ((0.0,) * 15,))
    assert repr(replace(model, shapes=(x,), pairs=(pair, other))).endswith(": 1 curve, 2 pairs>")


def linear(**given: Any) -> LinearModel:
    terms = (NumberTerm("x"), ValueTerm("v", "b"), MissingTerm("v"))
    fills: dict[str, float | str] = {"x": 2.5, "v": "b"}
    model = LinearModel(SCHEMA, ("yes",), "no", terms, (0.5,), ((1.0, -1.0, 4.0),), {"v": "a"}, fills)
    return replace(model, **given)


V = Nominal("v", ("a", "b", "c"))
WITHOUT_GAP: dict[str, Any] = {"terms": (NumberTerm("x"), ValueTerm("v", "b")), "weights": ((1.0, -1.0),)}


@pytest.mark.parametrize(
    ("model", "amounts"),
    [
        # a is the reference, c has no place and is taken for b like what was never met; empty has a term.
        (linear(), (0.0, -1.0, -1.0, 4.0, -1.0)),
        # With averages what has no place adds the average.
        (linear(averages={"v": (0.25,)}), (0.0, -1.0, 0.25, 4.0, 0.25)),
        (linear(averages={"v": (0.25,)}, **WITHOUT_GAP), (0.0, -1.0, 0.25, 0.25, 0.25)),
        (linear(**WITHOUT_GAP), (0.0, -1.0, -1.0, -1.0, -1.0)),
        # A term that follows from others adds nothing, and is one all the same.
        (
            linear(
                averages={"v": (0.25,)},
                dependent=(MissingTerm("v"), ValueTerm("v", "c")),
                **WITHOUT_GAP,
            ),
            (0.0, -1.0, 0.0, 0.0, 0.25),
        ),
    ],
)
def test_what_each_value_adds_to_the_log_odds(model: LinearModel, amounts: tuple[float, ...]) -> None:
    (values,) = (term for term in account_of(model).places if term.name == "v")
    assert values.added[:, list(account_of(model).scored)].T.tolist() == [list(amounts)]
    assert from_json(to_json(model)) == model


def test_weights_say_what_an_unusable_cell_adds() -> None:
    assert space_of(linear()).takes_missing() == {"v"}
    averaged = space_of(linear(averages={"v": (0.25,)}))
    assert averaged.unusable("v") == "such a cell adds what its column adds on average over the training rows"
    assert averaged.unusable("x") == "such a cell counts as 2.5"
    assert list(averaged.asked("v")) == ["in 2 terms"]
    assert repr(linear()).endswith(": 3 weights>")
    assert repr(linear(terms=(NumberTerm("x"),), weights=((1.0,),))).endswith(": 1 weight>")
    assert str(MissingTerm("v")) == "v is missing"


def test_an_ensemble_turns_wherever_one_of_its_members_does() -> None:
    tables = BayesTables(SCHEMA, (2, 2), (Gaussian("x", (2, 2), (4, 12), (10, 80)),))
    wide = BayesTables(SCHEMA, (2, 2), (Kernel("x", (((-9.0, 1),), ((0.0, 1),))),))
    ensemble = Ensemble(SCHEMA, models=(tables, RULES, wide, TREE, linear()))
    space = space_of(ensemble)
    assert set(space.columns()) == {"x", "v", "size", "z"}
    assert thresholds_of(ensemble) == {"x": (1.0, 2.0, 3.0, 5.0), "z": (7.0,)}
    assert space.spans() == {"x": (-math.inf, math.inf)}
    assert space_of(replace(ensemble, models=(tables, wide))).spans() == {"x": (-9.0, 12.0)}
    assert space_of(replace(ensemble, models=(wide, tables))).spans() == {"x": (-9.0, 12.0)}
    assert space.takes_missing() == {"x", "v", "size"}
    assert list(space.asked("x")) == ["in some of its members"]
    assert (list(space.pairs()), space.usual("x")) == ([], None)
    assert space.without_a_place(V) == [False, False, True]
    assert space.unusable("x").startswith("missing cells are left out")
    first = replace(ensemble, models=(RULES, tables))
    assert space_of(first).unusable("x") == "such a cell satisfies no condition"
    assert space_of(first).without_a_place(V) == [False] * 3
    assert json.loads(to_json(first))["body"]["models"][0]["model"] == "rules"


# Routing of many rows.


def test_many_rows_are_sent_by_the_first_test_that_holds() -> None:
    below, above = np.array([True, True, False, False]), np.array([False, True, True, False])
    answers = {"low": below, "high": above}
    assert first_that_holds(["low", "high"], answers.__getitem__, 4).tolist() == [0, 0, 1, -1]
    assert first_that_holds([], answers.__getitem__, 2).tolist() == [-1, -1]
    to_all = route(["low", "high"], (), None, (0.25, 0.75))
    gone: Sent[str] = sent(to_all, answers.__getitem__, 4)
    assert gone.branch.tolist() == [0, 0, 1, -1]
    assert (gone.part(0).tolist(), gone.part(1).tolist()) == ([1.0, 1.0, 0.0, 0.25], [0.0, 0.0, 1.0, 0.75])
    assert gone.part(2).tolist() == [0.0] * 4
    assert gone.ways(1) == (Way(0, 1.0, "cell"),)
    assert gone.ways(3) == to_all.rest == (Way(0, 0.25, "every branch"), Way(1, 0.75, "every branch"))
    marked = sent(route(["low", "high"], (), 1, (0.25, 0.75)), answers.__getitem__, 4)
    assert marked.branch.tolist() == [0, 0, 1, 1]
    assert marked.ways(3) == (Way(1, 1.0, "otherwise"),)
    nowhere = sent(route(["low"], (), None, (0.0, 0.0)), answers.__getitem__, 4)
    assert nowhere.branch.tolist() == [0, 0, -1, -1]
    assert nowhere.ways(2) == ()
    least = route(["low", "high"], (), None, (0.25, 0.75), least=0.25)
    assert [way.branch for way in least.rest] == [1]
    first = sent(route(["low"], [("high", "low", 1)], None, (1.0,)), answers.__getitem__, 4)
    assert first.ways(2) == (Way(1, 1.0, "surrogate", 0),)


def test_of_two_surrogates_the_first_is_asked_first_for_both_of_its_sides() -> None:
    root = TREE.root
    assert isinstance(root, Split)
    asked = route_of(root)
    assert [str(test.when) for test in asked.tests] == [
        "x ≤ 1", "x > 1 or missing", "v = a", "v in {b, c}", "z ≤ 7", "z > 7",
    ]  # fmt: skip
    assert [(test.way.branch, test.way.surrogate) for test in asked.tests] == [
        (0, None), (1, None), (0, 0), (1, 0), (1, 1), (0, 1),
    ]  # fmt: skip
    assert ways(asked, {"x": None}) == (Way(1, 1.0, "cell"),)


# Boxes: searched, settled and joined.


def test_a_search_stops_where_its_budget_ends_and_says_from_where_it_is_open() -> None:
    space = input_space_of([TREE])
    walk = walk_of(TREE, space)

    def settled(budget: int) -> tuple[Searched, list[Any]]:
        searched = Searched(budget=budget, passed=[])
        return searched, list(
            settled_parts((walk,), space.everywhere(), lambda _: False, searched, space.known())
        )

    whole, parts = settled(1000)
    assert whole.complete
    assert whole.passed == []
    assert whole.settled == len(parts) > 3
    assert whole.looked == 2 * len(parts) - 1
    for budget in range(1, whole.looked):
        searched, some = settled(budget)
        assert not searched.complete
        assert searched.passed is not None
        assert searched.settled == len(some) < len(parts)
        assert budget <= searched.looked <= budget + 1
        # What was settled and what was left open are together every row, each once.
        assert joined_parts([*some, *searched.passed]) == [space.everywhere()]
    assert settled(whole.looked)[0].complete is False  # the budget is spent before the last is taken
    passed = Searched(passed=[])
    assert list(settled_parts((walk,), space.everywhere(), lambda _: True, passed, space.known())) == []
    assert (passed.settled, passed.passed, passed.complete) == (1, [space.everywhere()], True)


def test_parts_of_rows_with_known_cells_come_first() -> None:
    when_empty = tuple(Rule((IsMissing(name),), "yes") for name in ("x", "v"))
    rules = replace(RULES, rules=(*when_empty, *RULES.rules))
    space = input_space_of([rules])
    walk = walk_of(rules, space)
    parts = list(settled_parts((walk,), space.everywhere(), lambda _: False, Searched(), space.known()))
    odd = [odd_cells(part, space.known()) for part in parts]
    assert odd == sorted(odd)
    assert max(odd) > 0
    assert odd_cells([0b01, 0b10], [0b10, 0b10]) == 1
    assert odd_cells([0b11, 0b10], [0b10, 0b10]) == 0


def test_a_part_is_as_large_as_it_can_be_without_touching_a_box() -> None:
    everywhere = [0b111, 0b11]
    boxes = [((0, 0b001),), ((0, 0b010), (1, 0b01))]
    assert find_outside(everywhere, boxes, Budget(99, 99)) == [0b100, 0b11]
    assert widened([0b010, 0b10], boxes, everywhere) == [0b110, 0b10]
    assert widened([0b100, 0b10], [], everywhere) == everywhere
    assert find_outside([0b1], [((0, 0b1),)], Budget(2, 2)) is None
    with pytest.raises(TooLongError):
        find_outside([0b1], [((0, 0b1),)], Budget(1, 99))
    with pytest.raises(TooLongError):
        find_outside([0b1], [((0, 0b1),)], Budget(99, 1))


def test_only_some_of_many_values_are_named() -> None:
    ports = OneOf("v", ("a", "b", "c"))
    assert str(shortened(ports, 3)) == "v in {a, b, c}"
    assert str(shortened(replace(ports, or_missing=True), 2)) == "v in {a, … 2 more} or missing"
    assert shortened(Equals("v", "a"), 0) == Equals("v", "a")
    assert never_holds(OneOf("v", ()))


def test_a_walk_of_a_leaf_alone_answers_at_once() -> None:
    leaf = tree_of(SCHEMA, Leaf((3.0, 1.0)))
    walk = walk_of(leaf, input_space_of([leaf]), about=1).within([])
    assert (walk.answer, walk.ends, walk.steps) == (("no",), (0.25, 0.25), ())
    number = tree_of(replace(SCHEMA, target=Numeric("p")), Leaf((3.0, 7.5, 1.0)))
    assert walk_of(number, input_space_of([number])).within([]).answer == (7.5,)


def test_the_ends_of_a_walk_are_those_of_the_leaves_that_it_may_come_to() -> None:
    """Shares of yes: 0 where x ≤ 1, 0 up to 5, 1 above it; a cell that is empty goes to the second branch."""
    space = input_space_of([TREE])
    x = space.place("x")
    assert x is not None
    walk = walk_of(TREE, space, about=1)
    assert walk.ends == (0.0, 1.0)
    assert walk.answer is None
    box = space.everywhere()
    box[x] = space.asked[AtMost("x", 1.0)][1]
    assert (walk.within(box).ends, walk.within(box).answer) == ((0.0, 0.0), ("no",))
    box[x] = space.asked[Above("x", 5.0)][1]
    assert (walk.within(box).ends, walk.within(box).answer) == ((1.0, 1.0), ("yes",))
    # An empty cell goes on: half of it to each leaf.
    box[x] = space.axes[x].groups_of([len(space.axes[x].cells) - 1])
    assert walk.within(box).ends == (0.5, 0.5)
    assert space.place("size") is None
    with_fixed = walk_of(TREE, space, fixed={x: space.asked[Above("x", 5.0)][1]}, about=1)
    assert with_fixed.within(space.everywhere()).ends == (1.0, 1.0)


def test_a_file_of_rules_says_where_a_condition_is_wrong() -> None:
    data = json.loads(to_json(RULES))
    data["body"]["rules"][1]["when"][0] = {"column": "x", "known": False}
    with pytest.raises(ModelFileError, match=r"^body\.rules\[1\]\.when\[0\] must have 'is', 'in'"):
        from_json(json.dumps(data))


# Two models walked through together.


def test_of_two_models_what_only_one_asks_is_asked_first() -> None:
    """Both ask x ≤ 1 first; the second then asks v, which alone can tell them apart."""
    low, high = Leaf((2.0, 0.0)), Leaf((0.0, 2.0))
    one = tree_of(SCHEMA, split((AtMost("x", 1.0), low), (Above("x", 1.0), high)))
    deeper = split((Equals("v", "a"), Leaf((0.0, 1.0))), (OneOf("v", ("b", "c")), Leaf((1.0, 0.0))))
    other = tree_of(SCHEMA, split((AtMost("x", 1.0), low), (Above("x", 1.0), deeper)))
    space = input_space_of([one, other])
    shared = Identities()
    walks = tuple(walk_of(each, space, shared) for each in (one, other))
    x, v = space.place("x"), space.place("v")
    assert x is not None
    assert v is not None
    everywhere = space.everywhere()
    narrowed = tuple(each.within(everywhere) for each in walks)
    assert ask_of(narrowed) == space.asked[AtMost("x", 1.0)]
    box = list(everywhere)
    box[x] = space.asked[Above("x", 1.0)][1]
    narrowed = tuple(each.within(box) for each in walks)
    assert ask_of(narrowed) == space.asked[Equals("v", "a")]
    box[v] = space.asked[Equals("v", "a")][1]
    narrowed = tuple(each.within(box) for each in walks)
    assert ask_of(narrowed) is None
    assert [each.answer for each in narrowed] == [("yes",), ("yes",)]
    # The same model twice is at one in every box, and asks all the same what its answer hangs on.
    same = tuple(walk_of(one, space, shared).within(everywhere) for _ in range(2))
    assert same[0].key == same[1].key
    assert ask_of(same) == space.asked[AtMost("x", 1.0)]
    assert walks[0].within(everywhere).key != walks[1].within(everywhere).key


def test_votes_walk_through_boxes_until_all_have_voted_or_not() -> None:
    first, second = Rule((AtMost("x", 1.0),), "yes", (0.0, 2.0)), Rule((Equals("v", "a"),), "no", (3.0, 0.0))
    votes = RuleList(SCHEMA, (first, second), Otherwise("no", (3.0, 2.0)), "vote")
    space = input_space_of([votes])
    walk = walk_of(votes, space)
    assert (walk.answer, walk.ends, len(walk.within(space.everywhere()).steps)) == (None, None, 2)
    low, a = space.asked[AtMost("x", 1.0)], space.asked[Equals("v", "a")]

    def box(*asked: Ask, without: tuple[Ask, ...] = ()) -> list[int]:
        domains = space.everywhere()
        for column, groups in asked:
            domains[column] &= groups
        for column, groups in without:
            domains[column] &= ~groups
        return domains

    keys = [
        walk.within(each).key
        for each in (box(low, a), box(low, without=(a,)), box(a, without=(low,)), box(without=(low, a)))
    ]
    assert len(set(keys)) == 4
    assert walk.within(box(low, a)).steps == ()
    assert walk.within(box(low)).within(box(low, a)).key == keys[0]
    assert walk.within(box(low)).key != keys[0]


def test_the_first_rule_that_can_hold_answers() -> None:
    first = Rule((AtMost("x", 1.0),), "yes", (1.0, 3.0))
    again = Rule((Equals("v", "a"),), "yes", (1.0, 3.0))
    rules = RuleList(SCHEMA, (first, again), Otherwise("no", (4.0, 0.0)))
    space = input_space_of([rules])
    walk = walk_of(rules, space, about=1).within(space.everywhere())
    assert (walk.ends, walk.answer) == ((0.0, 0.75), None)
    assert len(walk.steps) == 3
    box = space.everywhere()
    x, low = space.asked[AtMost("x", 1.0)]
    box[x] &= low
    assert (walk.within(box).ends, walk.within(box).answer) == ((0.75, 0.75), ("yes",))
    # What two neighbours give alike need not be asked of both: the last of them is enough.
    v, a = space.asked[Equals("v", "a")]
    box = space.everywhere()
    box[v] &= a
    assert len(walk.within(box).steps) == 1
    assert walk.within(box).answer == ("yes",)
    fixed = walk_of(rules, space, fixed={x: space.everywhere()[x] & ~low}, about=1).within(space.everywhere())
    assert [asks for _, asks in fixed.steps] == [((v, a),), ()]
    numbers = RuleList(
        replace(SCHEMA, target=Numeric("p")), (Rule((AtMost("x", 1.0),), 2.5), Rule((Above("x", 1.0),), None))
    )
    there = input_space_of([numbers])
    counted = walk_of(numbers, there).within(there.everywhere())
    assert counted.answer is None
    box = there.everywhere()
    box[0] = there.asked[AtMost("x", 1.0)][1]
    assert (counted.within(box).answer, counted.within(box).ends) == ((2.5,), (2.5, 2.5))
    box[0] = there.asked[Above("x", 1.0)][1]
    assert counted.within(box).answer == (None,)


def test_a_tree_of_numbers_mixes_where_a_row_is_divided() -> None:
    """Shares 3/4 and 1/4 of 1 and 5: an empty cell has 2, and its ends say so."""
    low, high = Leaf((3.0, 1.0, 0.0)), Leaf((1.0, 5.0, 0.0))
    branches = Branch(AtMost("x", 1.0), 0.75, low), Branch(Above("x", 1.0), 0.25, high)
    tree = tree_of(replace(SCHEMA, target=Numeric("p")), Split((4.0, 2.0, 12.0), {}, branches))
    space = input_space_of([tree])
    walk = walk_of(tree, space)
    assert walk.within(space.everywhere()).ends == (1.0, 5.0)
    box = [space.axes[0].groups_of([len(space.axes[0].cells) - 1])]
    assert walk.within(box).ends == (2.0, 2.0)
    assert walk.within(box).answer is None  # mixed: it is worked out, not known beforehand
    nowhere = replace(tree, nodes=replace(tree.nodes, share=np.array([1.0, 0.0, 0.0])))
    assert walk_of(nowhere, space).within(space.everywhere()).ends == (0.0, 5.0)
    classes = tree_of(
        SCHEMA, split((AtMost("x", 1.0), Leaf((3.0, 0.0))), (Above("x", 1.0), Leaf((2.0, 1.0))))
    )
    certain = walk_of(classes, input_space_of([classes]))
    assert certain.within(box).answer == ("no",)  # all leaves say no, and so does every mixture
    open_to_both = replace(classes, decision=Decision(refer=0.9))
    assert walk_of(open_to_both, input_space_of([classes])).within(box).answer is None


def test_rows_that_satisfy_conditions_are_a_box_or_none_are() -> None:
    space = input_space_of([TREE], [Equals("size", "S"), Equals("size", "M")])
    assert space.satisfying([Equals("size", "S"), Equals("size", "M")]) is None
    box = space.satisfying([AtMost("x", 1.0), Equals("size", "S")])
    assert box is not None
    assert space.example(box) == {"x": 1.0, "v": "a", "size": "S", "z": 7.0}
    x = space.place("x")
    assert x is not None
    assert space.example(box, {x: len(space.axes[x].cells) - 1})["x"] is None
    never = axes_of([Equals("v", "(never met)")], lambda _: Nominal("v", ("(never met)",)), lambda _: 0).all[
        0
    ]
    assert never.cells == ("(never met)", "((never met))", None)
