"""Why a row gets its prediction: the rules that took it, points that cells add, evidence for a class."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clearwood.explaining.evidence import Bar, Evidence, evidence
from clearwood.explaining.reference import Reference
from clearwood.formulas.conditions import Condition, holds
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import Matching, Otherwise, Rule, RuleList
from clearwood.models.model import account_of
from clearwood.records import json_with, plain_values
from clearwood.table.raw import Cell, Row


@dataclass(frozen=True, slots=True)
class TestedCondition:
    """A condition beside the row's cell."""

    when: Condition
    cell: Cell
    holds: bool

    def to_json(self) -> dict[str, Any]:
        return {"condition": str(self.when), "column": self.when.name, "cell": self.cell, "holds": self.holds}


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
        counts, failed = counts_by_name(classes, self.rule.counts), len(self.failed)
        tried = json_with(self, "number", "rule", answer=self.rule.then, conditions=self.conditions)
        return {**tried, "failed": failed, "counts": counts}


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
        counts = counts_by_name(self.classes, self.otherwise.counts)
        return {
            "by": "rules",
            "matching": self.matching,
            "rules": self.rules,
            "took": [each.to_json(self.classes) for each in self.took],
            "otherwise": None if self.took else {"answer": self.otherwise.then, "counts": counts},
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


# By points: what the cells of one row add to a number, from the average row on.


@dataclass(frozen=True, slots=True)
class Added:
    """A column's or a pair's cell, and the points it adds."""

    name: str
    value: str | float | None
    points: float


@dataclass(frozen=True, slots=True)
class ByPoints:
    """The base, which is the average row's answer, and what each term adds to it."""

    base: float
    added: tuple[Added, ...]

    @property
    def total(self) -> float:
        """What they come to: the answer."""
        return math.fsum((self.base, *(each.points for each in self.added)))

    def to_json(self) -> dict[str, Any]:
        return {"by": "points", **json_with(self, "base", "added", "total")}


def points_for(model: AdditiveModel, row: Row) -> ByPoints:
    """The points of one row, term by term."""
    added = []
    for term in account_of(model).places:
        cells = [row.get(side.name) for side in term.sides]
        value = cells[0] if len(cells) == 1 else ", ".join("missing" if c is None else str(c) for c in cells)
        added.append(Added(term.name, value, float(term.added[term.place(row), 0])))
    return ByPoints(model.base[0], tuple(added))


# By evidence: what each cell does to the odds of the answer against its nearest rival.


@dataclass(frozen=True, slots=True)
class ByEvidence:
    """The odds of the class `called` against the class `against`, from the prior, or the reference, on."""

    evidence: Evidence
    called: str
    against: str | None  # None: the model knows one class only

    @property
    def bars(self) -> tuple[Bar, ...]:
        """What the odds begin with, then what each cell does to them, as logs."""
        return () if self.against is None else self.evidence.bars(self.called, self.against)

    def to_json(self) -> dict[str, Any]:
        bars = [plain_values(column=bar.name, cell=bar.value, log_odds=bar.log_odds) for bar in self.bars]
        named = {"by": "evidence", "for": self.called, "against": self.against}
        compared = {"compared_with": self.evidence.compared or None, "by_limit": self.evidence.by_limit}
        return {**named, **compared, "bars": bars}


def evidence_for(
    model: BayesTables | LinearModel | AdditiveModel,
    row: Mapping[str, Any],
    called: str,
    against: str | None,
    reference: Reference = None,
) -> ByEvidence:
    """The evidence for the answer against another class; without one, against the next likeliest."""
    row_evidence = evidence(model, row, against=reference)
    rivals = sorted(range(len(row_evidence.classes)), key=lambda c: -row_evidence.shares[c])
    names = [row_evidence.classes[c] for c in rivals if row_evidence.classes[c] != called]
    return ByEvidence(row_evidence, called, against if against in names else next(iter(names), None))
