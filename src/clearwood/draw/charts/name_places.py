"""Names beside points: each where it covers no other name and no point, if there is such a place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from clearwood.draw.charts.sheet import SIZE
from clearwood.draw.lettering import text_width

Side: TypeAlias = Literal["any", "left", "right"]
Align: TypeAlias = Literal["left", "right", "center"]
Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class NamePlace:
    """Where a name stands: the end or middle of its line, by `align`, at half its height; `far` from its
    point, to which a line then leads."""

    x: float
    y: float
    align: Align
    far: bool = False

    def box(self, wide: float, high: float, margin: float = 0.0) -> Box:
        """What a name of this size covers here."""
        left = self.x - {"left": 0.0, "center": wide / 2, "right": wide}[self.align]
        return left - margin, self.y - high / 2, left + wide + margin, self.y + high / 2


def _each_placed(
    choices: Sequence[Sequence[NamePlace]],
    boxes: Sequence[Sequence[Box]],
    marks: Sequence[Box],
    beside: Callable[[Box], float],
    for_rank: float = 0.0,
) -> list[NamePlace]:
    """The place of each name that covers the least: of the names before it, of the `marks` of others, and
    `beside` that; the first names have the first choice."""
    taken: list[Box] = []
    places = []
    for number, own in enumerate(boxes):
        others = [*taken, *marks[:number], *marks[number + 1 :]]
        costs = [_covered(box, others) + beside(box) + for_rank * rank for rank, box in enumerate(own)]
        best = costs.index(min(costs))
        taken.append(own[best])
        places.append(choices[number][best])
    return places


def _covered(box: Box, others: Sequence[Box]) -> float:
    left, top, right, bottom = box
    return sum(
        max(0.0, min(right, other[2]) - max(left, other[0]))
        * max(0.0, min(bottom, other[3]) - max(top, other[1]))
        for other in others
    )


# Points of a map: their names may stand far away, on a line to their point.


NAME_SIZE: Final = 11  # of the letters
_FAR: Final = 16.0  # from here on a line leads to the point


@dataclass(frozen=True, slots=True)
class NamedPoint:
    """A point in pixels from the upper left corner, its radius, its name and the side for it."""

    name: str
    x: float
    y: float
    radius: float = 4.0
    side: Side = "any"


def named_points(points: Sequence[NamedPoint], width: float, height: float) -> list[NamePlace]:
    """A place for each name; the first points have the first choice.

    >>> named_points([NamedPoint("a", 50, 50), NamedPoint("b", 50, 50)], 100, 100)[0].align
    'left'
    """
    dots = [
        (point.x - point.radius, point.y - point.radius, point.x + point.radius, point.y + point.radius)
        for point in points
    ]
    choices = [_around_point(point) for point in points]
    boxes = [
        [place.box(text_width(point.name, NAME_SIZE), 13.0, 2.0) for place in own]
        for point, own in zip(points, choices, strict=True)
    ]

    def outside(box: Box) -> float:
        """How far it reaches beyond the sheet, up or down; to the sides there is room."""
        left, top, right, bottom = box
        return 4 * (
            max(-top, 0.0) + max(bottom - height, 0.0) + max(-left, 0.0) + max(right - width - 60, 0.0)
        )

    return _each_placed(choices, boxes, dots, outside)


def _around_point(point: NamedPoint) -> list[NamePlace]:
    """Beside the point, above, below, then farther and farther away."""
    gap = point.radius + 4
    sides: dict[str, tuple[tuple[int, Align], ...]] = {"left": ((-1, "right"),), "right": ((1, "left"),)}
    own = sides.get(point.side, (*sides["right"], *sides["left"]))
    places = [NamePlace(point.x + side * gap, point.y, align) for side, align in own]
    if point.side == "any":
        places.append(NamePlace(point.x, point.y - gap - 4, "center"))
        places.append(NamePlace(point.x, point.y + gap + 4, "center"))
    for away in (10.0, 18.0, 27.0, 38.0, 52.0, 70.0, 92.0):
        for up in (-away, away):
            for side, align in own:
                x = point.x + side * (gap + away / 3)
                places.append(NamePlace(x, point.y + up, align, away > _FAR))
    return places


# Points with a bar up and down, on lines that names should not lie on either.


_AWAY: Final = 11.0  # from the point
_HIGH: Final = SIZE + 2.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A point with its name, and how far up and down its bar reaches."""

    name: str
    x: float
    y: float
    bar: tuple[float, float]
    bold: bool = False

    def box(self, place: NamePlace) -> Box:
        """What its name covers there."""
        return place.box(text_width(self.name, SIZE, self.bold), _HIGH)


def named_spots(
    spots: Sequence[Spot],
    width: float,
    height: float,
    along: Sequence[Point] = (),
    across: Sequence[float] = (),
) -> list[NamePlace]:
    """A place for each, in the order given: right or left of its point, above or below its bar. The lines
    `along` these points, and `across` the picture at these heights, are met only where it must be.

    >>> near = [Spot("one", 10, 50, (45, 55)), Spot("two", 14, 52, (47, 57))]
    >>> [place.align for place in named_spots(near, 200, 100)]
    ['left', 'center']
    """
    lines = [*_dots(along), *((0.0, at - 1, width, at + 1) for at in across)]
    marks = [(spot.x - 6, spot.bar[0] - 1, spot.x + 6, spot.bar[1] + 1) for spot in spots]
    choices = [_around_spot(spot) for spot in spots]
    boxes = [[spot.box(place) for place in own] for spot, own in zip(spots, choices, strict=True)]

    def on_lines_or_outside(box: Box) -> float:
        left, top, right, bottom = box
        outside = max(0.0, -left) + max(0.0, right - width) + max(0.0, -top) + max(0.0, bottom - height)
        return 0.3 * _covered(box, lines) + 20 * outside  # a line shows through a name

    return _each_placed(choices, boxes, marks, on_lines_or_outside, for_rank=0.1)


def _around_spot(spot: Spot) -> list[NamePlace]:
    left, right = spot.x + _AWAY, spot.x - _AWAY
    top = min(spot.bar[0], spot.y - 7) - _HIGH / 2 - 2
    bottom = max(spot.bar[1], spot.y + 7) + _HIGH / 2 + 2
    places = [NamePlace(left, spot.y, "left"), NamePlace(right, spot.y, "right")]
    places += [NamePlace(spot.x, top, "center"), NamePlace(spot.x, bottom, "center")]
    for away in (9.0, 16.0):
        places += [NamePlace(left, spot.y + up, "left") for up in (-away, away)]
        places += [NamePlace(right, spot.y + up, "right") for up in (-away, away)]
    return places


def _dots(along: Sequence[Point]) -> list[Box]:
    """A line as small boxes on the way."""
    made = []
    for (x, y), (to_x, to_y) in pairwise(along):
        steps = max(1, int(max(abs(to_x - x), abs(to_y - y)) / 4))
        for step in range(steps + 1):
            at_x, at_y = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
            made.append((at_x - 2, at_y - 2, at_x + 2, at_y + 2))
    return made
