"""Additive models: what each value of a column adds, and what two columns add together beyond that."""

import math
from itertools import pairwise
from typing import Any, Final

from clearwood.draw.charts.builders import (
    axis_of_names,
    axis_of_numbers,
    coloured,
    layer,
    layered,
    matrix_side,
    panel_title,
    records_of,
    rule_at,
)
from clearwood.draw.charts.sheet import (
    Spec,
    drawn,
    fitted_lines,
    in_sentence,
    names_width,
    place_of_class,
    row_height,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError, no_such
from clearwood.explaining.curve_groups import brief_points, mean_points, terms_by_points
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cells_of_shape,
    side_in_words,
)
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.models.kinds.kind import NumbersProfile
from clearwood.models.model import check_kind
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.words.numbers import brief

_WIDTH: Final = 400
_SMALL: Final = 250  # of one among several
_HEIGHT: Final = 170
_ROWS: Final = 26  # the height of the bars that count rows
_ROOM: Final = 130.0
_VALUES: Final = 12  # of a nominal column that are drawn: those with the most rows
_PANELS: Final = 9
_OFTEN: Final = 0.004  # of the rows: rarer cells may leave the common scale of several curves
_BANDS: Final = 2.0  # standard errors to each side
_TAIL: Final = 0.02  # of the range beyond the outermost cuts, where nothing tells how far the numbers go


def curve(model: AdditiveModel, column: str, *, theme: ThemeName = "auto") -> Picture:
    """The points of one column by its numbers or values; the band is two standard errors to each side.

    Of more than two classes there is a line for each. A missing cell has a mark of its own, where rows had
    one. The bars below say how many training rows stand behind each part of the curve.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 9, "y": list("aababb") * 9}, target="y")
    >>> curve(cw.GAM(bags=3).learn(table), "x").alt.split(":")[0]
    'What x adds to the log odds of b'
    """
    check_kind("charts.curve", model, AdditiveModel)
    shape = model[column]
    low, high = (f"{'+' if end >= 0 else '−'}{brief(abs(end))}" for end in _reach(shape))
    title = f"What {in_sentence(column)} adds to the {_what(model)}"
    below, met = _bands(model), sum(weight > 0 for weight in shape.rows)
    if isinstance(model.schema[column], Nominal | Ordinal) and met > _VALUES:
        below.insert(0, f"the {_VALUES} commonest of {met:,} values")
    alt = f"{title}: from {low} to {high}, {brief_points(model, mean_points(shape))} on average."
    return drawn(_panel(model, shape, _WIDTH), title, below, alt, theme, _WIDTH + 60)


def curves(model: AdditiveModel, *, columns: int = _PANELS, theme: ThemeName = "auto") -> Picture:
    """The curves of the weightiest columns side by side, the weightiest first, on one scale of points,
    which cells of hardly any rows may leave.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 9, "y": list("aababb") * 9}, target="y")
    >>> curves(cw.GAM(bags=3).learn(table)).alt.split(",")[0]
    'An additive model of the log odds of b by 1 curve'
    """
    check_kind("charts.curves", model, AdditiveModel)
    if columns < 1:
        raise SettingError(f"columns must be at least 1, not {columns}.")
    what = _what(model)
    title = f"What each column adds to the {what}"
    if not model.shapes:
        same = "only pairs of columns do" if model.pairs else "every row gets the same prediction"
        sentence = f"No column adds anything by itself: {same}."
        text = layer("text", {"text": "text"}, [{"text": sentence}], fontSize=13)
        alt = f"An additive model of the {what} without curves. {sentence}"
        return drawn({**text, "width": _WIDTH, "height": 40}, title, [], alt, theme, _WIDTH + 60)
    ranked = sorted(model.shapes, key=lambda shape: -mean_points(shape))[:columns]
    lows, highs = zip(*(_reach(shape, _OFTEN) for shape in ranked), strict=True)
    panels = []
    for shape in ranked:
        heading = panel_title(fitted_lines(shape.name, float(_SMALL)), 13)
        panels.append({"title": heading, **_panel(model, shape, _SMALL, (min(lows), max(highs)))})
    left = len(model.shapes) - len(ranked)
    named = [
        f"{in_sentence(name)} {brief_points(model, points)}" for name, points in terms_by_points(model)[:4]
    ]
    counted = "1 curve" if len(model.shapes) == 1 else f"{len(model.shapes):,} curves"
    below = [f"the {len(ranked)} weightiest of {len(model.shapes):,} columns"] if left else []
    alt = f"An additive model of the {what} by {counted}, the weightiest: {', '.join(named)}."
    across = min(3, len(ranked))
    spec = {
        "concat": panels,
        "columns": across,
        "spacing": {"row": 26, "column": 26},
        "align": "none",  # else one long name would widen a whole column
    }
    return drawn(spec, title, below + _bands(model), alt, theme, across * (_SMALL + 60))


