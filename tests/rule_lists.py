"""Random rule lists over a table, and the plainest way to ask them: cell by cell, rule by rule."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from clearwood.formulas.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf, holds
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from tests.learners.random_tables import TargetKind, random_tables

Row = dict[str, str | float | None]


@st.composite
def rules_and_tables(
    draw: st.DrawFn,
    *,
    target: TargetKind = "nominal",
    weights: tuple[str, ...] = ("none", "whole", "halves", "some zero"),
    max_rows: int = 60,
    max_rules: int = 12,
) -> tuple[RuleList, Table]:
    """Rules with duplicates, special cases, dead rules and every kind of condition; the first one answers."""
    table = draw(
        random_tables(
            (target,), max_rows=max_rows, max_columns=3, max_classes=3, max_values=12, weights=weights
        )
    )
    size = draw(st.integers(0, max_rules), label="rules")
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="rules' seed"))
    pool = [_condition(table, random) for _ in range(6)]
    rules: list[Rule] = []
    for _ in range(size):
        count = int(random.integers(0, 4))
        when = tuple(dict.fromkeys(pool[int(i)] for i in random.integers(0, len(pool), count)))
        rules.append(Rule(when, _answer(table, random)))
    otherwise = Otherwise(_answer(table, random) if random.random() < 0.7 else None)
    return RuleList(table.schema, tuple(rules), otherwise), table


def _condition(table: Table, random: np.random.Generator) -> Condition:
    inputs = table.schema.inputs
    attribute = inputs[int(random.integers(len(inputs)))]
    name, empty = attribute.name, bool(random.random() < 0.3)
    if random.random() < 0.1:
        return IsMissing(name)
    if isinstance(attribute, Nominal | Ordinal):
        values = attribute.values
        if random.random() < 0.5:
            return Equals(name, values[int(random.integers(len(values)))])
        chosen = tuple(value for value in values if random.random() < 0.5) or values[:1]
        return OneOf(name, chosen, empty)
    assert isinstance(attribute, Numeric)
    known = np.unique(table.columns[name][~np.isnan(table.columns[name])])
    low, high = sorted(float(x) for x in random.choice(known if known.size else np.zeros(1), 2))
    kind = random.integers(3)
    if kind == 0:
        return AtMost(name, low, empty)
    return Above(name, low, empty) if kind == 1 or low == high else Between(name, low, high, empty)


def _answer(table: Table, random: np.random.Generator) -> str | float:
    classes = table.schema.classes
    return classes[int(random.integers(len(classes)))] if classes else float(random.integers(5))


def rows_of(table: Table) -> list[Row]:
    """Every row as its cells by name, None where one is empty or, no value being '?', unseen."""
    columns = {}
    for attribute in table.schema.inputs:
        cells = table.columns[attribute.name].tolist()
        if isinstance(attribute, Nominal | Ordinal):
            cells = [attribute.values[code] if code >= 0 else None if code == -1 else "?" for code in cells]
        columns[attribute.name] = cells
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def covers(rule: Rule, row: Row) -> bool:
    return all(holds(condition, row[condition.name]) for condition in rule.when)


def first_of(rules: RuleList, row: Row) -> int | None:
    """The place of the rule that answers a row."""
    return next((i for i, rule in enumerate(rules) if covers(rule, row)), None)


def answer_of(rules: RuleList, row: Row) -> str | float | None:
    place = first_of(rules, row)
    return rules.otherwise.then if place is None else rules.rules[place].then
