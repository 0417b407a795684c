"""A node as a line, for trees drawn from left to right: leaves stand below each other as in a table, and a
split is a small box that names its question."""

from __future__ import annotations

from typing import Final

from clearwood.draw.branch_label import LABEL, LEADING, label_lines
from clearwood.draw.layout import Frame, NodeSize
from clearwood.draw.lettering import text_width, widest, wrapped_text
from clearwood.draw.marks import Mark, Rectangle, TextLine
from clearwood.draw.node_bars import BAR, ColourScale, bar_marks
from clearwood.draw.palette import LIGHT
from clearwood.draw.tree_words import Shown

_HEAD: Final = 12.0  # sizes of letters
_SMALL: Final = 11.0
_PAD: Final = 6.0
_BAR_WIDTH: Final = 56.0
_WIDEST: Final = 150.0
_WIDEST_ANSWER: Final = 320.0


def line_block(shown: Shown) -> NodeSize:
    """The room that a line or a small box and its label need."""
    words = shown.node
    beside = text_width(_beside(shown), _SMALL)
    if words.is_leaf:
        head = wrapped_text(words.head, _WIDEST_ANSWER, _HEAD, True)
        width = _BAR_WIDTH + 8 + widest(head, _HEAD, bold=True) + 8 + beside
        height = len(head) * _HEAD * LEADING + 3
    else:
        head = wrapped_text(words.head, _WIDEST, _HEAD, True)
        width = _box_width(head) + (beside + 16 if shown.hidden else 0.0)
        height = len(head) * _HEAD * LEADING + BAR + 2 * _PAD + (6 if shown.hidden else 0)
    if shown.branch is None:
        return NodeSize(width, height)
    lines = label_lines(shown.branch)
    extra = text_width(shown.branch.short_rows, _SMALL) + 6
    extra += text_width(shown.part, _SMALL, bold=True) + 6 if shown.part else 0.0
    label_width = max(widest(lines, LABEL), text_width(lines[-1], LABEL) + extra) + 6
    return NodeSize(width, height, label_width, len(lines) * LABEL * LEADING)


def node_marks(shown: Shown, box: Frame, label: Frame, scale: ColourScale) -> list[Mark]:
    """The node and its label."""
    return [*_label(shown, label), *(_leaf if shown.node.is_leaf else _split)(shown, box, scale)]


def _leaf(shown: Shown, box: Frame, scale: ColourScale) -> list[Mark]:
    words, middle = shown.node, box.y + box.height / 2
    marks: list[Mark] = []
    if shown.chosen:
        frame = (LIGHT.panel, LIGHT.accent, 2.0, 5.0)
        marks.append(Rectangle(box.x - 4, box.y - 1, box.width + 8, box.height + 2, *frame))
    marks += bar_marks(words.counts, box.x, middle - BAR / 2, _BAR_WIDTH, scale)
    head = wrapped_text(words.head, _WIDEST_ANSWER, _HEAD, True)
    x = box.x + _BAR_WIDTH + 8
    y = middle - len(head) * _HEAD * LEADING / 2
    for line in head:
        y += _HEAD * LEADING
        marks.append(TextLine(x, y - 3.5, line, _HEAD, bold=True))
    x += widest(head, _HEAD, bold=True) + 8
    marks.append(TextLine(x, middle + 4, _beside(shown), _SMALL, LIGHT.muted))
    return marks


def _split(shown: Shown, box: Frame, scale: ColourScale) -> list[Mark]:
    head = wrapped_text(shown.node.head, _WIDEST, _HEAD, True)
    width, marks = _box_width(head), list[Mark]()
    height = len(head) * _HEAD * LEADING + BAR + 2 * _PAD
    frame = (LIGHT.accent, 2.5, 4.0) if shown.chosen else (LIGHT.muted, 1.0, 4.0)
    if shown.hidden:
        marks += [
            Rectangle(box.x + away, box.y + away, width, height, LIGHT.panel, LIGHT.muted, 1.0, 4.0)
            for away in (5.0, 2.5)
        ]
        x, y = box.x + width + 12, box.y + height / 2 + 4
        marks.append(TextLine(x, y, _beside(shown), _SMALL, LIGHT.muted))
    marks.append(Rectangle(box.x, box.y, width, height, LIGHT.paper, *frame))
    y = box.y + _PAD - 2
    for line in head:
        y += _HEAD * LEADING
        marks.append(TextLine(box.x + width / 2, y - 3, line, _HEAD, bold=True, anchor="middle"))
    marks += bar_marks(shown.node.counts, box.x + _PAD, y + 1, width - 2 * _PAD, scale)
    return marks


def _label(shown: Shown, place: Frame) -> list[Mark]:
    if shown.branch is None:
        return []
    lines = label_lines(shown.branch)
    marks: list[Mark] = []
    x, y = place.x + 3, place.y
    for line in lines:
        y += LABEL * LEADING
        marks.append(TextLine(x, y - 3.5, line, LABEL))
    x += text_width(lines[-1], LABEL) + 6
    marks.append(TextLine(x, y - 3.5, shown.branch.short_rows, _SMALL, LIGHT.muted))
    if shown.part:
        x += text_width(shown.branch.short_rows, _SMALL) + 6
        marks.append(TextLine(x, y - 3.5, shown.part, _SMALL, LIGHT.accent, bold=True))
    return marks


def _beside(shown: Shown) -> str:
    """The text beside a node: nothing for a split that is not folded."""
    if shown.node.is_leaf:
        return shown.node.detail
    return f"{shown.hidden} · {shown.node.detail}" if shown.hidden else ""


def _box_width(head: tuple[str, ...]) -> float:
    return max(widest(head, _HEAD, bold=True), _BAR_WIDTH) + 2 * _PAD
