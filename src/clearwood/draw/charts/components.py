"""Components: how much each tells, and two of them as a circle of correlations or a map of values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.components import Correspondence, PrincipalComponents, without_last_digits
from clearwood.draw.charts.builders import axis_of_numbers, coloured, fitting_axis, layer, layered, rule_at
from clearwood.draw.charts.sheet import Records, Spec, drawn, few_of, fitted_lines, in_sentence, keyed
from clearwood.draw.lettering import text_width
from clearwood.draw.palette import LIGHT, ThemeName, class_colours, ink_on
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.words.numbers import percent_to

_CIRCLE: Final = 400
_WIDE: Final = 540  # a map
_HIGH: Final = 440
_MOST: Final = 30  # columns or values
_ROOM: Final = 150.0  # for a name
_SMALLEST: Final = 25.0  # areas of points
_LARGEST: Final = 360.0


def components(
    components: PrincipalComponents | Correspondence,
    *,
    axes: tuple[int, int] = (1, 2),
    theme: ThemeName = "auto",
) -> Picture:
    """Two components against each other, numbered from 1.

    Of numbers: a line from the centre to each column's correlations with both; a column that reaches the
    circle is told by the two entirely. Of values: where each lies, coloured by its column; the larger, the
    more rows have it. Of more than 30 those that count most are drawn, and the picture says so.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.charts.components(cw.mca(days)).alt.split(":")[0]
    'Values on axis 1 and axis 2'
    """
    if not isinstance(components, PrincipalComponents | Correspondence):
        raise SettingError("charts.components draws what pca or mca returns.")
    if len(set(axes)) != 2 or not all(1 <= axis <= len(components) for axis in axes):
        raise SettingError(f"axes must name two of the {len(components)} components, such as (1, 2).")
    first, second = axes[0] - 1, axes[1] - 1
    if isinstance(components, PrincipalComponents):
        return _circle(components, first, second, theme)
    return _map(components, first, second, theme)


def _circle(made: PrincipalComponents, first: int, second: int, theme: ThemeName) -> Picture:
    ends = zip(made.columns, made.correlations[first], made.correlations[second], strict=True)
    points = sorted(ends, key=lambda each: -round(math.hypot(each[1], each[2]), 9))
    shown = points[:_MOST]
    reach = (-1.25, 1.25)
    records = _records(shown, [18.0] * len(shown), reach, reach, _CIRCLE, _CIRCLE, outwards=True)
    circle = [
        {"x": math.cos(2 * math.pi * step / 60), "y": math.sin(2 * math.pi * step / 60), "step": step}
        for step in range(61)
    ]
    x, y = (
        _axis(f"component {axis + 1} ({percent_to(made.shares[axis], 1)})", reach, [-1, -0.5, 0, 0.5, 1])
        for axis in (first, second)
    )
    colour = class_colours(("column",))["column"]
    at = {"x": (x, "x"), "y": (y, "y")}
    out = {"x": (x, "zero"), "y": (y, "zero"), "x2": "x", "y2": "y"}
    layers = [
        layer("line", {**at, "order": "step"}, circle, color=LIGHT.line, strokeWidth=1.5),
        *_cross(x, y),
        layer("rule", out, records, color=colour, strokeWidth=1.8),
        layer("circle", at, records, size=45, opacity=1, color=colour),
        *_names(records, x, y),
    ]
    spec = layered(layers, _CIRCLE, _CIRCLE)
    title = f"Correlations with component {first + 1} and component {second + 1}"
    phrases = [f"{in_sentence(name)} {_signed(across)} and {_signed(up)}" for name, across, up in shown]
    left = [f"the {_MOST} strongest of {len(points)} columns"] if len(points) > _MOST else []
    why = "a column that reaches the circle is explained by the two entirely"
    alt = f"{title}: {few_of(phrases)}."
    return drawn(spec, title, [*left, why], alt, theme)


def _map(made: Correspondence, first: int, second: int, theme: ThemeName) -> Picture:
    pair = [first, second]
    counts = np.array([each.contributions for each in made.values])[:, pair] @ np.array(made.inertias)[pair]
    order = np.argsort(-without_last_digits(counts), kind="stable")[:_MOST].tolist()
    shown = [made.values[place] for place in order]
    across = _padded([each.at[first] for each in shown])
    up = _padded([each.at[second] for each in shown])
    areas = [_SMALLEST + (_LARGEST - _SMALLEST) * each.part for each in shown]
    points = [(each.value, each.at[first], each.at[second]) for each in shown]
    records = _records(points, areas, across, up, _WIDE, _HIGH)
    for record, each in zip(records, shown, strict=True):
        record["column"] = each.column
    columns = [name for name in made.columns if any(each.column == name for each in shown)]
    colours = class_colours(tuple(columns))
    x, y = (
        _axis(f"axis {axis + 1} ({percent_to(made.adjusted[axis], 1)} adjusted)", ends)
        for axis, ends in ((first, across), (second, up))
    )
    at = {
        "x": (x, "x"),
        "y": (y, "y"),
        "size": {"field": "area", "type": "quantitative", "scale": None},
        "color": coloured("column", columns, colours.values(), {"title": None, **keyed(columns)}),
    }
    circles = layer("circle", at, records, opacity=0.9, stroke=LIGHT.ink, strokeWidth=0.6)
    spec = layered([*_cross(x, y), circles, *_names(records, x, y)], _WIDE, _HIGH)
    title = f"Values on axis {first + 1} and axis {second + 1}"
    phrases = [
        f"{in_sentence(each.column)} = {in_sentence(each.value)} {_signed(each.at[first])} "
        f"and {_signed(each.at[second])}"
        for each in shown
    ]
    left = [f"the {_MOST} of {len(made.values)} values that count most"] * (len(made.values) > _MOST)
    why = "values that rows have together lie together; the larger, the more rows have it"
    alt = f"{title}: {few_of(phrases)}."
    return drawn(spec, title, [*left, why], alt, theme, _WIDE)


def _records(
    points: Sequence[tuple[str, float, float]],
    areas: Sequence[float],
    across: tuple[float, float],
    up: tuple[float, float],
    width: float,
    height: float,
    *,
    outwards: bool = False,
) -> Records:
    """The points with the places of their names, in units of the axes; `outwards`: away from the middle."""
    wide, high = across[1] - across[0], up[1] - up[0]
    points = [(_short(name), x, y) for name, x, y in points]
    pixels = [
        NamedPoint(
            name,
            (x - across[0]) / wide * width,
            (up[1] - y) / high * height,
            max(3.0, math.sqrt(area / math.pi)),
            "any" if not outwards else "right" if x >= 0 else "left",
        )
        for (name, x, y), area in zip(points, areas, strict=True)
    ]
    return [
        {"x": x, "y": y, "zero": 0, "area": area, "name": name, "align": placed.align,
         "far": placed.far, "name_x": across[0] + placed.x / width * wide,
         "name_y": up[1] - placed.y / height * high}
        for (name, x, y), area, placed in zip(
            points, areas, names_beside(pixels, width, height), strict=True
        )
    ]  # fmt: skip


def _axis(title: str, ends: tuple[float, float], values: list[float] | None = None) -> Spec:
    axis: Spec = {"grid": False, **({"values": values} if values else {})}
    return fitting_axis(title, ends, **axis)


def _cross(x: Spec, y: Spec) -> list[Spec]:
    return [rule_at("x", x, 0, color=LIGHT.line), rule_at("y", y, 0, color=LIGHT.line)]


def _names(records: Records, x: Spec, y: Spec) -> list[Spec]:
    """The names, and lines to the points of those that stand far away."""
    at = {"x": (x, "name_x"), "y": (y, "name_y")}
    far = [each for each in records if each["far"]]
    layers = [layer("rule", {**at, "x2": "x", "y2": "y"}, far, color=LIGHT.muted, strokeWidth=0.7)]
    for align in ("left", "right", "center"):
        own = [each for each in records if each["align"] == align]
        look: Spec = {"align": align, "baseline": "middle", "fontSize": SIZE}
        layers.append(layer("text", {**at, "text": "name"}, own, **look))
    return layers


def _padded(values: list[float]) -> tuple[float, float]:
    low, high = min([0.0, *values]), max([0.0, *values])
    room = 0.12 * (high - low) or 1.0
    return low - room, high + room


def _short(name: str) -> str:
    """A name in one line; the whole of it is in the picture's sentence."""
    first, *more = fitted_lines(name, _ROOM, SIZE)
    return f"{first}…" if more else first


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


