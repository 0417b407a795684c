"""One row past a list of rules: the definition that native matching, and the compiled program, must equal."""

from __future__ import annotations

from clearwood.models.decision import ShareSmoothing, cheapest_of_one, check_smoothing
from clearwood.models.kinds.rules.rule_list import Answer, RuleList, behind_answers, counts_of_all
from clearwood.predicting.one import rules_that_hold
from clearwood.table.raw import Row


def answer_by_rules(rules: RuleList, row: Row) -> Answer | None:
    """The answer of the first rule that holds, or the class with the most votes; None: nothing is said."""
    held = rules_that_hold(rules, row)
    if rules.matching == "first" or not held:
        return rules.entries[held[0] if held else -1].then
    shares = shares_by_rules(rules, row)
    return rules.schema.classes[cheapest_of_one(tuple(shares.values()), rules.decision)]


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