def _panel(model: AdditiveModel, shape: Shape, width: int, domain: tuple[float, float] | None = None) -> Spec:
    """The curve of a number, or the bars of values."""
    attribute = model.schema[shape.name]
    if isinstance(attribute, Nominal | Ordinal):
        return _of_values(model, shape, attribute, width, domain)
    return _of_numbers(model, shape, width, domain)


def _of_numbers(model: AdditiveModel, shape: Shape, width: int, domain: tuple[float, float] | None) -> Spec:
    """Steps from cut to cut, which are what the model predicts by; below them the rows."""
    ends = _ends(model, shape)
    names = _score_names(model)
    records = []
    for s, points in enumerate(shape.points):
        for cell, (low, high) in enumerate(pairwise(ends)):
            point, half = points[cell], _half_band(shape, s, cell)
            band = {"low": point - half, "high": point + half}
            records.append({"x": low, "x2": high, "y": point, "score": names[s], **band})
        records.append({**records[-1], "x": ends[-1], "x2": ends[-1]})
    colour = _colour(model, names)
    axis: Spec = {"grid": False, **({"format": "~s"} if ends[-1] >= 10_000 else {})}
    x = axis_of_numbers("x", None, domain=(ends[0], ends[-1]), nice=False, zero=False, ticks=5, axis=axis)
    y = _points_axis(domain, 5)
    bare = {**x, "axis": None}
    steps: Spec = {"interpolate": "step-after", "clip": True}
    between = {"x": bare, "y": (y, "low"), "y2": "high", "color": colour}
    tops = [
        rule_at("y", y, 0),
        layer("area", between, opacity=0.22, **steps),
        layer("line", {"x": bare, "y": (y, "y"), "color": colour}, strokeWidth=2, **steps),
    ]
    tops += _missing_mark(shape, names, width, y, colour)
    main = layered(tops, width, _HEIGHT, records)
    if not shape.rows:
        main["layer"][2]["encoding"]["x"] = x
        return main
    bars = [
        {"x": low, "x2": high, "rows": weight / (high - low)}
        for low, high, weight in zip(ends, ends[1:], shape.rows, strict=False)
        if high > low
    ]
    y = axis_of_numbers("rows", None, axis=None, zero=True)
    under = {"x": x, "x2": "x2", "y": y, "y2": {"datum": 0}}
    rug = layer("rect", under, _fewer(bars), color=LIGHT.muted, opacity=0.5)
    lower = {**rug, "width": width, "height": _ROWS}
    return {"vconcat": [main, lower], "spacing": 3, "resolve": {"scale": {"x": "shared"}}}


def _fewer(bars: list[dict[str, float]], most: int = 60) -> list[dict[str, float]]:
    """The rows in equal parts of the axis, so that a narrow interval is no tall needle."""
    if not bars or not bars[-1]["x2"] > bars[0]["x"]:
        return bars
    low, high = bars[0]["x"], bars[-1]["x2"]
    width = (high - low) / most
    edges, parts = [low + place * width for place in range(most + 1)], [0.0] * most
    for bar in bars:
        first = min(int((bar["x"] - low) / width), most - 1)
        last = min(math.ceil((bar["x2"] - low) / width), most)
        for place in range(first, max(last, first + 1)):
            inside = min(edges[place + 1], bar["x2"]) - max(edges[place], bar["x"])
            parts[place] += bar["rows"] * max(0.0, inside)
    return records_of(x=edges[:-1], x2=edges[1:], rows=parts)


def _missing_mark(shape: Shape, names: list[str], width: int, y: Spec, colour: Any) -> list[Spec]:
    """A point at the right edge for missing cells, if rows had some."""
    if not shape.rows or not shape.rows[-2] > 0:
        return []
    points = [each[-2] for each in shape.points]
    records = records_of(y=points, score=names, text=["missing"] * len(points))
    diamond: Spec = {"shape": "diamond", "filled": True, "size": 70, "opacity": 1}
    name: Spec = {"align": "right", "dy": -11, "color": LIGHT.muted, "fontSize": 11}
    return [
        layer("point", {"x": width + 8, "y": (y, "y"), "color": colour}, records, **diamond),
        layer("text", {"x": width + 14, "y": (y, "y"), "text": "text"}, records[:1], **name),
    ]


