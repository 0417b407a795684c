"""On small schemas every kind of row can be tried: the audit must say exactly what trying them all shows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.auditing import Audit, audit
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
)
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema

Cell = str | float | None
ATTRIBUTES: tuple[Attribute, ...] = (
    Nominal("colour", ("red", "green", "blue")),
    Numeric("size"),
    Ordinal("grade", ("low", "high")),
    Numeric("age"),
)
TARGET = Nominal("class", ("a", "b", "c"))
LIMITS = (-1.5, 0.0, 1.0, 2.0)
# Between and beyond all limits, an empty cell, and a value that no schema lists.
CELLS: dict[str, tuple[Cell, ...]] = {
    "colour": ("red", "green", "blue", "mauve", None),
    "grade": ("low", "high", "middling", None),
    "size": (-2.0, -1.5, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, None),
    "age": (-2.0, -1.5, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, None),
}


@st.composite
def conditions(draw: st.DrawFn, attribute: Attribute) -> Condition:
    missing = draw(st.booleans())
    if isinstance(attribute, Nominal | Ordinal):
        values = tuple(draw(st.lists(st.sampled_from(attribute.values), max_size=2)))
        choices: list[Condition] = [
            Equals(attribute.name, attribute.values[0]),
            Equals(attribute.name, attribute.values[-1]),
            OneOf(attribute.name, values, missing),
            IsMissing(attribute.name),
        ]
        return draw(st.sampled_from(choices))
    low, high = draw(st.sampled_from(LIMITS)), draw(st.sampled_from((*LIMITS, math.inf, -math.inf)))
    comparisons: list[Condition] = [
        AtMost(attribute.name, high, missing),
        Above(attribute.name, high, missing),
        Between(attribute.name, low, high, missing),
        Below(attribute.name, high, missing),
        AtLeast(attribute.name, high, missing),
        Between(attribute.name, low, high, missing, low_included=True, high_included=False),
        IsMissing(attribute.name),
    ]
    return draw(st.sampled_from(comparisons))


@st.composite
def rule_lists(draw: st.DrawFn) -> RuleList:
    used = draw(st.lists(st.sampled_from(ATTRIBUTES), min_size=1, max_size=3, unique=True))
    rule = st.builds(
        Rule,
        st.lists(st.sampled_from(used).flatmap(conditions), max_size=3).map(tuple),
        st.sampled_from((*TARGET.values, None)),
    )
    otherwise = st.sampled_from([Otherwise(), Otherwise("a"), Otherwise("c")])
    return RuleList(Schema(tuple(used), TARGET), tuple(draw(st.lists(rule, max_size=8))), draw(otherwise))


@dataclass(frozen=True)
class Truth:
    """The plain definition, over every kind of row."""

    rules: RuleList
    rows: tuple[dict[str, Cell], ...]
    held: tuple[tuple[int, ...], ...]  # [row] the rules it satisfies, from 1

    def answer(self, held: Iterable[int], without: int = 0) -> str | float | None:
        first = next((r for r in held if r != without), None)
        return self.rules.otherwise.then if first is None else self.rules.rules[first - 1].then

    def says(self, rule: int) -> str | float | None:
        return self.rules.rules[rule - 1].then


def truth_of(rules: RuleList) -> Truth:
    names = [attribute.name for attribute in rules.schema.attributes]
    rows = tuple(
        dict(zip(names, cells, strict=True)) for cells in itertools.product(*(CELLS[name] for name in names))
    )
    return Truth(rules, rows, tuple(satisfied_by(rules, row) for row in rows))


def satisfied_by(rules: RuleList, row: dict[str, Cell]) -> tuple[int, ...]:
    return tuple(
        place
        for place, rule in enumerate(rules, 1)
        if all(holds(condition, row[condition.name]) for condition in rule.when)
    )


@pytest.mark.slow
@given(rule_lists())
def test_the_audit_says_what_trying_every_row_shows(rules: RuleList) -> None:
    truth, actual = truth_of(rules), audit(rules, most=10_000)
    assert actual.unsettled == ()
    n = range(1, len(rules) + 1)
    possible = {r for held in truth.held for r in held}
    answering = {held[0] for held in truth.held if held}
    assert {each.rule for each in actual.impossible} == set(n) - possible
    assert {each.rule for each in actual.dead} == possible - answering
    needed = {
        held[0] for held in truth.held if held and truth.answer(held) != truth.answer(held, without=held[0])
    }
    assert set(actual.redundant) == answering - needed
    meeting = {pair for held in truth.held for pair in itertools.combinations(held, 2)}
    conflicts = {(i, j) for i, j in meeting if truth.says(i) != truth.says(j)}
    assert {(each.first, each.second) for each in actual.conflicts} == conflicts
    assert {(each.first, each.second) for each in actual.overlaps} == meeting - conflicts
    assert (actual.conflicts_in_all, actual.overlaps_in_all) == (len(conflicts), len(meeting - conflicts))
    decided = {(held[0], j) for held in truth.held for j in held[1:]} & conflicts
    assert {(each.first, each.second) for each in actual.conflicts if each.decides} == decided
    assert actual.decided_by_order == len(decided)
    assert actual.order_free == (not conflicts)
    check_gaps(truth, actual)
    check_examples(rules, actual)


def check_gaps(truth: Truth, actual: Audit) -> None:
    def is_known(row: dict[str, Cell]) -> bool:
        return not any(cell is None or cell in ("mauve", "middling") for cell in row.values())

    uncovered = [row for row, held in zip(truth.rows, truth.held, strict=True) if not held]
    assert bool(actual.gaps) == bool(uncovered)
    assert any(gap.because == "known" for gap in actual.gaps) == any(map(is_known, uncovered))
    assert not actual.more_gaps


def check_examples(rules: RuleList, actual: Audit) -> None:
    for gap in actual.gaps:
        assert satisfied_by(rules, filled(rules, gap.example)) == ()
    for pair in (*actual.conflicts, *actual.overlaps):
        held = satisfied_by(rules, filled(rules, pair.example))
        assert {pair.first, pair.second} <= set(held)
        assert not pair.decides or held[0] == pair.first
    for each in actual.dead:
        rest = RuleList(rules.schema, tuple(rules.rules[r - 1] for r in (*each.behind, each.rule)))
        assert rest.rules[-1] not in {
            rest.rules[held[0] - 1] for held in truth_of(rest).held if held and held[0] == len(rest)
        }


def filled(rules: RuleList, example: object) -> dict[str, Cell]:
    """An example names the columns that rules ask about; the others may hold anything."""
    assert isinstance(example, dict)
    return {attribute.name: example.get(attribute.name) for attribute in rules.schema.attributes}
