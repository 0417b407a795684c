"""Components: how much each tells, and two of them as a circle of correlations or a map of values."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.components import Correspondence, PrincipalComponents, without_last_digits
from clearwood.draw.charts.builders import (
    axis_of_numbers,
    coloured,
    fitting_axis,
    layer,
    layered,
    records_of,
    rule_at,
)
from clearwood.draw.charts.name_places import NAME_SIZE, NamedPoint, Side, named_points
from clearwood.draw.charts.sheet import Records, Spec, drawn, few_of, fitted_lines, in_sentence, keyed
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
    angles = [2 * math.pi * step / 60 for step in range(61)]
    circle = records_of(x=map(math.cos, angles), y=map(math.sin, angles), step=range(61))
    names = [f"component {axis + 1} ({percent_to(made.shares[axis], 1)})" for axis in (first, second)]
    x, y = (fitting_axis(name, reach, grid=False, values=[-1, -0.5, 0, 0.5, 1]) for name in names)
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
        fitting_axis(f"axis {axis + 1} ({percent_to(made.adjusted[axis], 1)} adjusted)", ends, grid=False)
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
    pixels = []
    for (name, x, y), area in zip(points, areas, strict=True):
        first, *more = fitted_lines(name, _ROOM, NAME_SIZE)  # the whole of it is in the picture's sentence
        place = (x - across[0]) / wide * width, (up[1] - y) / high * height
        side: Side = "any" if not outwards else "right" if x >= 0 else "left"
        radius = max(3.0, math.sqrt(area / math.pi))
        pixels.append(NamedPoint(f"{first}…" if more else first, *place, radius, side))
    return [
        {"x": x, "y": y, "zero": 0, "area": area, "name": point.name, "align": placed.align,
         "far": placed.far, "name_x": across[0] + placed.x / width * wide,
         "name_y": up[1] - placed.y / height * high}
        for (_, x, y), area, point, placed in zip(
            points, areas, pixels, named_points(pixels, width, height), strict=True
        )
    ]  # fmt: skip


def _cross(x: Spec, y: Spec) -> list[Spec]:
    return [rule_at("x", x, 0, color=LIGHT.line), rule_at("y", y, 0, color=LIGHT.line)]


def _names(records: Records, x: Spec, y: Spec) -> list[Spec]:
    """The names, and lines to the points of those that stand far away."""
    at = {"x": (x, "name_x"), "y": (y, "name_y")}
    far = [each for each in records if each["far"]]
    layers = [layer("rule", {**at, "x2": "x", "y2": "y"}, far, color=LIGHT.muted, strokeWidth=0.7)]
    for align in ("left", "right", "center"):
        own = [each for each in records if each["align"] == align]
        look: Spec = {"align": align, "baseline": "middle", "fontSize": NAME_SIZE}
        layers.append(layer("text", {**at, "text": "name"}, own, **look))
    return layers


def _padded(values: list[float]) -> tuple[float, float]:
    low, high = min([0.0, *values]), max([0.0, *values])
    room = 0.12 * (high - low) or 1.0
    return low - room, high + room


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
    figures = [percent_to(share, 1) for share in shares]
    shown = shares[:_EXPLAINED_MOST]
    records = records_of(
        number=range(1, len(shown) + 1), share=shown, all=np.cumsum(shown), figure=figures[: len(shown)]
    )
    x = {"field": "number", "type": "ordinal", "title": of, "axis": {"labelAngle": 0, "ticks": False}}
    y = axis_of_numbers("", what.lower(), domain=(0, 1), ticks=5, axis={"format": ".0%"})
    blue, orange = class_colours(("each", "all")).values()
    each, text = {"x": x, "y": (y, "share")}, {"x": x, "y": (y, "share"), "text": "figure"}
    point = {"filled": True, "size": 45, "color": orange}
    above = "datum.number > 1 && datum.all - datum.share > 0.07"
    inside = "datum.number == 1 && datum.share >= 0.1"
    layers = [
        layer("bar", each, width={"band": 0.8}, color=blue),
        layer("line", {"x": x, "y": (y, "all")}, color=orange, strokeWidth=2, point=point),
        layer("text", text, where=above, dy=-8, fontSize=11, color=LIGHT.ink),
        layer("text", text, where=inside, dy=14, fontSize=11, color=ink_on(blue)),
    ]
    title = f"{what} by {of}"
    left = [f"the first {len(shown)} of {len(shares)}"] if len(shares) > len(shown) else []
    alt = f"{title}: {few_of([f'{place} {figure}' for place, figure in enumerate(figures, 1)])}."
    spec = layered(layers, max(180, 52 * len(shown)), _HEIGHT, records)
    return drawn(spec, title, [*left, "bars: each; line: all so far"], alt, theme)
