"""The way to the native rule learners and back: columns out, rules in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np

from clearwood.learners.rules.beam_search import all_but
from clearwood.models.conditions import Condition, Equals, interval
from clearwood.models.paths import merged_conditions
from clearwood.models.rule_list import Otherwise, Rule
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class RuleColumns:
    """What rules can ask about: numbers as they are or as the steps between given cuts, and codes."""

    attributes: list[Attribute]
    arrays: list[Column]
    values: list[int]  # [column] how many codes; 0 for numbers
    stepped: list[bool]  # [column] numbers that count the steps between the schema's cuts

    def rules(self, arrays: dict[str, Any], classes: tuple[str, ...]) -> list[Rule]:
        """The native answer in the schema's terms."""
        tests = [
            _condition(self.attributes[column], code, negated, low, high)
            for column, code, negated, low, high in zip(
                *(arrays[part].tolist() for part in ("column", "code", "negated", "low", "high")), strict=True
            )
        ]
        start = arrays["start"].tolist()
        return [
            Rule(merged_conditions(tests[start[i] : start[i + 1]]), classes[answer], tuple(counts))
            for i, (answer, counts) in enumerate(
                zip(arrays["answer"].tolist(), arrays["counts"].tolist(), strict=True)
            )
        ]


def rule_columns(rows: Table) -> RuleColumns:
    made = RuleColumns([], [], [], [])
    for attribute in rows.schema.inputs:
        match attribute:
            case Numeric(name, cuts):
                column = rows.columns[name]
                if cuts:
                    steps = np.searchsorted(np.asarray(cuts), column.astype(np.float64)).astype(np.float64)
                    column = np.where(np.isnan(column), np.nan, steps)
                made.arrays.append(column)
                made.values.append(0)
            case Nominal(name, values) | Ordinal(name, values):
                made.arrays.append(rows.columns[name])
                made.values.append(len(values))
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)
        made.attributes.append(attribute)
        made.stepped.append(isinstance(attribute, Numeric) and bool(attribute.cuts))
    return made


def otherwise_of(counts: Sequence[float], table: Table, taken: float, *, abstain: bool) -> Otherwise:
    """The majority of `counts`, the first of equals, or no answer.

    The counts are of the rows that no rule takes or, where the rules have `taken` all their weight, of all
    rows: these give the majority then, but none of them counts for it.
    """
    if abstain:
        return Otherwise()
    best = 0
    for each, weight in enumerate(counts):
        if weight > counts[best] * (1 + 1e-10):
            best = each
    known = table.target >= 0
    weight = float(known.sum() if table.weights is None else table.weights[known].sum())
    nothing_left = math.isclose(taken, weight)
    return Otherwise(table.schema.classes[best], (0.0,) * len(counts) if nothing_left else tuple(counts))


def _condition(attribute: Attribute, code: int, negated: int, low: float, high: float) -> Condition:
    match attribute:
        case Nominal(name, values) | Ordinal(name, values):
            return all_but(name, values, code) if negated else Equals(name, values[code])
        case Numeric(name, cuts) if cuts:
            low, high = (cuts[int(end)] if math.isfinite(end) else end for end in (low, high))
            return interval(name, low, high)
        case Numeric(name):
            return interval(name, low, high)
        case _:
            raise AssertionError(f"no rule asks about the column '{attribute.name}'")
