"""Builders: axes, marks and panels of which every chart is made, lines with their bands and their names.

A chart says what it shows; the Vega-Lite dictionaries that say it are written here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from types import EllipsisType
from typing import Any, Final

import numpy as np

from clearwood.draw.charts.sheet import ROOM, Records, Spec, fitted_lines, keyed, labelled, row_height
from clearwood.draw.palette import LIGHT, class_colours

_POINTS: Final = 40  # a line of more has none marked
_ROOM: Final = 160.0  # for a name at the end of a line
_PLAIN: Final[Spec] = {"strokeWidth": 2.2, "strokeDash": [1, 0]}
_APART: Final = 17.0  # units between two names


def records_of(**columns: Iterable[Any]) -> Records:
    """The rows of a table that is given by its columns; NumPy's numbers become Python's.

    >>> records_of(x=np.array([1, 2]), name="ab")
    [{'x': 1, 'name': 'a'}, {'x': 2, 'name': 'b'}]
    """
    lists = [each.tolist() if isinstance(each, np.ndarray) else each for each in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def axis_of_numbers(
    field: str = "",
    title: str | list[str] | EllipsisType | None = ...,
    *,
    domain: Iterable[float] | None = None,
    ticks: int | Sequence[float] | None = None,
    axis: Mapping[str, Any] | None = {},
    **scale: Any,
) -> Spec:
    """A numeric axis; `ticks` are their count or their places, `axis` what else it needs (None: it is
    hidden), and all further settings are of its scale.

    >>> axis_of_numbers("rows", "rows", domain=(1, 9), ticks=4, type="log")["scale"]
    {'type': 'log', 'domain': [1, 9]}
    """
    if ticks is not None and axis is not None:
        axis = {**axis, **({"tickCount": ticks} if isinstance(ticks, int) else {"values": [*ticks]})}
    if domain is not None:
        scale["domain"] = [*domain]
    return {
        **({"field": field} if field else {}), "type": "quantitative",
        **({} if isinstance(title, EllipsisType) else {"title": title}),
        **({"scale": scale} if scale else {}),
        **({"axis": axis} if axis is None or axis else {}),
    }  # fmt: skip


def fitting_axis(
    title: str | None, ends: Sequence[float], field: str = "", ticks: int = 6, **axis: Any
) -> Spec:
    """A numeric axis from one of these ends to the other, not on to the next round number."""
    return axis_of_numbers(field, title, domain=ends, nice=False, ticks=ticks, axis=axis)


def axis_of_names(
    field: str,
    labels: Sequence[str] | Mapping[str, str],
    title: str | None = None,
    *,
    room: float = ROOM,
    scale: Mapping[str, Any] = {},
    **axis: Any,
) -> Spec:
    """The axis of names, in full and in this order; labels by value where they are other texts.

    >>> axis_of_names("class", ("No", "Yes"))["scale"]
    {'domain': ['No', 'Yes']}
    """
    texts = labels if isinstance(labels, Mapping) else {name: name for name in labels}
    plain = {"ticks": False, "domain": False}
    return {
        "field": field, "type": "nominal", "sort": None, "title": title,
        "scale": {"domain": [*labels], **scale}, "axis": {**plain, **axis, **labelled(texts, room)},
    }  # fmt: skip


def coloured(field: str, kinds: Iterable[str], values: Iterable[Any], legend: Any, **more: Any) -> Spec:
    """The channel that gives each kind its colour, or its dashes."""
    scale: Spec = {"domain": [*kinds], "range": [*values]}
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend, **more}


def line_legend(labels: Iterable[str], room: float, title: str | None = None) -> Spec:
    """The legend of lines."""
    return {"title": title, "symbolType": "stroke", "symbolStrokeWidth": 3, **keyed(labels, room)}


def layer(
    kind: str,
    at: Mapping[str, Any],
    values: Sequence[Mapping[str, Any]] | None = None,
    *,
    where: str = "",
    **mark: Any,
) -> Spec:
    """Marks of one kind, of all rows or those `where` a test holds. By channel `at` says what places them: an
    axis, an axis with another field than its own, a field's name, or a number of pixels.

    >>> layer("rule", {"x": ({"type": "quantitative"}, "low"), "x2": "high", "y": 5})["encoding"]
    {'x': {'type': 'quantitative', 'field': 'low'}, 'x2': {'field': 'high'}, 'y': {'value': 5}}
    """
    return {
        **({} if values is None else {"data": {"values": values}}),
        **({"transform": [{"filter": where}]} if where else {}),
        "mark": {"type": kind, **mark},
        **({"encoding": {channel: _channel(each) for channel, each in at.items()}} if at else {}),
    }


def _channel(given: Any) -> Any:
    match given:
        case str():
            return {"field": given}
        case (axis, field):
            return {**axis, "field": field}
        case int() | float():
            return {"value": given}
        case _:
            return given


def rule_at(side: str, axis: Spec, value: float, field: str = "zero", **mark: Any) -> Spec:
    """A dashed line across the panel at a value of one axis."""
    look: Spec = {"color": LIGHT.muted, "strokeDash": [3, 3], **mark}
    return layer("rule", {side: (axis, field)}, [{field: value}], **look)


def bars_with_texts(
    at: Mapping[str, Any], text: str, band: float, text_at: str = "", **mark: Any
) -> list[Spec]:
    """A bar in each row, this part of it high, and behind its end, or at another field, a text."""
    side = at["x"][0] if isinstance(at["x"], tuple) else at["x"]
    place = {"y": at["y"], "x": (side, text_at) if text_at else at["x"], "text": text}
    look: Spec = {"align": "left", "baseline": "middle", "dx": 6}
    return [layer("bar", at, height={"band": band}, **mark), layer("text", place, **look)]


def points_on_lines(
    at: Mapping[str, Any], values: Records | None, colour: str, *, size: int, along: str = "x", **line: Any
) -> list[Spec]:
    """A point in each row on a line from its `low` to its `high`."""
    axis = at[along][0] if isinstance(at[along], tuple) else at[along]
    ends = {**at, along: (axis, "low"), f"{along}2": "high"}
    return [
        layer("rule", ends, values, **line),
        layer("circle", at, values, color=colour, size=size, opacity=1),
    ]


def matrix_side(
    field: str, labels: Sequence[str] | Mapping[str, str], title: str, inner: float, **axis: Any
) -> Spec:
    """One side of a matrix of cells, which stand this part of a cell apart."""
    return axis_of_names(field, labels, title, scale={"paddingInner": inner, "paddingOuter": 0}, **axis)


def layered(
    layers: Sequence[Spec],
    width: float | Spec,
    height: float | Spec,
    values: Sequence[Mapping[str, Any]] | None = None,
    **more: Any,
) -> Spec:
    """Layers on one pair of axes; `values` are the rows of all that have none of their own."""
    data = {} if values is None else {"data": {"values": values}}
    return {**data, "width": width, "height": height, **more, "layer": [*layers]}


def row_steps(labels: Iterable[str], usual: float, room: float = ROOM) -> Spec:
    """The height of a panel with a row for each of these labels."""
    return {"step": row_height(labels, usual, room)}


def rows_by_place(
    names: Sequence[str], usual: float, room: float = ROOM, field: str = "place", **axis: Any
) -> tuple[list[str], Spec, Spec]:
    """Rows that are told apart by their place, for names may be alike: the places, their axis, the height.

    >>> rows_by_place(("a", "a"), 24)[0]
    ['0', '1']
    """
    places = [str(place) for place in range(len(names))]
    labels = dict(zip(places, names, strict=True))
    return places, axis_of_names(field, labels, room=room, **axis), row_steps(names, usual, room)


def panel_title(lines: str | list[str], size: int, **more: Any) -> Spec:
    """The title of a panel among others."""
    return {"text": lines, "fontSize": size, "offset": 6, **more}


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Scores at rising places; where one is not finite, the line has a gap. `spread` is half of the band."""

    name: str
    places: Sequence[float]
    scores: Sequence[float]
    colour: str
    spread: Sequence[float] = ()
    dashed: bool = False
    named: bool = True  # at its end
    points: bool = True


