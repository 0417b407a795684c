"""One row past a list of rules: the definition that native matching must equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from clearwood.models.conditions import holds
from clearwood.models.rule_list import Answer, Rule, RuleList
from clearwood.predict.answers import Smoothing, cheapest_of_one, check_smoothing

Row: TypeAlias = Mapping[str, str | float | None]


def rules_that_hold(rules: RuleList, row: Row) -> list[int]:
    """The positions of all rules whose every condition the row satisfies."""
    return [i for i, rule in enumerate(rules) if _satisfies(rule, row)]


def answer_by_rules(rules: RuleList, row: Row) -> Answer | None:
    """The answer of the first rule that holds, or the class with the most votes; None: nothing is said."""
    if rules.matching == "first":
        return next((rule.then for rule in rules if _satisfies(rule, row)), rules.otherwise.then)
    if not rules_that_hold(rules, row):
        return rules.otherwise.then
    shares = shares_by_rules(rules, row)
    return cheapest_of_one(shares, rules.decision)


def shares_by_rules(rules: RuleList, row: Row, smoothing: Smoothing = None) -> dict[str, float]:
    """The share of each class among the rows that the rule took in training, or that all who vote covered."""
    check_smoothing(smoothing)
    classes = rules.schema.classes
    said = [_weights(rules, each.then, each.counts) for each in rules.sayings]
    held = rules_that_hold(rules, row) or [len(rules)]
    if held == [len(rules)] and rules.otherwise.then is None:
        return dict.fromkeys(classes, 0.0)
    voting = held[:1] if rules.matching == "first" else held
    sums = [sum(column) for column in zip(*(said[i] for i in voting), strict=True)]
    if smoothing == "laplace":
        sums = [each + 1.0 for each in sums]
    elif smoothing is not None:
        whole = [sum(column) for column in zip(*said, strict=True)]
        sums = [each + smoothing * part / sum(whole) for each, part in zip(sums, whole, strict=True)]
    return {name: each / sum(sums) for name, each in zip(classes, sums, strict=True)}


def _satisfies(rule: Rule, row: Row) -> bool:
    return all(holds(condition, row.get(condition.name)) for condition in rule.when)


def _weights(rules: RuleList, then: Answer | None, counts: tuple[float, ...]) -> list[float]:
    classes = rules.schema.classes
    met = counts if any(counts) else tuple(float(name == then) for name in classes)
    return [
        count * factor for count, factor in zip(met, rules.decision.factors or (1.0,) * len(met), strict=True)
    ]
