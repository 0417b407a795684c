"""Names beside points: each where it meets no other name, no point and no error bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from clearwood.draw.charts.sheet import SIZE
from clearwood.draw.lettering import text_width

_AWAY: Final = 11.0  # from the point
_HIGH: Final = SIZE + 2.0
_Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Spot:
    """A point with its name, and how far up and down its bar reaches."""

    name: str
    x: float
    y: float
    bar: tuple[float, float]
    bold: bool = False


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """Where a name stands: its middle line, and which of its ends is at x."""

    x: float
    y: float
    align: Literal["left", "right", "center"]


def label_places(
    spots: Sequence[Spot],
    width: float,
    height: float,
    along: Sequence[tuple[float, float]] = (),
    across: Sequence[float] = (),
) -> list[LabelPlace]:
    """A place for each, in the order given: right or left of its point, above or below its bar. The lines
    `along` these points, and `across` the picture at these heights, are met only where it must be.

    >>> near = [Spot("one", 10, 50, (45, 55)), Spot("two", 14, 52, (47, 57))]
    >>> [place.align for place in label_places(near, 200, 100)]
    ['left', 'center']
    """
    lines = [*_dots(along), *((0.0, at - 1, width, at + 1) for at in across)]
    marks = [(spot.x - 6, spot.bar[0] - 1, spot.x + 6, spot.bar[1] + 1) for spot in spots]
    taken: list[_Box] = []
    places = []
    for spot, own in zip(spots, marks, strict=True):
        others = [mark for mark in marks if mark is not own]
        candidates = _candidates(spot)
        costs = [
            _met(_box(spot, each), [*taken, *others], lines, width, height) + 0.1 * rank
            for rank, each in enumerate(candidates)
        ]
        chosen = candidates[costs.index(min(costs))]
        taken.append(_box(spot, chosen))
        places.append(chosen)
    return places


def _candidates(spot: Spot) -> list[LabelPlace]:
    top, bottom = spot.bar
    made = [
        LabelPlace(spot.x + _AWAY, spot.y, "left"),
        LabelPlace(spot.x - _AWAY, spot.y, "right"),
        LabelPlace(spot.x, min(top, spot.y - 7) - _HIGH / 2 - 2, "center"),
        LabelPlace(spot.x, max(bottom, spot.y + 7) + _HIGH / 2 + 2, "center"),
    ]
    for away in (9.0, 16.0):
        for up in (-away, away):
            made.append(LabelPlace(spot.x + _AWAY, spot.y + up, "left"))
        for up in (-away, away):
            made.append(LabelPlace(spot.x - _AWAY, spot.y + up, "right"))
    return made


def _box(spot: Spot, place: LabelPlace) -> _Box:
    wide = text_width(spot.name, SIZE, spot.bold)
    left = place.x - {"left": 0.0, "right": wide, "center": wide / 2}[place.align]
    return left, place.y - _HIGH / 2, left + wide, place.y + _HIGH / 2


def _met(
    box: _Box,
    others: Sequence[_Box],
    lines: Sequence[_Box],
    width: float,
    height: float,
) -> float:
    """How much of the name lies on others, or outside the picture; on lines, which show through, counts
    less."""
    left, top, right, bottom = box
    outside = max(0.0, -left) + max(0.0, right - width) + max(0.0, -top) + max(0.0, bottom - height)
    return _covered(box, others) + 0.3 * _covered(box, lines) + 20 * outside


def _covered(box: _Box, others: Sequence[_Box]) -> float:
    left, top, right, bottom = box
    return sum(
        max(0.0, min(right, other[2]) - max(left, other[0]))
        * max(0.0, min(bottom, other[3]) - max(top, other[1]))
        for other in others
    )


def _dots(along: Sequence[tuple[float, float]]) -> list[_Box]:
    """A line as small boxes on the way."""
    made = []
    for (x, y), (to_x, to_y) in pairwise(along):
        steps = max(1, int(max(abs(to_x - x), abs(to_y - y)) / 4))
        for step in range(steps + 1):
            at_x, at_y = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
            made.append((at_x - 2, at_y - 2, at_x + 2, at_y + 2))
    return made
