"""What learners of rules share: their settings, native rules in the schema's terms, the default rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias, assert_never

import numpy as np

from clearwood.bounds import Whole
from clearwood.counting.coding import Coding
from clearwood.counting.ties import most_common
from clearwood.formulas.conditions import Condition, Equals, interval
from clearwood.learners.discretising import CutMethod
from clearwood.learners.rules.beam_search import all_but
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.registry import Letter, OnlyWith
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table


def rules_of_native(learned: dict[str, Any], coding: Coding, classes: tuple[str, ...]) -> list[Rule]:
    """The native answer in the schema's terms."""
    tests = [
        _condition(coding.columns[column].attribute, *test)
        for column, *test in zip(
            *(learned[part].tolist() for part in ("column", "code", "negated", "low", "high")), strict=True
        )
    ]
    start = learned["start"].tolist()
    return [
        Rule(merged_conditions(tests[start[i] : start[i + 1]]), classes[answer], tuple(counts))
        for i, (answer, counts) in enumerate(
            zip(learned["answer"].tolist(), learned["counts"].tolist(), strict=True)
        )
    ]


def otherwise_of(counts: Sequence[float], table: Table, taken: float, *, abstain: bool) -> Otherwise:
    """The majority of `counts`, the first of equals, or no answer.

    The counts are of the rows that no rule takes or, where the rules have `taken` all their weight, of all
    rows: these give the majority then, but none of them counts for it.
    """
    if abstain:
        return Otherwise()
    best = int(most_common(np.array(counts)))
    known = table.target >= 0
    weight = float(known.sum() if table.weights is None else table.weights[known].sum())
    nothing_left = math.isclose(taken, weight)
    return Otherwise(table.schema.classes[best], (0.0,) * len(counts) if nothing_left else tuple(counts))


def _condition(
    attribute: Nominal | Ordinal | Numeric, code: int, negated: int, low: float, high: float
) -> Condition:
    match attribute:
        case Nominal(name, values) | Ordinal(name, values):
            return all_but(name, values, code) if negated else Equals(name, values[code])
        case Numeric(name, cuts):
            low, high = (cuts[int(end)] if cuts and math.isfinite(end) else end for end in (low, high))
            return interval(name, low, high)
        case _:
            assert_never(attribute)


# Settings that several learners of rules have, declared once.


IfNoRuleHolds: TypeAlias = Annotated[
    Literal["majority", "abstain"], "If no rule holds, predict the majority class, or nothing (abstain)."
]
MaxConditions: TypeAlias = Annotated[
    int | None, Whole(1), Letter("max_conditions"), "Most conditions in a rule; none: no limit."
]
CutsBeforeRules: TypeAlias = Annotated[
    CutMethod, "How numeric columns are cut: mdl uses the classes; width and frequency make equal parts."
]
BinsBeforeRules: TypeAlias = Annotated[
    int,
    Whole(2),
    OnlyWith("cuts", ("width", "frequency"), at_the_shell=True),
    "The number of intervals, with width and frequency.",
]
