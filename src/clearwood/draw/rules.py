"""Rules as text (those of a rule list, or one for every leaf of a tree), as a table, and as a picture."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, Literal, TypeAlias, assert_never

from clearwood.draw.lettering import packed, widest, wrapped_text
from clearwood.draw.marks import (
    BAR,
    Anchor,
    ColourScale,
    Group,
    Mark,
    Rectangle,
    TextLine,
    bar_marks,
    caption_marks,
    legend_marks,
    written_as_svg,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture, framed
from clearwood.errors import check_known
from clearwood.formulas.conditions import all_of, written
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.in_words import decision_words, with_weights
from clearwood.models.kinds.rules.rule_list import REFER, Otherwise, Rule, RuleList, answer_text
from clearwood.models.kinds.rules.rule_text import rule_lines, share_right, write_rules
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.one import rules_that_hold
from clearwood.predicting.row import row_predictor
from clearwood.words.columns import column_widths, display_width, padded, printable, wrapped
from clearwood.words.numbers import figure, many, percent, row_count

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
    more = [f"{blank}  … and {many(left, 'rule')} more{hint}"] if left else []
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
    answer = answer_text(each.then)
    answer_clause = answer if each.then is None else f"{written(rules.schema.predicted.name)} = {answer}"
    if isinstance(each, Otherwise):
        return f"OTHERWISE {'nothing' if each.then is None else answer_clause}"
    conditions = all_of(each.when)
    return f"{f'IF {conditions}' if conditions else 'ALWAYS'} THEN {answer_clause}"


def rules_summary(rules: RuleList) -> str:
    origin = rules.origin
    of = f" from {many(origin.rows, 'row')}{with_weights(origin)}" if origin.rows else ""
    if not len(rules):
        return f"No rules · {origin.title}{of}"
    way = "the first that holds decides" if rules.matching == "first" else "all that hold vote"
    size = f"{many(len(rules), 'rule')}, {many(rules.conditions, 'condition')}"
    return f"{size}; {way} · {origin.title}{of}"


# Rules as text: those of a rule list, or one for every leaf of a tree.


def draw_rules(model: RuleList | Tree) -> str:
    """`IF … THEN …` line by line, and the default rule where a row may satisfy no other.

    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (2 rows, 100 %)
    """
    return "\n".join(rule_lines(rules_of(model))) if isinstance(model, Tree) else write_rules(model)


def printed_rules(model: RuleList | Tree) -> str:
    """The same with the model's decision below, as comments: the text still reads back."""
    return "\n".join([draw_rules(model), *(f"# {printable(each)}" for each in decision_words(model))])


# Rules as a picture: a table with a bar for each, or a map of the rows that each of them takes.


RuleKind: TypeAlias = Literal["table", "icicle"]

_BAR_WIDTH: Final[dict[RuleKind, float]] = {"table": 90.0, "icicle": 380.0}
_STEP: Final = 14.0  # how high a bar of the icicle is
_MARGIN: Final = 20.0
_SET_BACK: Final = 0.45  # what does not answer the case


def rule_picture(
    rules: RuleList,
    *,
    kind: RuleKind = "table",
    row: Mapping[str, Any] | None = None,
    theme: ThemeName = "auto",
) -> Picture:
    """The rules in order. In an "icicle" each bar is as long as the rows its rule takes and begins where the
    rules before it end; rules that vote share rows, and their bars all begin at the left."""
    check_known("kind of picture called", kind, _BAR_WIDTH, plural="kinds")
    words = rule_words(rules, row)
    columns = columns_for(words, _MARGIN, _BAR_WIDTH[kind])
    target = rules.schema.target.name if rules.schema.target else ""
    colours = class_colours(rules.schema.classes)
    notes = [] if row is None else [_case_sentence(words)]
    marks, y = legend_marks(target, colours, notes, _MARGIN, _MARGIN, columns.width)
    named, y = heading(columns, y)
    marks += named
    answers = [each.then for each in rules.entries if isinstance(each.then, int | float)]
    scale = ColourScale(tuple(colours.values()), min(answers, default=0.0), max(answers, default=0.0))
    # The rows taken before each rule, and last all of them.
    weights = [each.weight for each in words]
    before = (
        [0.0, *accumulate(weights)] if rules.matching == "first" else [0.0] * len(weights) + [max(weights)]
    )
    for place, each in enumerate(words):
        middle = y + line_height(each) / 2
        drawn = rule_marks(columns, each, y, scale.colours)
        if kind == "icicle":
            drawn += _step(each, before[place], before[-1], columns.bar, middle - _STEP / 2, scale)
        elif each.counts:
            drawn += bar_marks(each.counts, columns.bar, middle - BAR / 2, _BAR_WIDTH[kind], scale)
        opacity = 1.0 if row is None or each.chosen else _SET_BACK
        marks.append(Group(drawn, each.full, "rule", place, opacity))
        y += line_height(each)
    written, y = caption_marks([rules_summary(rules)], _MARGIN, y + 8, columns.width)
    first = f"; the first says {words[0].full[0]}" if len(words) > 1 else ""
    return framed(
        written_as_svg([*marks, *written]),
        round(columns.width + 2 * _MARGIN),
        round(y + _MARGIN),
        title=f"Rules for {target}",
        alt=" ".join([f"{many(len(rules), 'rule')} for {target}{first}.", *notes]),
        theme=theme,
    )


