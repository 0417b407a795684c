"""The smallest change is the smallest: held to every row there is; and what it promises, predict says."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from operator import ne
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ColumnError, SettingError
from clearwood.explaining import exact_changes as change_in_tree
from clearwood.explaining import exact_changes as change_in_votes
from clearwood.explaining import moves as boxes
from clearwood.explaining.moves import Changed
from clearwood.explaining.one_row import constraints_of
from clearwood.explaining.smallest_change import options_for, smallest_change
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
)
from clearwood.learners.learner import TreeLearner
from clearwood.models.decision import Decision
from clearwood.models.kinds.linear.linear_model import NumberTerm, ValueTerm
from clearwood.models.kinds.rules.rule_list import Matching, Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Tree
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from tests.explaining.every_row import Row, smallest_of_all
from tests.rule_lists import rows_of
from tests.shared_data import load_shared
from tests.trees import tennis_tree, trees, values_of

SMALL: tuple[Attribute, ...] = (
    Numeric("x"),
    Nominal("colour", ("red", "green", "blue")),
    Ordinal("size", ("small", "middle", "large")),
    Numeric("y"),
)


@st.composite
def rows(draw: st.DrawFn, schema: Schema) -> Row:
    row: Row = {}
    for attribute in schema.inputs:
        if isinstance(attribute, Numeric):
            row[attribute.name] = draw(st.sampled_from((None, -1.5, 0.0, 0.1, 1.0, 2.0, 2.5, 9.0)))
        else:
            row[attribute.name] = draw(st.sampled_from((None, "never met", *values_of(attribute)[:5])))
    return row


@st.composite
def wishes(draw: st.DrawFn, schema: Schema) -> dict[str, list[str]]:
    """Which columns stay, and which go one way."""
    actual: dict[str, list[str]] = {"fixed": [], "only_up": [], "only_down": []}
    for attribute in schema.inputs:
        ways = ("fixed", "only_up", "only_down") if isinstance(attribute, Numeric | Ordinal) else ("fixed",)
        way = draw(st.sampled_from((None, None, None, *ways)))
        if way is not None:
            actual[way].append(attribute.name)
    return actual


@st.composite
def rule_lists(draw: st.DrawFn) -> RuleList:
    classes = draw(st.sampled_from((2, 3, 3, 1)))
    schema = Schema(SMALL, Nominal("t", tuple("abc"[:classes])))
    rules = []
    matching: Matching = draw(st.sampled_from(("first", "vote")))
    answers = schema.classes if matching == "vote" else (*schema.classes, None)
    for _ in range(draw(st.sampled_from((4, 6, 8, 2, 0)))):
        fewest = draw(st.sampled_from((1, 2, 2, 0)))
        when = tuple(draw(st.lists(_condition(), min_size=fewest, max_size=3)))
        counts = tuple(draw(st.sampled_from((0.0, 1.0, 2.0))) for _ in range(classes))
        rules.append(Rule(when, draw(st.sampled_from(answers)), counts))
    otherwise = Otherwise(draw(st.none() | st.sampled_from(schema.classes)))
    costs: tuple[tuple[float, ...], ...] = ()
    if draw(st.booleans()):
        costs = tuple(tuple(0.0 if i == j else 1.0 + i for j in range(classes)) for i in range(classes))
    return RuleList(schema, tuple(rules), otherwise, matching, Decision((), costs))


@st.composite
def _condition(draw: st.DrawFn) -> Condition:
    attribute = draw(st.sampled_from(SMALL))
    name, empty = attribute.name, draw(st.booleans())
    if draw(st.integers(0, 7)) == 0:
        return IsMissing(name)
    if isinstance(attribute, Numeric):
        low, high = sorted(draw(st.lists(st.sampled_from((0.0, 0.5, 2.0, 3.0)), min_size=2, max_size=2)))
        comparisons: list[Condition] = [
            AtMost(name, low, empty),
            Above(name, low, empty),
            Between(name, low, high),
            Below(name, low, empty),
            AtLeast(name, low, empty),
            Between(name, low, high, empty, low_included=True, high_included=False),
        ]
        return draw(st.sampled_from(comparisons))
    assert isinstance(attribute, Nominal | Ordinal)
    values = tuple(draw(st.sets(st.sampled_from(attribute.values), min_size=1, max_size=2)))
    return Equals(name, values[0]) if len(values) == 1 and not empty else OneOf(name, values, empty)


def holds_up(model: Tree | RuleList, row: Row, limits: dict[str, Any], to: str | None) -> None:
    change = smallest_change(model, row, to=to, **limits)
    answer = cw.row_predictor(model)(row)
    assert change.answer == answer
    assert change.proven
    if to is not None and to == answer:
        assert not change.cells
        return
    expected = frozenset(model.schema.classes if to is None else (to,)) - {answer}
    options = options_for(model, row, constraints_of(model.schema, **limits, table=None))
    key = smallest_of_all(model, row, options, expected)
    if key is None:
        assert change.instead is None
        assert change.because
        return
    columns = {moves.name: column for column, moves in enumerate(options)}
    assert tuple(columns[each.name] for each in change.cells) == key[2]
    assert tuple(options[columns[each.name]].cells.index(each.after, 1) for each in change.cells) == key[3]
    changed = {**row, **{each.name: each.after for each in change.cells}}
    assert change.instead in expected
    assert cw.predict(model, [changed]).tolist() == [change.instead]


@pytest.mark.slow
@settings(max_examples=100)
@given(st.data())
def test_of_a_tree_it_is_the_smallest_of_every_row(data: st.DataObject) -> None:
    tree = data.draw(trees(numeric=False, attributes=SMALL))
    row, limits = data.draw(rows(tree.schema)), data.draw(wishes(tree.schema))
    holds_up(tree, row, limits, data.draw(st.none() | st.sampled_from(tree.schema.classes)))


@pytest.mark.slow
@settings(max_examples=100)
@given(st.data())
def test_of_rules_it_is_the_smallest_of_every_row(data: st.DataObject) -> None:
    rules = data.draw(rule_lists())
    row, limits = data.draw(rows(rules.schema)), data.draw(wishes(rules.schema))
    holds_up(rules, row, limits, data.draw(st.none() | st.sampled_from(rules.schema.classes)))


NUMBERS = Schema((Numeric("x"), Numeric("y"), Nominal("c", ("a", "b"))), Nominal("t", ("no", "yes")))


@pytest.mark.slow
@settings(max_examples=40)
@given(st.data())
def test_of_a_tree_of_whole_numbers_no_whole_number_is_nearer(data: st.DataObject) -> None:
    seed = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    x, y, c, t = (seed.integers(0, top, 40) for top in (9, 9, 2, 2))
    table = cw.Table(
        NUMBERS,
        {"x": x.astype(float), "y": y.astype(float), "c": c.astype(np.int32), "t": t.astype(np.int32)},
    )
    learners: list[TreeLearner] = [cw.CART(), cw.C45(prune=False), cw.ID3()]
    tree = data.draw(st.sampled_from(learners)).learn(table)
    was = (data.draw(st.integers(0, 8)), data.draw(st.integers(0, 8)), "a")
    row: Row = dict(zip("xyc", was, strict=True))
    change = smallest_change(tree, row, table=table)
    answer = cw.row_predictor(tree)
    near = [
        (sum(map(ne, was, now)), abs(now[0] - was[0]) / 8 + abs(now[1] - was[1]) / 8 + (now[2] != "a"))
        for now in product(range(9), range(9), "ab")
        if answer(now) != answer(was)
    ]
    if x.min() == y.min() == 0 and x.max() == y.max() == 8 and near:
        cells, distance = min(near)
        assert len(change.cells) <= cells
        if all(isinstance(each.after, str) or each.after == int(each.after or 0) for each in change.cells):
            assert len(change.cells) == cells
            assert change.distance == pytest.approx(distance)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.data())
def test_of_bayes_tables_one_or_two_cells_are_the_smallest_of_every_row(data: st.DataObject) -> None:
    classes = data.draw(st.integers(2, 3))
    attributes = tuple(Nominal(name, tuple("abc")) for name in "pqrs")
    seed = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    columns = {each.name: seed.integers(-1, 3, 30).astype(np.int32) for each in attributes}
    columns["t"] = np.where(columns["p"] > 0, columns["q"].clip(0, classes - 1), 0).astype(np.int32)
    table = cw.Table(Schema(attributes, Nominal("t", tuple("xyz"[:classes]))), columns)
    model = cw.NaiveBayes(smoothing=data.draw(st.sampled_from(("laplace", 0.0)))).learn(table)
    row: Row = {name: data.draw(st.sampled_from((None, "never met", "a", "b", "c"))) for name in "pqrs"}
    to = data.draw(st.none() | st.sampled_from(model.schema.classes))
    change = smallest_change(model, row, to=to, fixed=["s"])
    answer = cw.row_predictor(model)
    expected = {to} if to is not None else set(model.schema.classes) - {change.answer}
    every = product(*({*"abc", row[name]} for name in "pqr"))
    changes = [
        sum(cell != row[name] for name, cell in zip("pqr", cells, strict=True))
        for cells in every
        if answer((*cells, row["s"])) in expected
    ]
    if change.instead is None:
        assert min(changes, default=3) == 3
    elif to != change.answer:
        assert change.instead in expected
        assert answer({**row, **{each.name: each.after for each in change.cells}}) == change.instead
        assert len(change.cells) == min(changes) or not change.proven
        assert change.proven == (len(change.cells) < 3)


@pytest.mark.parametrize("to", [None, "late"])
def test_of_weights_the_number_is_the_first_that_does(to: str | None) -> None:
    schema = Schema((Numeric("hours"), Nominal("day", ("mon", "sun"))), Nominal("t", ("early", "late")))
    terms, weights = (NumberTerm("hours"), ValueTerm("day", "sun")), ((0.3, 1.0),)
    model = cw.LinearModel(
        schema, ("late",), "early", terms, (-4.0,), weights, {"day": "mon"}, {"hours": 10.0, "day": "mon"}
    )
    change = smallest_change(model, {"hours": 5, "day": "mon"}, to=to)
    assert change.cells == (Changed("hours", 5.0, 14.0, 0.9),)  # 0.3 · 13 < 4 < 0.3 · 14
    down = smallest_change(model, {"hours": 5, "day": "mon"}, to=to, only_down=["hours"])
    assert (down.instead, down.proven) == (None, False)
    near = smallest_change(model, {"hours": 12.5, "day": "mon"}, to=to, fixed=["day"])
    assert near.cells[0].after == 13.4
    assert smallest_change(model, {"hours": 12, "day": "mon"}, to=to, fixed=["hours"]).cells[0].after == "sun"


def test_of_bells_the_number_is_the_first_that_does() -> None:
    rows = {"x": [1.0, 2.0, 3.0, 11.0, 12.0, 13.0], "t": ["less"] * 3 + ["more"] * 3}
    model = cw.NaiveBayes().learn(cw.read_table(rows, target="t"))
    change = smallest_change(model, {"x": 2})
    assert [each.after for each in change.cells] == [8.0]  # 7 is half way: the first class
    assert smallest_change(model, {"x": 2.5}).cells[0].after == 7.1


def test_a_number_is_moved_to_one_that_a_person_would_write() -> None:
    schema = Schema((Numeric("x"),), Nominal("t", ("no", "yes")))

    def after(limit: float, cell: float) -> object:
        return smallest_change(tree_of(schema, _cut(limit, Leaf((0.0, 1.0)))), {"x": cell}).cells[0].after

    assert (after(77.5, 80), after(77.5, 70), after(75, 80), after(75, 70)) == (77, 78, 75, 76)
    assert (after(0.1 + 0.2, 1), after(0.1 + 0.2, 0)) == (0.3, 0.4)
    assert (after(2.45, 1.0), after(2.45, 3.1)) == (2.5, 2.4)
    assert (after(1e300, 0), after(-1e300, 0)) == (math.nextafter(1e300, math.inf), -1e300)
    assert (after(123456.0, 123456.0), after(0.0, 0.0)) == (123457, 1)


def test_with_a_table_numbers_stay_in_its_ranges() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0], "t": ["a", "a", "b", "b"]}, target="t")
    model = cw.NaiveBayes().learn(table)
    reached = smallest_change(model, {"x": 1}, table=table).cells[0]
    assert 1 < float(reached.after or 0) <= 4
    assert reached.cost == pytest.approx((float(reached.after or 0) - 1) / 3)
    tight = table.take(np.array([0, 1]))
    assert smallest_change(model, {"x": 1}, table=tight).instead is None


def test_what_may_not_change_is_checked() -> None:
    tree = tennis_tree()
    with pytest.raises(ColumnError, match="Did you mean 'Outlook'"):
        smallest_change(tree, {}, fixed=["outlok"])
    with pytest.raises(SettingError, match="'Wind' is nominal: it has no up or down"):
        smallest_change(tree, {}, only_up=["Wind"])
    with pytest.raises(SettingError, match=r"Give columns as a list: \['Wind'\]"):
        smallest_change(tree, {}, fixed="Wind")
    with pytest.raises(SettingError, match="No class 'Maybe'"):
        smallest_change(tree, {}, to="Maybe")
    sized = Schema(SMALL, Nominal("t", ("a", "b")))
    with pytest.raises(SettingError, match="only up and only down"):
        smallest_change(tree_of(sized, Leaf((1.0, 0.0))), {}, only_up=["x"], only_down=["x"])


def test_where_there_is_none_it_says_why() -> None:
    tree, row = tennis_tree(), {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"}
    stay = smallest_change(tree, row, fixed=["Outlook", "Humidity", "Wind"])
    assert stay.because == (
        "No change leads to another class: every column that the model uses stays as it is."
    )
    held = smallest_change(tree, row, fixed=["Outlook", "Humidity"])
    assert held.because.endswith("leads to another class (fixed Humidity, Outlook).")
    assert smallest_change(tree, row, to="No").because == "The prediction is No already."


def test_a_search_that_gives_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "MOST_BOXES", 2)
    monkeypatch.setattr(change_in_votes, "_MOST_COLUMNS", 0)
    row = {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"}
    rules = cw.rules_of(tennis_tree())
    for model in (tennis_tree(), replace(rules, matching="vote")):
        change = smallest_change(model, row)
        assert (change.instead, change.proven) == (None, False)
        assert change.because == "No change to another class was found among those tried."


def test_a_tree_as_deep_as_a_thousand_questions_is_searched_too() -> None:
    schema = Schema((Numeric("x"),), Nominal("t", ("no", "yes")))
    node: Node = Leaf((0.0, 1.0))
    for limit in range(1000, 0, -1):
        node = _cut(float(limit), node)
    change = smallest_change(tree_of(schema, node), {"x": 7})
    assert [each.after for each in change.cells] == [1001]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["credit_g", "soybean", "labor", "zoo"])
def test_on_real_tables_the_changed_row_gets_the_answer_that_was_told(name: str) -> None:
    table = load_shared(name, "ordinal")
    gaps = np.random.default_rng(0)
    for learner in (cw.C45(), cw.CART(), cw.RIPPER(), cw.CN2(rules="unordered"), cw.NaiveBayes()):
        model = learner.learn(table)
        for row in rows_of(table.take(np.arange(0, len(table), len(table) // 4))):
            row = {column: None if gaps.random() < 0.1 else cell for column, cell in row.items()}
            change = smallest_change(model, row)
            changed = {**row, **{each.name: each.after for each in change.cells}}
            assert cw.predict(model, [changed]).tolist() == [change.instead]
            assert cw.predict(model, [row]).tolist() == [change.answer] != [change.instead]


def _cut(limit: float, above: Node) -> Split:
    """No up to the limit, and above it what is given."""
    low, high = Branch(AtMost("x", limit), 0.5, Leaf((1.0, 0.0))), Branch(Above("x", limit), 0.5, above)
    return Split((1.0, 1.0), {}, (low, high))


def test_a_change_over_a_threshold_next_to_nothing_has_a_finite_distance() -> None:
    tree = cw.CART().learn(cw.read_table({"x": [-1.0, 1.0], "y": ["a", "b"]}, target="y"))
    limit = -5e-324
    nodes = replace(
        tree.nodes, low=np.array([-np.inf, -np.inf, limit]), high=np.array([np.inf, limit, np.inf])
    )
    change = cw.explain(replace(tree, nodes=nodes), {"x": -1.5}).to_json()["change"]
    assert change["instead"] == "b"
    assert change["distance"] == 1e300


def test_what_a_tree_of_many_classes_keeps_for_its_searches_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    classes = [f"c{place}" for place in range(12)]
    table = cw.read_table({"x": [float(place) for place in range(12)], "y": classes}, target="y")
    tree = cw.CART(min_leaf=1, alpha=0.0).learn(table)
    changes = [str(smallest_change(tree, {"x": 5.0}, to=name)) for name in classes]
    known = change_in_tree._known(tree)
    each = len(tree.nodes) * len(classes)
    monkeypatch.setattr(change_in_tree, "_MOST_LEADS", 3 * each)
    again = [str(smallest_change(tree, {"x": 5.0}, to=name)) for name in classes * 2]
    assert again == changes * 2
    known._leads.clear()
    for name in classes:
        smallest_change(tree, {"x": 5.0}, to=name)
        assert len(known._leads) <= 3
