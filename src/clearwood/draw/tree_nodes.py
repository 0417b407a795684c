"""The nodes of a tree in a picture: cards if it grows from the top down, lines if it grows to the right."""

from __future__ import annotations

from typing import Final

from clearwood.draw.layout import Frame, NodeSize
from clearwood.draw.lettering import text_width, widest, wrapped_text
from clearwood.draw.marks import BAR, ColourScale, Mark, Rectangle, TextLine, bar_marks
from clearwood.draw.palette import LIGHT
from clearwood.draw.tree_words import LABEL, LEADING, Shown, label_lines

_HEAD: Final = 13.0  # sizes of letters
_SMALL: Final = 11.0
_PAD: Final = 9.0
_WIDEST: Final = 170.0
_NARROWEST: Final = 60.0


def card_block(shown: Shown) -> NodeSize:
    """The room that a card and its label need."""
    head = wrapped_text(shown.node.head, _WIDEST, _HEAD, True)
    small = [*_detail(shown), *((shown.hidden,) if shown.hidden else ())]
    width = max(widest(head, _HEAD, bold=True), widest(small, _SMALL), _NARROWEST) + 2 * _PAD
    height = 2 * _PAD + len(head) * _HEAD * LEADING + BAR + 4 + len(small) * _SMALL * LEADING
    if shown.branch is None:
        return NodeSize(width, height)
    label = label_lines(shown.branch)
    beside = [line for line in (shown.branch.rows, shown.part) if line]
    label_width = max(widest(label, LABEL), widest(beside, _SMALL, bold=True)) + 6
    return NodeSize(width, height, label_width, (len(label) * LABEL + len(beside) * _SMALL) * LEADING)


def card_marks(shown: Shown, box: Frame, label: Frame, scale: ColourScale) -> list[Mark]:
    """The card and its label."""
    marks = _label(shown, label)
    words = shown.node
    if shown.hidden:
        marks += [
            Rectangle(box.x + away, box.y + away, box.width, box.height, LIGHT.panel, LIGHT.muted, 1, 5)
            for away in (6.0, 3.0)
        ]
    if words.is_leaf:
        stroke = LIGHT.accent if shown.chosen else scale.colours[words.code] if scale.colours else LIGHT.muted
        frame = (LIGHT.panel, stroke, 3.0 if shown.chosen else 1.5, 12.0)
    else:
        frame = (
            LIGHT.paper,
            LIGHT.accent if shown.chosen else LIGHT.muted,
            3.0 if shown.chosen else 1.0,
            5.0,
        )
    marks.append(Rectangle(box.x, box.y, box.width, box.height, *frame))
    x, y = box.x + box.width / 2, box.y + _PAD - 2
    for line in wrapped_text(words.head, _WIDEST, _HEAD, True):
        y += _HEAD * LEADING
        marks.append(TextLine(x, y - 4, line, _HEAD, bold=True, anchor="middle"))
    marks += bar_marks(words.counts, box.x + _PAD, y + 2, box.width - 2 * _PAD, scale)
    y += BAR + 6
    for text in _detail(shown):
        y += _SMALL * LEADING
        marks.append(TextLine(x, y - 3, text, _SMALL, LIGHT.muted, anchor="middle"))
    if shown.hidden:
        marks.append(TextLine(x, y + _SMALL * LEADING - 3, shown.hidden, _SMALL, anchor="middle"))
    return marks


def _detail(shown: Shown) -> tuple[str, ...]:
    """Share and rows in lines, with a number and its % in the same one."""
    lines = wrapped_text(shown.node.detail.replace(" %", "\u00a0%"), _WIDEST, _SMALL)
    return tuple(line.replace("\u00a0", " ") for line in lines)


def _label(shown: Shown, place: Frame) -> list[Mark]:
    if shown.branch is None:
        return []
    marks: list[Mark] = []
    x, y = place.x + place.width / 2, place.y
    for line in label_lines(shown.branch):
        y += LABEL * LEADING
        marks.append(TextLine(x, y - 4, line, LABEL, anchor="middle"))
    y += _SMALL * LEADING
    marks.append(TextLine(x, y - 4, shown.branch.rows, _SMALL, LIGHT.muted, anchor="middle"))
    if shown.part:
        y += _SMALL * LEADING
        marks.append(TextLine(x, y - 4, shown.part, _SMALL, LIGHT.accent, True, "middle"))
    return marks


# A node as a line, for trees drawn from left to right: leaves stand below each other as in a table, and a
# split is a small box that names its question.


