"""By rules: the rule that took one row, or all that voted, and the one that nearly did, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clearwood.models.conditions import Condition, holds
from clearwood.models.rule_list import Matching, Otherwise, Rule, RuleList
from clearwood.table.row import Cell, Row


@dataclass(frozen=True, slots=True)
class TestedCondition:
    """A condition beside the row's cell."""

    when: Condition
    cell: Cell
    holds: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "condition": str(self.when),
            "column": self.when.name,
            "cell": self.cell,
            "holds": self.holds,
        }


@dataclass(frozen=True, slots=True)
class TriedRule:
    """A rule, by its place from 1, and whether each of its conditions holds for the row."""

    number: int
    rule: Rule
    conditions: tuple[TestedCondition, ...]

    @property
    def failed(self) -> tuple[TestedCondition, ...]:
        return tuple(each for each in self.conditions if not each.holds)

    def to_json(self, classes: tuple[str, ...]) -> dict[str, Any]:
        return {
            "number": self.number,
            "rule": str(self.rule),
            "answer": self.rule.then,
            "conditions": [each.to_json() for each in self.conditions],
            "failed": len(self.failed),
            "counts": counts_by_name(classes, self.rule.counts),
        }


@dataclass(frozen=True, slots=True)
class ByRules:
    """The rules that answered; where there is none, the default rule `otherwise` did.

    `nearest` is the rule of the fewest failed conditions, first of equals: under "first" of those before the
    one that answered, under "vote" of all that did not hold; None where there is no such rule.
    """

    classes: tuple[str, ...]
    matching: Matching
    rules: int
    took: tuple[TriedRule, ...]
    otherwise: Otherwise
    nearest: TriedRule | None

    def to_json(self) -> dict[str, Any]:
        return {
            "by": "rules",
            "matching": self.matching,
            "rules": self.rules,
            "took": [each.to_json(self.classes) for each in self.took],
            "otherwise": None
            if self.took
            else {
                "answer": self.otherwise.then,
                "counts": counts_by_name(self.classes, self.otherwise.counts),
            },
            "nearest": None if self.nearest is None else self.nearest.to_json(self.classes),
        }


def rules_for(rules: RuleList, row: Row) -> ByRules:
    """Which rules answered the row."""
    took: list[TriedRule] = []
    others: list[TriedRule] = []
    for number, rule in enumerate(rules, 1):
        tried = _tried(number, rule, row)
        (others if tried.failed else took).append(tried)
        if took and rules.matching == "first":
            break
    nearest = min(others, key=lambda each: len(each.failed), default=None)
    return ByRules(rules.schema.classes, rules.matching, len(rules), tuple(took), rules.otherwise, nearest)


def counts_by_name(classes: tuple[str, ...], counts: Iterable[float]) -> dict[str, float]:
    """Weights by class, or weight, value and error of a number; empty where no rows were met."""
    return dict(zip(classes or ("weight", "value", "error"), counts, strict=False))


def _tried(number: int, rule: Rule, row: Row) -> TriedRule:
    conditions = (TestedCondition(when, row[when.name], holds(when, row[when.name])) for when in rule.when)
    return TriedRule(number, rule, tuple(conditions))
