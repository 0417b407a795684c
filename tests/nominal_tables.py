"""Small tables of values, contradictions among them and no empty cells, and rules as short texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.formulas.conditions import Above, AtMost, Between, Equals, IsMissing
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table


def nominal_table(seed: int) -> Table:
    """Up to 60 rows, four attributes and four classes; the same on every machine."""
    random = np.random.Generator(np.random.PCG64(seed))
    rows, columns, classes = (int(random.integers(*span)) for span in ((3, 61), (1, 5), (2, 5)))
    sizes = [int(random.integers(1, 5)) for _ in range(columns)]
    cells: dict[str, Column] = {
        f"a{i}": random.integers(0, size, rows).astype(np.int32) for i, size in enumerate(sizes)
    }
    lean = sum(cells.values())
    noise = random.integers(0, classes, rows)
    cells["y"] = np.where(random.random(rows) < 0.6, lean % classes, noise).astype(np.int32)
    attributes = tuple(Nominal(f"a{i}", _names("v", size)) for i, size in enumerate(sizes))
    return Table(Schema(attributes, Nominal("y", _names("c", classes))), cells)


def named_as_declared(table: Table) -> Table:
    """The same table, its classes named so that by name, as we take them, is as declared, as WEKA does."""
    target = table.schema.target
    assert isinstance(target, Nominal)
    names = tuple(f"{i:02} {name}" for i, name in enumerate(target.values))
    return replace(table, schema=replace(table.schema, target=replace(target, values=names)))


def rules_by_position(rules: RuleList) -> list[str]:
    """Each rule as `a0=v1 a3=v0 c2`: attributes, values and classes by their place in the schema."""
    return [
        " ".join(
            [*(_test(rules.schema, condition) for condition in rule.when), _class(rules.schema, rule.then)]
        )
        for rule in rules
    ]


def _test(schema: Schema, condition: object) -> str:
    assert isinstance(condition, Equals)
    attribute = schema[condition.name]
    assert isinstance(attribute, Nominal | Ordinal)
    return f"a{schema.positions[condition.name]}=v{attribute.values.index(condition.value)}"


def _class(schema: Schema, then: object) -> str:
    return f"c{schema.classes.index(str(then))}"


def _names(letter: str, size: int) -> tuple[str, ...]:
    return tuple(f"{letter}{i}" for i in range(size))


def rules_of_one_column(rules: RuleList) -> list[str]:
    """The column that all rules ask, then each rule as WEKA's OneR prints it: `v1 c0`, `< 2.5 c0`, `? c1`."""
    schema = rules.schema
    name = rules.rules[0].when[0].name
    lines = [f"a{schema.positions[name]}"]
    for rule in rules:
        (condition,) = rule.when
        match condition:
            case Equals(_, value):
                attribute = schema[name]
                assert isinstance(attribute, Nominal | Ordinal)
                test = f"v{attribute.values.index(value)}"
            case AtMost(_, high) | Between(_, _, high):
                test = f"< {_as_weka(high)}"
            case Above(_, low):
                test = f">= {_as_weka(low)}"
            case IsMissing():
                test = "?"
            case _:
                raise AssertionError(f"OneR has no rule with {condition}")
        lines.append(f"{test} {_class(schema, rule.then)}")
    return lines


def _as_weka(number: float) -> str:
    return f"{number:.12g}"