_LINE_HEAD: Final = 12.0  # sizes of letters
_LINE_PAD: Final = 6.0
_BAR_WIDTH: Final = 56.0
_LINE_WIDEST: Final = 150.0
_WIDEST_ANSWER: Final = 320.0


def line_block(shown: Shown) -> NodeSize:
    """The room that a line or a small box and its label need."""
    words = shown.node
    beside = text_width(_beside(shown), _SMALL)
    if words.is_leaf:
        head = wrapped_text(words.head, _WIDEST_ANSWER, _LINE_HEAD, True)
        width = _BAR_WIDTH + 8 + widest(head, _LINE_HEAD, bold=True) + 8 + beside
        height = len(head) * _LINE_HEAD * LEADING + 3
    else:
        head = wrapped_text(words.head, _LINE_WIDEST, _LINE_HEAD, True)
        width = _box_width(head) + (beside + 16 if shown.hidden else 0.0)
        height = len(head) * _LINE_HEAD * LEADING + BAR + 2 * _LINE_PAD + (6 if shown.hidden else 0)
    if shown.branch is None:
        return NodeSize(width, height)
    lines = label_lines(shown.branch)
    extra = text_width(shown.branch.short_rows, _SMALL) + 6
    extra += text_width(shown.part, _SMALL, bold=True) + 6 if shown.part else 0.0
    label_width = max(widest(lines, LABEL), text_width(lines[-1], LABEL) + extra) + 6
    return NodeSize(width, height, label_width, len(lines) * LABEL * LEADING)


def node_marks(shown: Shown, box: Frame, label: Frame, scale: ColourScale) -> list[Mark]:
    """The node and its label."""
    return [*_line_label(shown, label), *(_leaf if shown.node.is_leaf else _split)(shown, box, scale)]


def _leaf(shown: Shown, box: Frame, scale: ColourScale) -> list[Mark]:
    words, middle = shown.node, box.y + box.height / 2
    marks: list[Mark] = []
    if shown.chosen:
        frame = (LIGHT.panel, LIGHT.accent, 2.0, 5.0)
        marks.append(Rectangle(box.x - 4, box.y - 1, box.width + 8, box.height + 2, *frame))
    marks += bar_marks(words.counts, box.x, middle - BAR / 2, _BAR_WIDTH, scale)
    head = wrapped_text(words.head, _WIDEST_ANSWER, _LINE_HEAD, True)
    x = box.x + _BAR_WIDTH + 8
    y = middle - len(head) * _LINE_HEAD * LEADING / 2
    for line in head:
        y += _LINE_HEAD * LEADING
        marks.append(TextLine(x, y - 3.5, line, _LINE_HEAD, bold=True))
    x += widest(head, _LINE_HEAD, bold=True) + 8
    marks.append(TextLine(x, middle + 4, _beside(shown), _SMALL, LIGHT.muted))
    return marks


def _split(shown: Shown, box: Frame, scale: ColourScale) -> list[Mark]:
    head = wrapped_text(shown.node.head, _LINE_WIDEST, _LINE_HEAD, True)
    width, marks = _box_width(head), list[Mark]()
    height = len(head) * _LINE_HEAD * LEADING + BAR + 2 * _LINE_PAD
    frame = (LIGHT.accent, 2.5, 4.0) if shown.chosen else (LIGHT.muted, 1.0, 4.0)
    if shown.hidden:
        marks += [
            Rectangle(box.x + away, box.y + away, width, height, LIGHT.panel, LIGHT.muted, 1.0, 4.0)
            for away in (5.0, 2.5)
        ]
        x, y = box.x + width + 12, box.y + height / 2 + 4
        marks.append(TextLine(x, y, _beside(shown), _SMALL, LIGHT.muted))
    marks.append(Rectangle(box.x, box.y, width, height, LIGHT.paper, *frame))
    y = box.y + _LINE_PAD - 2
    for line in head:
        y += _LINE_HEAD * LEADING
        marks.append(TextLine(box.x + width / 2, y - 3, line, _LINE_HEAD, bold=True, anchor="middle"))
    marks += bar_marks(shown.node.counts, box.x + _LINE_PAD, y + 1, width - 2 * _LINE_PAD, scale)
    return marks


def _line_label(shown: Shown, place: Frame) -> list[Mark]:
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
    return max(widest(head, _LINE_HEAD, bold=True), _BAR_WIDTH) + 2 * _LINE_PAD