def _of_values(
    model: AdditiveModel,
    shape: Shape,
    attribute: Nominal | Ordinal,
    width: int,
    domain: tuple[float, float] | None,
) -> Spec:
    """A point for each value on a line as long as its band."""
    names = _score_names(model)
    cells = [cell for cell in range(len(attribute.values) + 1) if not shape.rows or shape.rows[cell] > 0]
    if shape.rows:
        cells = sorted(cells, key=lambda cell: -shape.rows[cell])[:_VALUES]
    if isinstance(attribute, Ordinal):
        cells.sort()
    else:
        cells.sort(key=lambda cell: -shape.points[-1][cell])
    labels = {
        str(cell): "missing" if cell == len(attribute.values) else in_sentence(attribute.values[cell])
        for cell in cells
    }
    records = []
    for s, points in enumerate(shape.points):
        for cell in cells:
            point, half = points[cell], _half_band(shape, s, cell)
            band = {"low": point - half, "high": point + half}
            records.append({"place": str(cell), "x": point, **band, "score": names[s]})
    colour = _colour(model, names)
    room = min(_ROOM, width * 0.5)
    own = width - min(names_width(labels.values(), room), room) - 10
    x = _points_axis(domain, 4)
    y = axis_of_names("place", labels, room=room, labelPadding=8)
    least = row_height(labels.values(), 15, room)
    step = max(least, (_HEIGHT - 16) / max(len(cells), 3))  # as high as the curve of a number
    between = {"y": y, "x": (x, "low"), "x2": "high", "color": colour}
    layers = [
        rule_at("x", x, 0),
        layer("rule", between, strokeWidth=5, opacity=0.3, clip=True),
        layer("circle", {"y": y, "x": (x, "x"), "color": colour}, size=60, opacity=1, clip=True),
    ]
    return layered(layers, max(own, 90), {"step": step}, records)


def _points_axis(domain: tuple[float, float] | None, ticks: int) -> Spec:
    return {"scale": {}, **axis_of_numbers("", "points", domain=domain, ticks=ticks)}


def _ends(model: AdditiveModel, shape: Shape) -> list[float]:
    """The ends of the intervals that are drawn; the outermost go as far as the rows did, if known."""
    cuts = list(shape.cuts) or [0.0]
    reach = (cuts[-1] - cuts[0]) or abs(cuts[0]) or 1.0
    low, high = cuts[0] - _TAIL * reach, cuts[-1] + _TAIL * reach
    known = model.profile.columns.get(shape.name) if model.profile else None
    if isinstance(known, NumbersProfile) and known.quantiles:
        low, high = min(known.quantiles[0], cuts[0]), max(known.quantiles[-1], cuts[-1])
    return [low, *shape.cuts, high]


def _reach(shape: Shape, part: float = 0.0) -> tuple[float, float]:
    """The lowest and the highest end of a band, of cells with more than this part of the rows."""
    least = part * sum(shape.rows)
    cells = [cell for cell in range(len(shape.points[0])) if not shape.rows or shape.rows[cell] > least]
    cells = cells or list(range(len(shape.points[0])))
    halves = [
        (points[cell], _half_band(shape, s, cell)) for s, points in enumerate(shape.points) for cell in cells
    ]
    return min(point - half for point, half in halves), max(point + half for point, half in halves)


def _half_band(shape: Shape, score: int, cell: int) -> float:
    return _BANDS * shape.errors[score][cell] if shape.errors else 0.0


def _bands(model: AdditiveModel) -> list[str]:
    if not model.spread:
        return []
    return [
        "bands of two standard errors" if model.spread == "standard errors" else "bands of twice the spread"
    ]


def _what(model: AdditiveModel) -> str:
    if len(model.base) > 1:
        return f"scores of {in_sentence(model.schema.target.name) if model.schema.target else ''}"
    return in_sentence(score_name(model.schema, model.link, 0))


def _score_names(model: AdditiveModel) -> list[str]:
    return list(model.schema.classes) if model.link == "softmax" else [""]


def _colour(model: AdditiveModel, names: list[str]) -> Any:
    """The class's own colour, of two classes the second's."""
    classes = model.schema.classes
    if len(names) == 1:
        return {
            "value": class_colours(classes)[classes[1]] if len(classes) == 2 else class_colours(("",))[""]
        }
    colours = class_colours(classes)
    return coloured("score", names, [colours[n] for n in names], {"title": None, "orient": "top"})


# A pair's table as a heat map: what two columns add together, beyond what each adds alone.


