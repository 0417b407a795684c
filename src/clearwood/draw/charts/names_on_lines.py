"""Names beside points: each where it covers no other name and no point; far ones on a line to their point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from clearwood.draw.lettering import text_width

SIZE: Final = 11  # of the letters
_LINE: Final = 13.0
_FAR: Final = 16.0  # from here on a line leads to the point

Align: TypeAlias = Literal["left", "right", "center"]
Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point in pixels from the upper left corner, its radius, its name and the side for it."""

    name: str
    x: float
    y: float
    radius: float = 4.0
    side: Literal["any", "left", "right"] = "any"


@dataclass(frozen=True, slots=True)
class PlacedName:
    """Where a name stands: the end or middle of its line, by `align`, at half its height."""

    x: float
    y: float
    align: Align
    far: bool


def names_beside(points: Sequence[NamedPoint], width: float, height: float) -> list[PlacedName]:
    """A place for each name; the first points have the first choice.

    >>> names_beside([NamedPoint("a", 50, 50), NamedPoint("b", 50, 50)], 100, 100)[0].align
    'left'
    """
    dots = [_around(point.x, point.y, point.radius) for point in points]
    taken: list[Box] = []
    placed = []
    for number, point in enumerate(points):
        others = [*taken, *(box for place, box in enumerate(dots) if place != number)]
        best, least = None, float("inf")
        for name in _choices(point):
            box = _box(point.name, name)
            covered = sum(_shared(box, other) for other in others) + 4 * _outside(box, width, height)
            if covered < least:
                best, least = name, covered
            if not covered:
                break
        assert best is not None
        taken.append(_box(point.name, best))
        placed.append(best)
    return placed


def _choices(point: NamedPoint) -> list[PlacedName]:
    """Beside the point, above, below, then farther and farther away."""
    gap = point.radius + 4
    sides = {"any": (1, -1), "left": (-1,), "right": (1,)}[point.side]
    choices = [
        PlacedName(point.x + side * gap, point.y, "left" if side > 0 else "right", False) for side in sides
    ]
    if point.side == "any":
        choices.append(PlacedName(point.x, point.y - gap - 4, "center", False))
        choices.append(PlacedName(point.x, point.y + gap + 4, "center", False))
    for away in (10.0, 18.0, 27.0, 38.0, 52.0, 70.0, 92.0):
        for up in (-1, 1):
            for side in sides:
                across = point.x + side * (gap + away / 3)
                align: Align = "left" if side > 0 else "right"
                choices.append(PlacedName(across, point.y + up * away, align, away > _FAR))
    return choices


def _box(text: str, name: PlacedName) -> Box:
    wide = text_width(text, SIZE)
    left = name.x - {"left": 0.0, "center": wide / 2, "right": wide}[name.align]
    return left - 2, name.y - _LINE / 2, left + wide + 2, name.y + _LINE / 2


def _around(x: float, y: float, radius: float) -> Box:
    return x - radius, y - radius, x + radius, y + radius


def _shared(one: Box, other: Box) -> float:
    """The area that both cover."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0.0) * max(down, 0.0)


def _outside(box: Box, width: float, height: float) -> float:
    """How far a box reaches beyond the sheet, up or down; to the sides there is room."""
    return max(-box[1], 0.0) + max(box[3] - height, 0.0) + max(-box[0], 0.0) + max(box[2] - width - 60, 0.0)