def _step(each: RuleWords, before: float, whole: float, x: float, y: float, scale: ColourScale) -> list[Mark]:
    """A bar of the icicle: what is left for this rule, and of it what the rule takes, by class."""
    width = _BAR_WIDTH["icicle"]
    if whole <= 0:
        return []
    start = x + width * before / whole
    marks: list[Mark] = [Rectangle(start, y, x + width - start, _STEP, LIGHT.panel)]
    if not scale.colours:
        return [*marks, Rectangle(start, y, width * each.weight / whole, _STEP, LIGHT.muted)]
    for count, colour in zip(each.counts, scale.colours, strict=bool(each.counts)):
        if count > 0:
            part = width * count / whole
            marks.append(Rectangle(start, y, part, _STEP, colour))
            start += part
    return marks


def _case_sentence(words: Sequence[RuleWords]) -> str:
    chosen = [each for each in words if each.chosen]
    names = ", ".join(each.number for each in chosen)
    if not names:
        return f"No rule holds for the case: the default rule predicts {chosen[0].answer}."
    return f"Rule {names} decides the case." if len(chosen) == 1 else f"Rules {names} vote on the case."


# The columns of a page of rules: number, rule, answer, bar, rows, share right; each line of it as marks.


_SIZE: Final = 12.0
_SMALL: Final = 11.0
_LINE: Final = 16.0
_PAD: Final = 5.0  # above and below a rule
_GAP: Final = 16.0  # between columns
_WIDEST_RULE: Final = 420.0
_WIDEST_ANSWER: Final = 160.0


@dataclass(frozen=True, slots=True)
class ColumnEdges:
    """Where each column stands: its left edge, or its right one where figures end."""

    left: float
    number_end: float
    rule: float
    answer: float
    bar: float
    rows_end: float
    right_end: float

    @property
    def width(self) -> float:
        return self.right_end - self.left


def columns_for(rules: Sequence[RuleWords], left: float, bar_width: float) -> ColumnEdges:
    """Columns as wide as what stands in them."""
    number_end = left + widest([each.number for each in rules], _SMALL)
    rule = number_end + 10
    answer = rule + max(widest(_rule(each), _SIZE) for each in rules) + _GAP
    bar = answer + 16 + max(widest(_answer(each), _SIZE, bold=True) for each in rules) + _GAP
    rows_end = bar + bar_width + _GAP + widest(["rows", *(each.rows for each in rules)], _SMALL)
    right_end = rows_end + _GAP + widest(["right", *(each.right for each in rules)], _SMALL)
    return ColumnEdges(left, number_end, rule, answer, bar, rows_end, right_end)


def heading(columns: ColumnEdges, y: float) -> tuple[list[Mark], float]:
    """The names of the columns, and where the first rule begins."""
    names: tuple[tuple[float, str, Anchor], ...] = (
        (columns.rule, "rule", "start"),
        (columns.answer, "predicted", "start"),
        (columns.rows_end, "rows", "end"),
        (columns.right_end, "right", "end"),
    )
    marks: list[Mark] = [
        TextLine(x, y + _LINE - 5, text, _SMALL, LIGHT.muted, anchor=anchor) for x, text, anchor in names
    ]
    marks.append(Rectangle(columns.left, y + _LINE, columns.width, 1, LIGHT.line))
    return marks, y + _LINE + 2


def line_height(each: RuleWords) -> float:
    """How high the line of a rule is."""
    return max(len(_rule(each)), len(_answer(each))) * _LINE + 2 * _PAD