_SIDE: Final = 340
_PAIR_ROOM: Final = 150.0
_UPRIGHT: Final = {"labelAngle": -90, "labelAlign": "right", "labelBaseline": "middle"}
_SIGNS: Final = {"adds": "#e69f00", "takes off": "#0072b2"}  # two of the classes' colours, far apart


def pair(
    model: AdditiveModel, down: str, across: str, *, called: str | None = None, theme: ThemeName = "auto"
) -> Picture:
    """The points of a pair, cell by cell, one column down the side and one across; cells without a row are
    left blank. `called` is one of many classes.

    >>> import clearwood as cw
    >>> rows = {"a": [0, 0, 1, 1] * 20, "b": [0, 1, 0, 1] * 20, "y": list("nyyn") * 20}
    >>> model = cw.GAM(bags=3, pairs=1).learn(cw.read_table(rows, target="y"))
    >>> pair(model, "a", "b").alt.split(":")[0]
    'What a and b add together to the log odds of y'
    """
    check_kind("charts.pair", model, AdditiveModel)
    table = _found(model, down, across)
    score = 0 if called is None or len(model.base) == 1 else place_of_class(called, model.schema.classes)
    wide = cells_of_shape(model.schema, table.names[1], table.cuts[1])
    points = table.points[score]
    met = [cell for cell in range(len(points)) if not table.rows or table.rows[cell] > 0]
    sides = [sorted({cell // wide for cell in met}), sorted({cell % wide for cell in met})]
    labels = [
        {str(i): side_in_words(model, name, cuts, i) for i in used}
        for name, cuts, used in zip(table.names, table.cuts, sides, strict=True)
    ]
    records = [
        {"a": str(cell // wide), "b": str(cell % wide), "points": abs(points[cell]),
         "sign": "adds" if points[cell] >= 0 else "takes off"}
        for cell in met
    ]  # fmt: skip
    reach = max((abs(points[cell]) for cell in met), default=1.0) or 1.0
    both = " and ".join(map(in_sentence, table.names))
    title = f"What {both} add together to the {in_sentence(score_name(model.schema, model.link, score))}"
    axes = []
    for field, name, own in zip("ab", table.names, labels, strict=True):
        upright = _UPRIGHT if field == "b" else {}
        axis = matrix_side(field, own, name, 0.02, room=_PAIR_ROOM, grid=False, labelOverlap=False, **upright)
        if field == "a" and isinstance(model.schema[name], Numeric):
            axis["scale"]["domain"].reverse()  # the least number stands below
        axes.append(axis)
    steps = [max(15.0, _SIDE / max(len(each), 1)) for each in labels]
    shades = {
        "title": None, "values": [reach / 4, reach / 2, reach], "format": ".2~r", "symbolType": "square",
        "symbolFillColor": LIGHT.ink, "symbolStrokeWidth": 0, "symbolSize": 100,
    }  # fmt: skip
    at = {
        "y": axes[0],
        "x": axes[1],
        "color": coloured("sign", _SIGNS, _SIGNS.values(), {"title": "points"}),
        "opacity": {**axis_of_numbers("points", domain=(0, reach), range=[0.03, 1]), "legend": shades},
    }
    cells = layer("rect", at, records, stroke=LIGHT.paper, strokeWidth=0.5)
    below = ["beyond what each adds alone; blank: no training row"]
    average, most = brief_points(model, mean_points(table)), brief_points(model, reach)
    alt = f"{title}: {average} on average, at most {most}."
    width = _SIDE + names_width(labels[0].values(), _PAIR_ROOM)
    spec = {**cells, "width": {"step": steps[1]}, "height": {"step": min(steps[0], 44.0)}}
    return drawn(spec, title, below, alt, theme, width)


def _found(model: AdditiveModel, down: str, across: str) -> PairShape:
    by_names = {each.names: each for each in model.pairs}
    if (down, across) in by_names:
        return by_names[down, across]
    if (across, down) not in by_names:
        raise SettingError(no_such("pair", f"{down} × {across}", map(" × ".join, by_names)))
    # The same table, its rows as columns.
    table = by_names[across, down]
    wide = cells_of_shape(model.schema, table.names[1], table.cuts[1])
    order = [cell for b in range(wide) for cell in range(b, len(table.points[0]), wide)]
    points = tuple(tuple(row[cell] for cell in order) for row in table.points)
    rows = tuple(table.rows[cell] for cell in order) if table.rows else ()
    return PairShape((table.names[1], table.names[0]), (table.cuts[1], table.cuts[0]), points, (), rows)
