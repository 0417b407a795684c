"""One row past a list of rules: the definition that native matching must equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from clearwood.models.conditions import holds
from clearwood.models.rule_list import Answer, Otherwise, Rule, RuleList
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
    factors = rules.decision.factors or (1.0,) * len(classes)
    said = [[n * f for n, f in zip(each, factors, strict=True)] for each in behind_answers(rules)]
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


def behind_answers(rules: RuleList) -> list[tuple[float, ...]]:
    """The counts each answer rests on, rule by rule, what is said otherwise last.

    A rule that met no rows counts as if it had met one, of its own class. What is said otherwise then rests
    on the rows of all rules together, if its class is the most common of them.

    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> behind_answers(RuleList(schema, (Rule((), "Yes", (2.0, 5.0)), Rule((), "No")), Otherwise("Yes")))
    [(2.0, 5.0), (1.0, 0.0), (2.0, 5.0)]
    """
    classes = rules.schema.classes

    def own(each: Rule | Otherwise) -> tuple[float, ...]:
        return each.counts if any(each.counts) else tuple(float(name == each.then) for name in classes)

    found = [own(each) for each in rules.sayings]
    if not any(rules.otherwise.counts):
        met = [rule.counts for rule in rules if any(rule.counts)]
        whole = tuple(map(sum, zip(*met, strict=True)))
        if met and rules.otherwise.then == classes[whole.index(max(whole))]:
            found[-1] = whole
    return found
