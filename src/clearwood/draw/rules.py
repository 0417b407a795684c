"""Rules as text: those of a rule list, or one for every leaf of a tree."""

from __future__ import annotations

from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.decision_words import decision_words
from clearwood.models.rule_list import RuleList
from clearwood.models.rule_text import rule_lines, write_rules
from clearwood.models.tree import Tree
from clearwood.words.columns import printable


def draw_rules(model: RuleList | Tree) -> str:
    """`IF … THEN …` line by line, and the default rule where a row may satisfy no other.

    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (2 rows, 100 %)
    """
    return "\n".join(rule_lines(rules_of(model))) if isinstance(model, Tree) else write_rules(model)


def printed_rules(model: RuleList | Tree) -> str:
    """The same with the model's decision below, as comments: the text still reads back."""
    return "\n".join([draw_rules(model), *(f"# {printable(each)}" for each in decision_words(model))])
