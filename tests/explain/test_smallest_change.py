"""The smallest change is the smallest: held to every row there is; and what it promises, predict says."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.explain.moves import wish_of
from clearwood.explain.smallest_change import options_for, smallest_change
from clearwood.models.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf
from clearwood.models.decision import Decision
from clearwood.models.rule_list import Otherwise, Rule, RuleList
from clearwood.models.tree import Tree
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from tests.explain.every_row import Row, smallest_of_all
from tests.trees import trees

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
            row[attribute.name] = draw(st.sampled_from((None, "never met", *attribute.values[:5])))
    return row


@st.composite
def wishes(draw: st.DrawFn, schema: Schema) -> dict[str, list[str]]:
    """Which columns stay, and which go one way."""
    found: dict[str, list[str]] = {"fixed": [], "only_up": [], "only_down": []}
    for attribute in schema.inputs:
        ways = ("fixed", "only_up", "only_down") if isinstance(attribute, Numeric | Ordinal) else ("fixed",)
        way = draw(st.sampled_from((None, None, None, *ways)))
        if way is not None:
            found[way].append(attribute.name)
    return found


@st.composite
def rule_lists(draw: st.DrawFn) -> RuleList:
    classes = draw(st.integers(1, 3))
    schema = Schema(SMALL, Nominal("t", tuple("abc"[:classes])))
    rules = []
    for _ in range(draw(st.integers(0, 6))):
        when = tuple(draw(st.lists(_condition(), max_size=3)))
        counts = tuple(draw(st.sampled_from((0.0, 1.0, 2.0))) for _ in range(classes))
        rules.append(Rule(when, draw(st.sampled_from(schema.classes)), counts))
    otherwise = Otherwise(draw(st.none() | st.sampled_from(schema.classes)))
    costs: tuple[tuple[float, ...], ...] = ()
    if draw(st.booleans()):
        costs = tuple(tuple(0.0 if i == j else 1.0 + i for j in range(classes)) for i in range(classes))
    matching = draw(st.sampled_from(("first", "vote")))
    return RuleList(schema, tuple(rules), otherwise, matching, Decision((), costs))


@st.composite
def _condition(draw: st.DrawFn) -> Condition:
    attribute = draw(st.sampled_from(SMALL))
    name, empty = attribute.name, draw(st.booleans())
    if draw(st.integers(0, 7)) == 0:
        return IsMissing(name)
    if isinstance(attribute, Numeric):
        low, high = sorted(draw(st.lists(st.sampled_from((0.0, 0.5, 2.0, 3.0)), min_size=2, max_size=2)))
        return draw(
            st.sampled_from((AtMost(name, low, empty), Above(name, low, empty), Between(name, low, high)))
        )
    assert isinstance(attribute, Nominal | Ordinal)
    values = tuple(draw(st.sets(st.sampled_from(attribute.values), min_size=1, max_size=2)))
    return Equals(name, values[0]) if len(values) == 1 and not empty else OneOf(name, values, empty)


def holds_up(model: Tree | RuleList, row: Row, wish: dict[str, list[str]], to: str | None) -> None:
    found = smallest_change(model, row, to=to, **wish)
    answer = cw.row_predictor(model)(row)
    assert found.answer == answer
    assert found.proven
    if to is not None and to == answer:
        assert not found.cells
        return
    wanted = frozenset(model.schema.classes if to is None else (to,)) - {answer}
    options = options_for(model, row, wish_of(model.schema, **wish, table=None))
    key = smallest_of_all(model, row, options, wanted)
    if key is None:
        assert found.instead is None
        assert found.because
        return
    places = model.schema.positions
    assert tuple(places[each.name] for each in found.cells) == key[2]
    assert tuple(options[places[each.name]].cells.index(each.after, 1) for each in found.cells) == key[3]
    changed = {**row, **{each.name: each.after for each in found.cells}}
    assert found.instead in wanted
    assert cw.predict(model, [changed]).tolist() == [found.instead]


@settings(max_examples=100)
@given(st.data())
def test_of_a_tree_it_is_the_smallest_of_every_row(data: st.DataObject) -> None:
    tree = data.draw(trees(numeric=False, attributes=SMALL))
    row, wish = data.draw(rows(tree.schema)), data.draw(wishes(tree.schema))
    holds_up(tree, row, wish, data.draw(st.none() | st.sampled_from(tree.schema.classes)))


@settings(max_examples=100)
@given(st.data())
def test_of_rules_it_is_the_smallest_of_every_row(data: st.DataObject) -> None:
    rules = data.draw(rule_lists())
    row, wish = data.draw(rows(rules.schema)), data.draw(wishes(rules.schema))
    holds_up(rules, row, wish, data.draw(st.none() | st.sampled_from(rules.schema.classes)))
