"""Rules as text: one line each, with the rows it answers and the share of them it gets right."""

from __future__ import annotations

from clearwood.draw.columns import printable
from clearwood.learners.rules_of import rules_of
from clearwood.models.conditions import number
from clearwood.models.rule_list import Answer, RuleList
from clearwood.models.tree import Tree


def draw_rules(model: RuleList | Tree) -> str:
    """`IF … THEN …` line by line, and what is said otherwise where a row may meet no rule.

    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (2 rows, 100 %)
    """
    rules = rules_of(model) if isinstance(model, Tree) else model
    target = printable(rules.schema.target.name) if rules.schema.target else ""
    lines = []
    for rule in rules:
        conditions = " AND ".join(printable(str(condition)) for condition in rule.when)
        head = f"IF {conditions}" if conditions else "ALWAYS"
        lines.append(f"{head} THEN {target} = {_said(rules, rule.then, rule.counts)}")
    if not isinstance(model, Tree) and rules.otherwise.then is not None:
        then, counts = rules.otherwise.then, rules.otherwise.counts
        lines.append(f"OTHERWISE {target} = {_said(rules, then, counts)}")
    return "\n".join(lines)


def _said(rules: RuleList, then: Answer, counts: tuple[float, ...]) -> str:
    answer = printable(then) if isinstance(then, str) else number(then)
    if not counts:
        return answer
    weight = counts[0] if rules.is_numeric else sum(counts)
    rows = f"{weight:.4g} row" + ("" if weight == 1 else "s")
    if rules.is_numeric or not isinstance(then, str) or not weight:
        return f"{answer}  ({rows})"
    factors = rules.decision.factors or (1.0,) * len(counts)
    weighed = [count * factor for count, factor in zip(counts, factors, strict=True)]
    share = weighed[rules.schema.classes.index(then)] / sum(weighed)
    return f"{answer}  ({rows}, {share:.0%})".replace("%)", " %)")
