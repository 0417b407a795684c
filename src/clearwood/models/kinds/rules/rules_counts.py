"""What each rule's answer rests on: the weights by class of the rows behind it."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.kinds.rules.rule_list import RuleList


def behind_answers(rules: RuleList) -> list[tuple[float, ...]]:
    """The weights by class each answer rests on, rule by rule, what is said otherwise last.

    Where an answer met no rows these are one row of its class and, if the list has met rows at all, one more
    divided as they are. What is said otherwise rests on all rows if its class is the most common of them.

    >>> from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
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


def counts_of_all(rules: RuleList) -> tuple[float, ...]:
    """The weights by class of all rows that the list has met; zeros if it has met none.

    Under "first" each row stands behind one answer; under "vote" all stand behind what is said otherwise.
    """
    if rules.matching == "vote" and any(rules.otherwise.counts):
        return rules.otherwise.counts
    met = [each.counts for each in rules.entries if any(each.counts)]
    return tuple(map(sum, zip(*met, strict=True))) if met else (0.0,) * len(rules.schema.classes)


def answers_with_rows(rules: RuleList) -> list[bool]:
    """By rule, what is said otherwise last: were rows counted behind the answer, or is it none?

    What is said otherwise rests on all rows where it took none itself. No answer claims nothing.
    """
    *counted, otherwise = [any(each.counts) or each.then is None for each in rules.entries]
    return [*counted, otherwise or any(counts_of_all(rules))]


def rule_weights(rules: RuleList) -> Floats:
    """[rule + 1, class] what each answer rests on × the decision's factors, what is said otherwise last."""
    counts = np.array(behind_answers(rules), dtype=np.float64).reshape(-1, len(rules.schema.classes))
    return counts * np.array(rules.decision.factors) if rules.decision.factors else counts
