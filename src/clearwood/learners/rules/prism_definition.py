"""PRISM, the definition: rules for each class that add the most precise value until the class is alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clearwood.arrays import Longs
from clearwood.counting.ties import better
from clearwood.formulas.conditions import Condition, Equals
from clearwood.learners.rules.beam_search import covered_by
from clearwood.learners.rules.rule_quality import ClassWeights
from clearwood.learners.rules.rule_steps import PrismCandidate, PrismStep
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table

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