def learner_lines(
    name: str,
    places: Sequence[float],
    training: Sequence[float],
    held_out: Sequence[float],
    spread: Sequence[float],
    colour: str | None,
    spread_on_training: Sequence[float] = (),
) -> list[ScoreLine]:
    """The two lines of a learner: with a colour of its own, named by itself; of a single one (None) each is
    named by the rows that it is of, and both have bands."""
    if colour is None:
        return [
            ScoreLine("training", places, training, LIGHT.muted, spread_on_training, dashed=True),
            ScoreLine("held out", places, held_out, LIGHT.accent, spread),
        ]
    return [
        ScoreLine(name, places, training, colour, dashed=True, named=False, points=False),
        ScoreLine(name, places, held_out, colour, spread),
    ]


def colours_of(names: Sequence[str]) -> list[str | None]:
    """A colour for each of several; none of a single one."""
    return [None] if len(names) == 1 else list(class_colours(names).values())


def lines_panel(
    lines: Sequence[ScoreLine], x: Spec, *, score: str, width: int, height: int, under: Sequence[Spec] = ()
) -> Spec:
    """The panel of these lines; `x` is the axis, whose field is `place`, `under` what stands behind them."""
    points, bands = [_points(line) for line in lines], [_band(line) for line in lines]
    drawn = [value for each in (*points, *bands) for point in each for value in list(point.values())[1:]]
    domain = around(drawn) if drawn else (0.0, 1.0)
    y, across = fitting_axis(score, domain), {**x, "field": "place", "type": "quantitative"}
    layers, ends = [*under], []
    for line, records in zip(lines, bands, strict=True):
        if any(map(isfinite, line.spread)):
            at = {"x": across, "y": (y, "low"), "y2": "high"}
            layers.append(layer("area", at, records, color=line.colour, opacity=0.18))
    for line, records in zip(lines, points, strict=True):
        mark: Spec = {"strokeWidth": 1.6, "strokeDash": [5, 3]} if line.dashed else _PLAIN
        if line.points and len(records) <= _POINTS:
            mark = {**mark, "point": {"color": line.colour, "size": 34, "filled": True}}
        layers.append(layer("line", {"x": across, "y": (y, "score")}, records, color=line.colour, **mark))
        if line.named and records:
            ends.append(End(" ".join(fitted_lines(line.name, _ROOM)), records[-1]["score"], line.colour))
    return layered([*layers, *names_at_ends(ends, domain, width, height)], width, height)


