"""The bar in a node: its counts by class side by side, or where its number stands among those of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clearwood.draw.marks import Mark, Rectangle
from clearwood.draw.palette import LIGHT

BAR: Final = 7.0  # how high
_NEEDLE: Final = 4.0


@dataclass(frozen=True, slots=True)
class ColourScale:
    """A colour for each class; or, of a tree of numbers, its smallest and largest."""

    colours: Sequence[str]
    low: float = 0.0
    high: float = 0.0


def bar_marks(counts: Sequence[float], x: float, y: float, width: float, scale: ColourScale) -> list[Mark]:
    """The bar of these counts (by class, or weight, value and error); a dashed frame where there are none."""
    if not scale.colours:
        return _needle(counts, x, y, width, scale)
    total = sum(counts)
    if total <= 0:
        return [Rectangle(x, y, width, BAR, stroke=LIGHT.line, dashed=True)]
    marks: list[Mark] = []
    for count, colour in zip(counts, scale.colours, strict=True):
        if count > 0:
            part = width * count / total
            marks.append(Rectangle(x, y, part, BAR, colour, LIGHT.ink, 0.5))
            x += part
    return marks


def _needle(counts: Sequence[float], x: float, y: float, width: float, scale: ColourScale) -> list[Mark]:
    weight, value, _ = counts
    marks: list[Mark] = [Rectangle(x, y + BAR / 2 - 0.75, width, 1.5, LIGHT.muted)]
    if weight > 0:
        span = scale.high - scale.low
        at = (value - scale.low) / span if span > 0 else 0.5
        marks.append(Rectangle(x + (width - _NEEDLE) * at, y, _NEEDLE, BAR, LIGHT.ink, radius=1))
    return marks