def rule_marks(columns: ColumnEdges, each: RuleWords, y: float, colours: Sequence[str]) -> list[Mark]:
    """A rule's line but for its bar."""
    height = line_height(each)
    marks: list[Mark] = [Rectangle(columns.left, y + height, columns.width, 0.5, LIGHT.line)]
    if each.chosen:
        frame = (LIGHT.panel, LIGHT.accent, 2.0, 5.0)
        marks.append(Rectangle(columns.left - 8, y + 1.5, columns.width + 16, height - 2, *frame))
    top = y + _PAD + _LINE - 4
    marks += [TextLine(columns.rule, top + k * _LINE, text, _SIZE) for k, text in enumerate(_rule(each))]
    if each.code >= 0:
        marks.append(Rectangle(columns.answer, top - 9, 10, 10, colours[each.code], LIGHT.ink, 0.5, 2))
    marks += [
        TextLine(columns.answer + 16, top + k * _LINE, text, _SIZE, bold=True)
        for k, text in enumerate(_answer(each))
    ]
    figures = (
        (columns.number_end, each.number),
        (columns.rows_end, each.rows),
        (columns.right_end, each.right),
    )
    marks += [TextLine(x, top, text, _SMALL, LIGHT.muted, anchor="end") for x, text in figures if text]
    return marks


def _rule(each: RuleWords) -> tuple[str, ...]:
    return packed(each.when, _WIDEST_RULE, _SIZE)


def _answer(each: RuleWords) -> tuple[str, ...]:
    return wrapped_text(each.answer, _WIDEST_ANSWER, _SIZE, True)


# The words in each line of a picture of rules: conditions, answer, its rows and how many are right.


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule, or the default rule; `counts` are () where it has no rows."""

    number: str
    when: tuple[str, ...]  # its conditions, each with the word that joins it to the next
    answer: str
    code: int  # of the class answered; −1: a number, or nothing
    rows: str  # how many
    right: str
    weight: float
    counts: tuple[float, ...]
    chosen: bool  # does it answer the case?

    @property
    def full(self) -> tuple[str, ...]:
        """The whole text, in lines."""
        right = f", {self.right} of them right" if self.right else ""
        return (f"{' '.join(self.when)} THEN {self.answer}", f"{row_count(self.weight)}{right}")


def rule_words(rules: RuleList, row: Mapping[str, Any] | None = None) -> list[RuleWords]:
    """Every rule in order, the default rule last; with a row, those that answer it are chosen.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> words = rule_words(cw.CN2().learn(table), {"Wind": "Weak", "Outlook": "Overcast"})
    >>> (words[0].when, words[0].answer, words[0].rows, words[0].right, words[0].chosen)
    (('IF Outlook in {Overcast, Rainy} AND', 'Wind = Weak'), 'Yes', '5', '100 %', True)
    """
    chosen: set[int] = set()
    if row is not None:
        predictor = row_predictor(rules)
        # Columns that are not named are missing.
        held = rules_that_hold(rules, predictor.spelled({**dict.fromkeys(predictor.names), **row}))
        chosen = set(held[:1] if rules.matching == "first" else held) or {len(rules)}
    return [_words(rules, each, place, place in chosen) for place, each in enumerate(rules.entries)]


def _words(rules: RuleList, each: Rule | Otherwise, place: int, chosen: bool) -> RuleWords:
    number, when = (str(place + 1), _conditions(each)) if isinstance(each, Rule) else ("", ("OTHERWISE",))
    match each.then:
        case None:
            answer, code = REFER if isinstance(each, Rule) else "nothing", -1
        case str():
            answer, code = each.then, rules.schema.classes.index(each.then)
        case int() | float():
            answer, code = figure(each.then), -1
        case _:
            assert_never(each.then)
    weight = rules.weight(each)
    share = None if each.then is None or not each.counts else share_right(rules, each.then, each.counts)
    right = "" if share is None else f"{percent(share)} %"
    rows = row_count(weight).split(" ")[0] if each.counts else "–"
    return RuleWords(number, when, answer, code, rows, right, weight, each.counts, chosen)


def _conditions(rule: Rule) -> tuple[str, ...]:
    if not rule.when:
        return ("ALWAYS",)
    several = len(rule.when) > 1
    pieces = [
        f"({each})" if several and getattr(each, "or_missing", False) else str(each) for each in rule.when
    ]
    pieces[0] = f"IF {pieces[0]}"
    return (*(f"{each} AND" for each in pieces[:-1]), pieces[-1])
