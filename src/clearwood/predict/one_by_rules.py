"""One row past a list of rules: the definition that native matching must equal."""

from __future__ import annotations

from clearwood.models.conditions import holds
from clearwood.models.rule_list import Answer, Rule, RuleList
from clearwood.predict.answers import ShareSmoothing, cheapest_of_one, check_smoothing
from clearwood.table.row import Row


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


def shares_by_rules(rules: RuleList, row: Row, smoothing: ShareSmoothing = None) -> dict[str, float]:
    """The share of each class among the rows that the rule took in training, or that all who vote covered."""
    check_smoothing(smoothing)
    classes = rules.schema.classes
    factors = rules.decision.factors or (1.0,) * len(classes)
    weights = [[n * f for n, f in zip(each, factors, strict=True)] for each in behind_answers(rules)]
    held = rules_that_hold(rules, row) or [len(rules)]
    if rules.entries[held[0]].then is None:
        return dict.fromkeys(classes, 0.0)
    voting = held[:1] if rules.matching == "first" else held
    sums = [sum(column) for column in zip(*(weights[i] for i in voting), strict=True)]
    if smoothing == "laplace":
        sums = [each + 1.0 for each in sums]
    elif smoothing is not None:
        whole = [n * f for n, f in zip(counts_of_all(rules), factors, strict=True)]
        if not any(whole):
            whole = [1.0] * len(classes)
        sums = [each + smoothing * part / sum(whole) for each, part in zip(sums, whole, strict=True)]
    return {name: each / sum(sums) for name, each in zip(classes, sums, strict=True)}


def _satisfies(rule: Rule, row: Row) -> bool:
    return all(holds(condition, row.get(condition.name)) for condition in rule.when)


def counts_of_all(rules: RuleList) -> tuple[float, ...]:
    """The weights by class of all rows that the list has met; zeros if it has met none.

    Under "first" each row stands behind one answer; under "vote" all stand behind what is said otherwise.
    """
    if rules.matching == "vote" and any(rules.otherwise.counts):
        return rules.otherwise.counts
    met = [each.counts for each in rules.entries if any(each.counts)]
    return tuple(map(sum, zip(*met, strict=True))) if met else (0.0,) * len(rules.schema.classes)


def behind_answers(rules: RuleList) -> list[tuple[float, ...]]:
    """The weights by class each answer rests on, rule by rule, what is said otherwise last.

    Where an answer met no rows these are one row of its class and, if the list has met rows at all, one more
    divided as they are. What is said otherwise rests on all rows if its class is the most common of them.

    >>> from clearwood.models.rule_list import Otherwise
    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> behind_answers(RuleList(schema, (Rule((), "Yes", (2.0, 6.0)), Rule((), "No")), Otherwise("Yes")))
    [(2.0, 6.0), (1.25, 0.75), (2.0, 6.0)]
    """
    classes = rules.schema.classes
    whole = counts_of_all(rules)
    total = sum(whole) or 1.0
    counts = [
        each.counts
        if any(each.counts)
        else tuple((name == each.then) + count / total for name, count in zip(classes, whole, strict=True))
        for each in rules.entries
    ]
    otherwise = rules.otherwise
    if not any(otherwise.counts) and any(whole) and otherwise.then == classes[whole.index(max(whole))]:
        counts[-1] = whole
    return counts
