"""A node as a card, for trees drawn from the top down: question or answer, bar, share and rows below each
other, and above them the condition that leads there."""

from __future__ import annotations

from typing import Final

from clearwood.draw.branch_label import LABEL, LEADING, label_lines
from clearwood.draw.layout import Frame, NodeSize
from clearwood.draw.lettering import widest, wrapped_text
from clearwood.draw.marks import Mark, Rectangle, TextLine
from clearwood.draw.node_bars import BAR, ColourScale, bar_marks
from clearwood.draw.palette import LIGHT
from clearwood.draw.tree_words import Shown

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
