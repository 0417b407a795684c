"""What stands above and below a picture: its title, the colours of the classes, notes in lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from clearwood.draw.lettering import text_width, wrapped_text
from clearwood.draw.marks import Mark, Rectangle, TextLine
from clearwood.draw.palette import LIGHT

_TITLE: Final = 16.0
_SIZE: Final = 12.0
_LINE: Final = 18.0
_SQUARE: Final = 10.0


def legend_marks(
    title: str, colours: Mapping[str, str], notes: Sequence[str], x: float, y: float, width: float
) -> tuple[list[Mark], float]:
    """The title, a square and a name for every class, and notes; and where what follows may begin."""
    marks: list[Mark] = []
    for line in wrapped_text(title, width, _TITLE, bold=True):
        y += _TITLE * 1.25
        marks.append(TextLine(x, y - 4, line, _TITLE, bold=True))
    at = x
    for name, colour in colours.items():
        lines = wrapped_text(name, width - _SQUARE - 6, _SIZE)
        room = _SQUARE + 6 + max(text_width(line, _SIZE) for line in lines) + 18
        if at == x or at + room > x + width + 18:
            at, y = x, y + _LINE
        marks.append(Rectangle(at, y - 4 - _SQUARE + 1, _SQUARE, _SQUARE, colour, LIGHT.ink, 0.5, 2))
        for k, line in enumerate(lines):
            y += _LINE * bool(k)
            marks.append(TextLine(at + _SQUARE + 6, y - 4, line, _SIZE))
        at += room
    written, y = caption_marks(notes, x, y, width, LIGHT.ink)
    return [*marks, *written], y + 16


def caption_marks(
    notes: Sequence[str], x: float, y: float, width: float, fill: str = LIGHT.muted
) -> tuple[list[Mark], float]:
    """Notes in lines, and where they end."""
    marks: list[Mark] = []
    for note in notes:
        for line in wrapped_text(note, width, _SIZE):
            y += _LINE
            marks.append(TextLine(x, y - 4, line, _SIZE, fill))
    return marks, y
