"""PRISM, the definition: rules for each class that add the most precise value until the class is alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np

from clearwood.arrays import Longs
from clearwood.counting.ties import better
from clearwood.learners.rules.beam_search import all_but, covered_by
from clearwood.learners.rules.rule_quality import ClassWeights
from clearwood.learners.rules.rule_steps import PrismCandidate, PrismStep
from clearwood.models.conditions import Condition, Equals, interval
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Column, Table

PrismSteps = list[PrismStep]  # where each choice is written down


def prism_by_counts(rows: Table, steps: PrismSteps) -> tuple[list[Rule], ClassWeights]:
    """The rules for a table without numbers, and the class weights behind the default rule."""
    classes = rows.schema.classes
    drafts = [(when, goal) for goal in range(len(classes)) for when in _for_one_class(rows, goal, steps)]
    rules: list[Rule] = []
    left = every = np.arange(len(rows))
    for when, goal in drafts:
        taken = np.intersect1d(left, covered_by(rows, when))
        rules.append(Rule(when, classes[goal], tuple(_count(rows, taken))))
        left = np.setdiff1d(left, taken)
    return rules, _count(rows, left if len(left) else every)


def _for_one_class(table: Table, goal: int, steps: PrismSteps) -> Iterator[tuple[Condition, ...]]:
    """Every class begins with all rows; a rule takes away those it covers, of whatever class."""
    left, number = np.arange(len(table)), 1
    while (table.target[left] == goal).any():
        when: tuple[Condition, ...] = ()
        rows = left
        while not (table.target[rows] == goal).all():
            candidates = tuple(_candidates(table, rows, goal, {condition.name for condition in when}))
            chosen = _most_precise(candidates)
            if chosen is None:
                break
            steps.append(PrismStep(table.schema.classes[goal], number, when, candidates, chosen))
            when = (*when, chosen.condition)
            rows = np.intersect1d(rows, covered_by(table, (chosen.condition,)))
        if not when and len(rows) and not (table.target[rows] == goal).all():
            return  # the cells of the rows left are all empty
        yield when
        left = np.setdiff1d(left, rows)
        number += 1


def _candidates(table: Table, rows: Longs, goal: int, tested: set[str]) -> Iterator[PrismCandidate]:
    weights = np.ones(len(rows)) if table.weights is None else table.weights[rows]
    positive = table.target[rows] == goal
    for attribute in table.schema.inputs:
        if isinstance(attribute, Nominal | Ordinal) and attribute.name not in tested:
            cells = table.columns[attribute.name][rows]
            for code in np.unique(cells[cells >= 0]).tolist():
                right = float(weights[(cells == code) & positive].sum())
                taken = float(weights[cells == code].sum())
                yield PrismCandidate(Equals(attribute.name, attribute.values[code]), right, taken)


def _most_precise(candidates: tuple[PrismCandidate, ...]) -> PrismCandidate | None:
    """The highest share of the class, then the more rows of it, then the first; None if all have 0."""
    best: PrismCandidate | None = None
    for each in candidates:
        if each.right > 0 and (best is None or _beats(each, best)):
            best = each
    return best


def _beats(one: PrismCandidate, other: PrismCandidate) -> bool:
    share, best = one.right / one.taken, other.right / other.taken
    return better(share, best, 1.0) or (
        not better(best, share, 1.0) and better(one.right, other.right, other.right)
    )


def _count(table: Table, rows: Longs) -> ClassWeights:
    weights = None if table.weights is None else table.weights[rows]
    counts: ClassWeights = (
        np.bincount(table.target[rows], weights, len(table.schema.classes)).astype(float).tolist()
    )
    return counts


# The way to the native rule learners and back: columns out, rules in.


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