def _points(line: ScoreLine) -> Records:
    each = records_of(place=line.places, score=line.scores)
    return [point for point in each if isfinite(point["score"])]


def _band(line: ScoreLine) -> Records:
    return [
        {"place": place, "low": score - half, "high": score + half}
        for place, score, half in zip(line.places, line.scores, line.spread, strict=False)
        if isfinite(score) and isfinite(half)
    ]


# Names at the ends of lines, moved apart where they would meet.


@dataclass(frozen=True, slots=True)
class End:
    """A line's last value, its name and its colour."""

    name: str
    value: float
    colour: str


def names_at_ends(
    ends: Sequence[End], domain: tuple[float, float], width: float, height: float
) -> list[Spec]:
    """A layer for each name, at the right of a panel whose y axis has this domain."""
    low, high = domain
    places = sorted(
        ((height * (high - end.value) / (high - low), end) for end in ends), key=lambda each: each[0]
    )
    spread: list[float] = []
    for place, _ in places:
        spread.append(max(place, spread[-1] + _APART) if spread else place)
    # Half of what the later ones were moved down, all move up: the names stay about their lines.
    shift = max((moved - place for moved, (place, _) in zip(spread, places, strict=True)), default=0.0) / 2
    return [
        layer("text", {"x": width, "y": place - shift, "text": "name"}, [{"name": end.name}],
              align="left", fontWeight="bold", color=end.colour, dx=8)
        for place, (_, end) in zip(spread, places, strict=True)
    ]  # fmt: skip


def round_numbers(low: float, high: float, steps: Sequence[int]) -> list[float]:
    """These steps times powers of ten, from one end to the other.

    >>> round_numbers(0.5, 20, (1, 3))
    [1.0, 3.0, 10.0]
    """
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    return [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]


def around(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows all these values with a little room.

    >>> around([0.5, 1.0])
    (0.475, 1.025)
    """
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or 0.05 * (abs(high) or 1.0)
    return low - room, high + room