# How much each component tells: bars of the shares, and a line of all so far.


_HEIGHT: Final = 220
_EXPLAINED_MOST: Final = 12  # components


def explained(components: PrincipalComponents | Correspondence, *, theme: ThemeName = "auto") -> Picture:
    """Each component's share of the variance (of axes: of the inertia, adjusted), and the sum so far.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.charts.explained(cw.mca(days)).alt
    'Adjusted share of inertia by axis: 1 56.3 %, 2 12.2 %, 3 0.6 %, 4 0 %, 5 0 % and 1 more.'
    """
    if isinstance(components, PrincipalComponents):
        what, of, shares = "Share of variance", "component", components.shares
    elif isinstance(components, Correspondence):
        what, of, shares = "Adjusted share of inertia", "axis", components.adjusted
    else:
        raise SettingError("charts.explained draws what pca or mca returns.")
    phrases = [f"{place} {percent_to(share, 1)}" for place, share in enumerate(shares, 1)]
    title = f"{what} by {of}"
    left = [f"the first {_EXPLAINED_MOST} of {len(shares)}"] if len(shares) > _EXPLAINED_MOST else []
    below = [*left, "bars: each; line: all so far"]
    alt = f"{title}: {few_of(phrases)}."
    spec = _spec(shares[:_EXPLAINED_MOST], what.lower(), of)
    return drawn(spec, title, below, alt, theme)


def _spec(shares: tuple[float, ...], what: str, of: str) -> Spec:
    together = np.cumsum(shares).tolist()
    records: list[dict[str, Any]] = [
        {"number": place + 1, "share": share, "all": together[place], "figure": percent_to(share, 1)}
        for place, share in enumerate(shares)
    ]
    x = {"field": "number", "type": "ordinal", "title": of, "axis": {"labelAngle": 0, "ticks": False}}
    y = axis_of_numbers("", what, domain=(0, 1), ticks=5, axis={"format": ".0%"})
    blue, orange = class_colours(("each", "all")).values()
    above, inside = (
        "datum.number > 1 && datum.all - datum.share > 0.07",
        "datum.number == 1 && datum.share >= 0.1",
    )
    each, text = {"x": x, "y": (y, "share")}, {"x": x, "y": (y, "share"), "text": "figure"}
    point = {"filled": True, "size": 45, "color": orange}
    layers = [
        layer("bar", each, width={"band": 0.8}, color=blue),
        layer("line", {"x": x, "y": (y, "all")}, color=orange, strokeWidth=2, point=point),
        layer("text", text, where=above, dy=-8, fontSize=11, color=LIGHT.ink),
        layer("text", text, where=inside, dy=14, fontSize=11, color=ink_on(blue)),
    ]
    return layered(layers, max(180, 52 * len(shares)), _HEIGHT, records)


# Names beside points: each where it covers no other name and no point; far ones on a line to their point.


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
