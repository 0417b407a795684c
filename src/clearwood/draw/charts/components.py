"""What two components are made of: the circle of correlations of numbers, or the map of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from clearwood.components.axes import Correspondence, PrincipalComponents
from clearwood.draw.charts.names_on_lines import SIZE, NamedPoint, names_beside
from clearwood.draw.charts.sheet import Records, Spec, drawn, few_of, fitted_lines, in_sentence, keyed
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
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
    points = sorted(ends, key=lambda each: -math.hypot(each[1], each[2]))
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
    spec: Spec = {
        "width": _CIRCLE, "height": _CIRCLE,
        "layer": [
            {"data": {"values": circle}, "mark": {"type": "line", "color": LIGHT.line, "strokeWidth": 1.5},
             "encoding": {"x": {**x, "field": "x"}, "y": {**y, "field": "y"}, "order": {"field": "step"}}},
            *_cross(x, y),
            {"data": {"values": records}, "mark": {"type": "rule", "color": colour, "strokeWidth": 1.8},
             "encoding": {"x": {**x, "field": "zero"}, "y": {**y, "field": "zero"},
                          "x2": {"field": "x"}, "y2": {"field": "y"}}},
            {"data": {"values": records},
             "mark": {"type": "circle", "size": 45, "opacity": 1, "color": colour},
             "encoding": {"x": {**x, "field": "x"}, "y": {**y, "field": "y"}}},
            *_names(records, x, y),
        ],
    }  # fmt: skip
    title = f"Correlations with component {first + 1} and component {second + 1}"
    phrases = [f"{in_sentence(name)} {_signed(across)} and {_signed(up)}" for name, across, up in shown]
    left = [f"the {_MOST} strongest of {len(points)} columns"] if len(points) > _MOST else []
    why = "a column that reaches the circle is explained by the two entirely"
    return drawn(spec, title=title, subtitle=[*left, why], alt=f"{title}: {few_of(phrases)}.", theme=theme)


def _map(made: Correspondence, first: int, second: int, theme: ThemeName) -> Picture:
    def counts(value: Any) -> float:
        own = (made.inertias[axis] * value.contributions[axis] for axis in (first, second))
        return -float(sum(own))

    shown = sorted(made.values, key=counts)[:_MOST]
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
    spec: Spec = {
        "width": _WIDE, "height": _HIGH,
        "layer": [
            *_cross(x, y),
            {"data": {"values": records},
             "mark": {"type": "circle", "opacity": 0.9, "stroke": LIGHT.ink, "strokeWidth": 0.6},
             "encoding": {
                 "x": {**x, "field": "x"}, "y": {**y, "field": "y"},
                 "size": {"field": "area", "type": "quantitative", "scale": None},
                 "color": {"field": "column", "type": "nominal",
                           "scale": {"domain": columns, "range": list(colours.values())},
                           "legend": {"title": None, **keyed(columns)}}}},
            *_names(records, x, y),
        ],
    }  # fmt: skip
    title = f"Values on axis {first + 1} and axis {second + 1}"
    phrases = [
        f"{in_sentence(each.column)} = {in_sentence(each.value)} {_signed(each.at[first])} "
        f"and {_signed(each.at[second])}"
        for each in shown
    ]
    left = [f"the {_MOST} of {len(made.values)} values that count most"] * (len(made.values) > _MOST)
    why = "values that rows have together lie together; the larger, the more rows have it"
    return drawn(
        spec,
        title=title,
        subtitle=[*left, why],
        alt=f"{title}: {few_of(phrases)}.",
        width=_WIDE,
        theme=theme,
    )


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
    axis: Spec = {"grid": False, "tickCount": 6, **({"values": values} if values else {})}
    scale = {"domain": list(ends), "nice": False}
    return {"type": "quantitative", "title": title, "scale": scale, "axis": axis}


def _cross(x: Spec, y: Spec) -> list[Spec]:
    zero = {"values": [{"zero": 0}]}
    mark = {"type": "rule", "color": LIGHT.line, "strokeDash": [3, 3]}
    return [
        {"data": zero, "mark": mark, "encoding": {"x": {**x, "field": "zero"}}},
        {"data": zero, "mark": mark, "encoding": {"y": {**y, "field": "zero"}}},
    ]


def _names(records: Records, x: Spec, y: Spec) -> list[Spec]:
    """The names, and lines to the points of those that stand far away."""
    place = {"x": {**x, "field": "name_x"}, "y": {**y, "field": "name_y"}}
    lines: Spec = {
        "data": {"values": [each for each in records if each["far"]]},
        "mark": {"type": "rule", "color": LIGHT.muted, "strokeWidth": 0.7},
        "encoding": {**place, "x2": {"field": "x"}, "y2": {"field": "y"}},
    }
    return [
        lines,
        *(
            {"data": {"values": [each for each in records if each["align"] == align]},
             "mark": {"type": "text", "align": align, "baseline": "middle", "fontSize": SIZE},
             "encoding": {**place, "text": {"field": "name"}}}
            for align in ("left", "right", "center")
        ),
    ]  # fmt: skip


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
