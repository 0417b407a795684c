"""Rule lists at random, over columns of every kind, and tables of rows to ask them about."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

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
from clearwood.models.decision import Decision
from clearwood.models.kinds.rules.rule_list import Matching, Otherwise, Rule, RuleList
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table

SCHEMA = Schema(
    (
        Nominal("colour", ("red", "green", "blue")),
        Ordinal("size", ("S", "M", "L")),
        Numeric("weight"),
        Numeric("height"),
    ),
    Nominal("kind", ("a", "b", "c")),
)
LIMITS = (-1.5, 0.0, 0.1, 2.0, 1e9)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    attribute = draw(st.sampled_from(SCHEMA.attributes))
    joined = draw(st.booleans())
    if draw(st.integers(0, 7)) == 0:
        return IsMissing(attribute.name)
    if isinstance(attribute, Nominal | Ordinal):
        values = draw(st.lists(st.sampled_from(attribute.values), min_size=1, unique=True))
        if len(values) == 1 and not joined:
            return Equals(attribute.name, values[0])
        return OneOf(attribute.name, tuple(values), joined)
    low, high = sorted(draw(st.lists(st.sampled_from(LIMITS), min_size=2, max_size=2, unique=True)))
    comparisons: list[Condition] = [
        AtMost(attribute.name, low, joined),
        AtMost(attribute.name, math.inf, joined),
        Above(attribute.name, low, joined),
        Between(attribute.name, low, high, joined),
        Below(attribute.name, high, joined),
        AtLeast(attribute.name, low, joined),
        Between(attribute.name, low, high, joined, low_included=True, high_included=False),
    ]
    return draw(st.sampled_from(comparisons))


@st.composite
def rule_lists(draw: st.DrawFn, *, max_rules: int = 6) -> RuleList:
    def counts() -> tuple[float, ...]:
        return draw(
            st.one_of(st.just(()), st.tuples(*[st.integers(0, 9).map(float)] * 3), st.just((0.0, 0.0, 0.0)))
        )

    classes = st.sampled_from(SCHEMA.classes)
    matching: Matching = draw(st.sampled_from(("first", "vote")))
    answers = classes if matching == "vote" else st.sampled_from((*SCHEMA.classes, None))
    rules = tuple(
        Rule(tuple(draw(st.lists(conditions(), max_size=3))), draw(answers), counts())
        for _ in range(draw(st.integers(0, max_rules)))
    )
    otherwise = Otherwise(draw(st.one_of(st.none(), classes)), counts())
    costs = ((0.0, 1.0, 2.0), (5.0, 0.0, 1.0), (1.0, 1.0, 0.0))
    decision = draw(st.sampled_from([Decision(), Decision((1.0, 2.0, 0.5)), Decision((), costs)]))
    return RuleList(SCHEMA, rules, otherwise, matching, decision)


@st.composite
def tables(draw: st.DrawFn, *, max_rows: int = 150) -> Table:
    rows = draw(st.integers(0, max_rows))
    seed = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    width = draw(st.sampled_from((np.float32, np.float64)))
    columns = {name: seed.integers(UNSEEN, 3, rows).astype(np.int32) for name in ("colour", "size")}
    for name in ("weight", "height"):
        columns[name] = seed.choice([*LIMITS, 1.0, -7.0, math.nan], rows).astype(width)
    columns["kind"] = seed.integers(MISSING, 3, rows).astype(np.int32)
    weights = seed.integers(0, 4, rows).astype(np.float64) if draw(st.booleans()) else None
    return Table(SCHEMA, columns, weights)


def row_of(table: Table, row: int) -> dict[str, str | float | None]:
    """The row's cells as a person would give them; a value never met is a word of its own."""
    actual: dict[str, str | float | None] = {}
    for attribute in table.schema.attributes:
        cell = table.columns[attribute.name][row]
        if isinstance(attribute, Nominal | Ordinal):
            names = {MISSING: None, UNSEEN: "never met", **dict(enumerate(attribute.values))}
            actual[attribute.name] = names[int(cell)]
        else:
            actual[attribute.name] = float(cell)
    return actual
