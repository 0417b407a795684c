"""Rules as a decision table: one row per rule, and a last one for what is said otherwise."""

from __future__ import annotations

import math

from clearwood.export.program.of_rules import first_answers, rule_texts
from clearwood.export.program.program import inputs_of
from clearwood.export.tables.decision_table import DecisionRow, DecisionTable
from clearwood.models.conditions import Condition, never_holds
from clearwood.models.paths import merged_conditions
from clearwood.models.rule_list import Rule, RuleList


def table_of_rules(rules: RuleList) -> DecisionTable:
    """The table of rules of which the first that holds answers. Rules that cannot hold are left out."""
    if rules.is_numeric:
        answers: list[str | float | None] = [
            None if each.then is None else float(each.then) for each in rules.entries
        ]
        shares: list[list[float]] = [[] for _ in rules.entries]
    else:
        codes, shares = first_answers(rules)
        answers = [None if code < 0 else rules.schema.classes[int(code)] for code in codes]
    rows = []
    for entry, answer, share, reason in zip(rules.entries, answers, shares, rule_texts(rules), strict=True):
        when: tuple[Condition, ...] = ()
        if isinstance(entry, Rule):
            when = merged_conditions(list(entry.when))
        if any(map(never_holds, when)):
            continue
        known = {each.name: each for each in when}
        weight = rules.weight(entry)
        known_weight = None if math.isnan(weight) else weight
        rows.append(DecisionRow(known, frozenset(), answer, tuple(share), known_weight, reason))
    return DecisionTable(rules, inputs_of(rules), tuple(rows), "first")
