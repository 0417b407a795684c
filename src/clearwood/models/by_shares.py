"""A rule list whose answers follow the shares of its rows, where a learner's own would not."""

from __future__ import annotations

from dataclasses import replace

from clearwood.models.rule_list import Answer, Otherwise, Rule, RuleList


def by_shares(rules: RuleList) -> RuleList:
    """The list with every answer the most common class of the rows behind it, of equals the first.

    What is answered is then what is most probable, as scikit-learn has it. An answer that met no rows stays.

    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> by_shares(RuleList(schema, (Rule((), "No", (2.0, 6.0)),), Otherwise("No"))).rules[0].then
    'Yes'
    """
    classes = rules.schema.classes

    def most(each: Rule | Otherwise) -> Answer | None:
        return classes[each.counts.index(max(each.counts))] if any(each.counts) else each.then

    return replace(
        rules,
        rules=tuple(replace(rule, then=most(rule)) for rule in rules),
        otherwise=replace(rules.otherwise, then=most(rules.otherwise)),
    )
