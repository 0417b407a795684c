"""Rules as text: those of a rule list, or one for every leaf of a tree; and as a table for a page."""

import re
from typing import Final

from clearwood.formulas.conditions import all_of
from clearwood.formulas.spelling import written
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.decision_words import decision_words, with_weights
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList, answer_text
from clearwood.models.kinds.rules.rule_text import rule_lines, share_right, write_rules
from clearwood.models.kinds.tree.tree import Tree
from clearwood.words.columns import column_widths, display_width, padded, printable, wrapped
from clearwood.words.numbers import many

_LEAST: Final = 30  # characters for a rule, however narrow the page
_INSET: Final = "   "  # before a rule's further lines
_BREAKS: Final = re.compile("(?<= AND) | (?=THEN )")


def draw_rule_table(
    rules: RuleList, *, width: int | None = None, most: int | None = None, hint: str = ""
) -> str:
    """The rules `width` characters wide where given; what `most` lines do not hold is counted, with a hint.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(draw_rule_table(cw.CN2().learn(table), width=60))
       rows  right
    1     5  100 %  IF Outlook in {Overcast, Rainy} AND
                       Wind = Weak THEN PlayTennis = Yes
    2     4  100 %  IF Humidity = High AND
                       Outlook in {Rainy, Sunny}
                       THEN PlayTennis = No
    3     4  100 %  IF Outlook in {Overcast, Sunny}
                       THEN PlayTennis = Yes
          1  100 %  OTHERWISE PlayTennis = No
    <BLANKLINE>
    3 rules, 5 conditions; the first that holds decides · CN2
      from 14 rows
    """
    cells = [["", "rows", "" if rules.is_numeric else "right"]]
    cells += [
        [str(place) if isinstance(each, Rule) else "", *_figures(rules, each)]
        for place, each in enumerate(rules.entries, 1)
    ]
    widths = column_widths(cells)
    ahead = [
        "  ".join(padded(cell, room, "right") for cell, room in zip(row, widths, strict=True))
        for row in cells
    ]
    room = None if width is None else max(_LEAST, width - len(ahead[0]) - 2)
    blank = " " * len(ahead[0])
    drawn = [
        [
            f"{blank if i else figures}  {text}".rstrip()
            for i, text in enumerate(fold_rule(printable(_sentence(rules, each)), room))
        ]
        for figures, each in zip(ahead[1:], rules.entries, strict=True)
    ]
    body, last = drawn[:-1], drawn[-1]
    fitting = len(body)
    while most is not None and fitting and sum(map(len, body[:fitting])) + len(last) + 4 > most:
        fitting -= 1
    left = len(body) - fitting
    more = [f"{blank}  … and {left:,} {'rule' if left == 1 else 'rules'} more{hint}"] if left else []
    lines = [line for each in body[:fitting] for line in each]
    below = [rules_summary(rules), *map(printable, decision_words(rules))]
    summary = below if width is None else [line for each in below for line in wrapped(each, width)]
    return "\n".join([ahead[0].rstrip(), *lines, *more, *last, "", *summary])


def _figures(rules: RuleList, each: Rule | Otherwise) -> tuple[str, str]:
    """The training rows it answered and how many of them correctly; nothing where it has none."""
    if not each.counts:
        return "–", ""
    weight = rules.weight(each)
    rows = f"{weight:,.0f}" if weight == round(weight) else f"{weight:,.1f}"
    share = None if each.then is None else share_right(rules, each.then, each.counts)
    return rows, "" if share is None else f"{100 * share:.0f} %"


def fold_rule(text: str, room: int | None) -> list[str]:
    """A rule in lines of at most so many characters, broken after AND and before THEN where that will do.

    >>> fold_rule("IF Outlook = Sunny AND Humidity = High THEN PlayTennis = No", 30)
    ['IF Outlook = Sunny AND', '   Humidity = High', '   THEN PlayTennis = No']
    """
    if room is None:
        return [text]
    lines: list[str] = []
    for part in _BREAKS.split(text):
        if lines and display_width(f"{lines[-1]} {part}") <= room:
            lines[-1] += f" {part}"
        else:
            lines += wrapped((_INSET if lines else "") + part, room)
    return lines


def _sentence(rules: RuleList, each: Rule | Otherwise) -> str:
    assert rules.schema.target is not None
    answer = answer_text(each.then)
    answer_clause = answer if each.then is None else f"{written(rules.schema.target.name)} = {answer}"
    if isinstance(each, Otherwise):
        return f"OTHERWISE {'nothing' if each.then is None else answer_clause}"
    conditions = all_of(each.when)
    return f"IF {conditions} THEN {answer_clause}" if conditions else f"ALWAYS THEN {answer_clause}"


def rules_summary(rules: RuleList) -> str:
    if not len(rules):
        return f"No rules · {rules.origin.title}{_rows(rules)}"
    ways = {"first": "the first that holds decides", "vote": "all that hold vote"}
    conditions = f"{rules.conditions:,} {'condition' if rules.conditions == 1 else 'conditions'}"
    how = f"{len(rules):,} {'rule' if len(rules) == 1 else 'rules'}, {conditions}; {ways[rules.matching]}"
    return f"{how} · {rules.origin.title}{_rows(rules)}"


def _rows(rules: RuleList) -> str:
    return f" from {many(rules.origin.rows, 'row')}{with_weights(rules.origin)}" if rules.origin.rows else ""


# Rules as text: those of a rule list, or one for every leaf of a tree.


def draw_rules(model: RuleList | Tree) -> str:
    """`IF … THEN …` line by line, and the default rule where a row may satisfy no other.

    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (2 rows, 100 %)
    """
    return "\n".join(rule_lines(rules_of(model))) if isinstance(model, Tree) else write_rules(model)


def printed_rules(model: RuleList | Tree) -> str:
    """The same with the model's decision below, as comments: the text still reads back."""
    return "\n".join([draw_rules(model), *(f"# {printable(each)}" for each in decision_words(model))])
