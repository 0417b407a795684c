"""The columns of a page of rules: number, rule, answer, bar, rows, share right; each line of it as marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clearwood.draw.lettering import packed, widest, wrapped_text
from clearwood.draw.marks import Anchor, Mark, Rectangle, TextLine
from clearwood.draw.palette import LIGHT
from clearwood.draw.rule_words import RuleWords

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
