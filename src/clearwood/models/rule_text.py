"""Rules as text that reads back: one line each, with the rows a rule answers as a remark in parentheses."""

from __future__ import annotations

from typing import Final

from clearwood.models.conditions import all_of
from clearwood.models.kinds import check_kind
from clearwood.models.nodes import weight_of
from clearwood.models.rule_list import REFER, Answer, RuleList, answer_text
from clearwood.models.words import written
from clearwood.words.numbers import row_count

VOTE: Final = "RULES VOTE"  # the heading of a list whose rules vote


def write_rules(rules: RuleList, *, counts: bool = True) -> str:
    """The list as `read_rules` reads it: one `IF … THEN …` per line, and the default rule.

    >>> from clearwood import AtMost, Equals, Nominal, Numeric, Schema
    >>> from clearwood.models.rule_list import Rule
    >>> schema = Schema((Nominal("Outlook", ("Sunny",)), Numeric("Humidity")), Nominal("Play", ("Yes", "No")))
    >>> sunny = Rule((Equals("Outlook", "Sunny"), AtMost("Humidity", 75.0)), "Yes", (2.0, 0.0))
    >>> print(write_rules(RuleList(schema, (sunny,))))
    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Yes  (2 rows, 100 %)
    OTHERWISE nothing
    """
    check_kind("write_rules", rules, RuleList)
    lines = [VOTE] if rules.matching == "vote" else []
    lines += rule_lines(rules, counts=counts)
    return "\n".join([*lines, otherwise_line(rules, counts=counts)])


def rule_lines(rules: RuleList, *, counts: bool = True) -> list[str]:
    """Each rule in one line."""
    lines = []
    for rule in rules:
        conditions = all_of(rule.when)
        head = f"IF {conditions}" if conditions else "ALWAYS"
        lines.append(f"{head} THEN {_answer_text(rules, rule.then, rule.counts if counts else ())}")
    return lines


def otherwise_line(rules: RuleList, *, counts: bool = True) -> str:
    """The default rule in one line."""
    otherwise = rules.otherwise
    if otherwise.then is None:
        return "OTHERWISE nothing"
    return "OTHERWISE " + _answer_text(rules, otherwise.then, otherwise.counts if counts else ())


def _answer_text(rules: RuleList, then: Answer | None, counts: tuple[float, ...]) -> str:
    assert rules.schema.target is not None
    if then is None:  # where a class has this name, a text cannot mean both by it
        answer = "nothing" if REFER in rules.schema.classes else REFER
    else:
        answer = f"{written(rules.schema.target.name)} = {answer_text(then)}"
    return f"{answer}{_remark(rules, then, counts)}"


def _remark(rules: RuleList, then: Answer | None, counts: tuple[float, ...]) -> str:
    if not counts:
        return ""
    rows = row_count(weight_of(counts, numeric=rules.is_numeric))
    share = share_right(rules, then, counts)
    return f"  ({rows})" if share is None else f"  ({rows}, {100 * share:.0f} %)"


def share_right(rules: RuleList, then: Answer | None, counts: tuple[float, ...]) -> float | None:
    """The part of these rows that has the answer's class, as the decision weighs them; None for numbers."""
    if rules.is_numeric or not isinstance(then, str) or not sum(counts):
        return None
    factors = rules.decision.factors or (1.0,) * len(counts)
    weighed = [count * factor for count, factor in zip(counts, factors, strict=True)]
    return weighed[rules.schema.classes.index(then)] / sum(weighed)
