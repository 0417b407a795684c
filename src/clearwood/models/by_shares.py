"""A rule list whose answers follow the shares of its rows, where a learner's own would not."""

from __future__ import annotations

from dataclasses import replace

from clearwood.models.rule_list import Answer, Otherwise, Rule, RuleList


def by_shares(rules: RuleList) -> RuleList:
    """The list with every answer the most common class of the rows behind it, or by the decision's costs the
    one of least expected cost; of equals the first.

    What is answered is then what is most probable, as scikit-learn has it. An answer that met no rows stays.

    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> by_shares(RuleList(schema, (Rule((), "No", (2.0, 6.0)),), Otherwise("No"))).rules[0].then
    'Yes'
    """
    classes = rules.schema.classes

    costs = rules.decision.costs

    def most(each: Rule | Otherwise) -> Answer | None:
        if not any(each.counts):
            return each.then
        if not costs:
            return classes[each.counts.index(max(each.counts))]
        expected = [
            sum(count * row[called] for count, row in zip(each.counts, costs, strict=True))
            for called in range(len(classes))
        ]
        return classes[expected.index(min(expected))]

    return replace(
        rules,
        rules=tuple(replace(rule, then=most(rule)) for rule in rules),
        otherwise=replace(rules.otherwise, then=most(rules.otherwise)),
    )
