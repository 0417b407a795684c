"""Additive models: what each value of a column adds, and what two columns add together beyond that."""

import math
from typing import Any, Final

from clearwood.draw.charts.builders import (
    axis_of_names,
    axis_of_numbers,
    coloured,
    layer,
    layered,
    matrix_side,
    panel_title,
    rule_at,
)
from clearwood.draw.charts.sheet import (
    Spec,
    drawn,
    fitted_lines,
    in_sentence,
    names_width,
    row_height,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError, no_such
from clearwood.explaining.curve_groups import brief_points, mean_points, terms_by_points
from clearwood.models.kept import check_kind
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cells_of_shape,
    side_in_words,
)
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.models.profile import NumbersProfile
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
    what = _what(model)
    low, high = _reach(shape)
    return drawn(
        panel(model, shape, _WIDTH, titled=False),
        title=f"What {in_sentence(column)} adds to the {what}",
        subtitle=[*_commonest(model, shape), *_bands(model)],
        alt=f"What {in_sentence(column)} adds to the {what}: from {_signed(low)} to {_signed(high)}, "
        f"{brief_points(model, mean_points(shape))} on average.",
        width=_WIDTH + 60,
        theme=theme,
    )


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
    if not model.shapes:
        return _without_curves(model, theme)
    ranked = sorted(model.shapes, key=lambda shape: -mean_points(shape))[:columns]
    low = min(_reach(shape, _OFTEN)[0] for shape in ranked)
    high = max(_reach(shape, _OFTEN)[1] for shape in ranked)
    across = min(3, len(ranked))
    panels = [panel(model, shape, _SMALL, titled=True, domain=(low, high)) for shape in ranked]
    left = len(model.shapes) - len(ranked)
    what = _what(model)
    named = [
        f"{in_sentence(name)} {brief_points(model, points)}" for name, points in terms_by_points(model)[:4]
    ]
    counted = "1 curve" if len(model.shapes) == 1 else f"{len(model.shapes):,} curves"
    return drawn(
        {
            "concat": panels,
            "columns": across,
            "spacing": {"row": 26, "column": 26},
            "align": "none",  # else one long name would widen a whole column
        },
        title=f"What each column adds to the {what}",
        subtitle=[
            *([f"the {len(ranked)} weightiest of {len(model.shapes):,} columns"] if left else []),
            *_bands(model),
        ],
        alt=f"An additive model of the {what} by {counted}, the weightiest: {', '.join(named)}.",
        width=across * (_SMALL + 60),
        theme=theme,
    )


def _without_curves(model: AdditiveModel, theme: ThemeName) -> Picture:
    """A sentence in place of panels: nothing was learned of any column by itself."""
    same = "only pairs of columns do" if model.pairs else "every row gets the same prediction"
    sentence = f"No column adds anything by itself: {same}."
    return drawn(
        layer("text", {"text": "text"}, [{"text": sentence}], fontSize=13) | {"width": _WIDTH, "height": 40},
        title=f"What each column adds to the {_what(model)}",
        alt=f"An additive model of the {_what(model)} without curves. {sentence}",
        width=_WIDTH + 60,
        theme=theme,
    )


def panel(
    model: AdditiveModel,
    shape: Shape,
    width: int,
    *,
    titled: bool,
    domain: tuple[float, float] | None = None,
) -> Spec:
    """The curve of a number, or the bars of values."""
    attribute = model.schema[shape.name]
    heading = {"title": panel_title(fitted_lines(shape.name, float(width)), 13)} if titled else {}
    if isinstance(attribute, Nominal | Ordinal):
        return {**heading, **_of_values(model, shape, attribute, width, domain)}
    return {**heading, **_of_numbers(model, shape, width, domain)}


def _of_numbers(model: AdditiveModel, shape: Shape, width: int, domain: tuple[float, float] | None) -> Spec:
    """Steps from cut to cut, which are what the model predicts by; below them the rows."""
    ends = _ends(model, shape)
    names = _score_names(model)
    records = []
    for s, points in enumerate(shape.points):
        errors = shape.errors[s] if shape.errors else ()
        for cell in range(len(ends) - 1):
            error = _BANDS * errors[cell] if errors else 0.0
            records.append(
                {"x": ends[cell], "x2": ends[cell + 1], "y": points[cell], "score": names[s],
                 "low": points[cell] - error, "high": points[cell] + error}
            )  # fmt: skip
        records.append({**records[-1], "x": ends[-1], "x2": ends[-1]})
    colour = _colour(model, names)
    axis: Spec = {"grid": False, **({"format": "~s"} if ends[-1] >= 10_000 else {})}
    x = axis_of_numbers("x", None, domain=(ends[0], ends[-1]), nice=False, zero=False, ticks=5, axis=axis)
    y = _points_axis(domain, 5)
    bare = {**x, "axis": None}
    steps: Spec = {"interpolate": "step-after", "clip": True}
    band = {"x": bare, "y": (y, "low"), "y2": "high", "color": colour}
    tops = [
        rule_at("y", y, 0),
        layer("area", band, opacity=0.22, **steps),
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
    below = {"x": x, "x2": "x2", "y": y, "y2": {"datum": 0}}
    rug = layer("rect", below, _fewer(bars), color=LIGHT.muted, opacity=0.5) | {
        "width": width,
        "height": _ROWS,
    }
    return {"vconcat": [main, rug], "spacing": 3, "resolve": {"scale": {"x": "shared"}}}


def _fewer(bars: list[dict[str, float]], most: int = 60) -> list[dict[str, float]]:
    """The rows in equal parts of the axis, so that a narrow interval is no tall needle."""
    if not bars:
        return bars
    low, high = bars[0]["x"], bars[-1]["x2"]
    if not high > low:
        return bars
    width = (high - low) / most
    parts = [0.0] * most
    for bar in bars:
        first = min(int((bar["x"] - low) / width), most - 1)
        last = min(math.ceil((bar["x2"] - low) / width), most)
        for place in range(first, max(last, first + 1)):
            left, right = low + place * width, low + (place + 1) * width
            parts[place] += bar["rows"] * max(0.0, min(right, bar["x2"]) - max(left, bar["x"]))
    return [{"x": low + i * width, "x2": low + (i + 1) * width, "rows": part} for i, part in enumerate(parts)]


def _missing_mark(shape: Shape, names: list[str], width: int, y: Spec, colour: Any) -> list[Spec]:
    """A point at the right edge for missing cells, if rows had some."""
    if not shape.rows or not shape.rows[-2] > 0:
        return []
    records = [
        {"y": points[-2], "score": names[s], "text": "missing"} for s, points in enumerate(shape.points)
    ]
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
            error = _BANDS * shape.errors[s][cell] if shape.errors else 0.0
            records.append(
                {"place": str(cell), "x": points[cell], "low": points[cell] - error,
                 "high": points[cell] + error, "score": names[s]}
            )  # fmt: skip
    colour = _colour(model, names)
    room = min(_ROOM, width * 0.5)
    own = width - min(names_width(labels.values(), room), room) - 10
    x = _points_axis(domain, 4)
    y = axis_of_names("place", labels, room=room, labelPadding=8)
    least = row_height(labels.values(), 15, room)
    step = max(least, (_HEIGHT - 16) / max(len(cells), 3))  # as high as the curve of a number
    band = {"y": y, "x": (x, "low"), "x2": "high", "color": colour}
    layers = [
        rule_at("x", x, 0),
        layer("rule", band, strokeWidth=5, opacity=0.3, clip=True),
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
    ends = [
        (points[cell] - error, points[cell] + error)
        for s, points in enumerate(shape.points)
        for cell in cells
        for error in (_BANDS * shape.errors[s][cell] if shape.errors else 0.0,)
    ]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _commonest(model: AdditiveModel, shape: Shape) -> list[str]:
    """That a column has more values than are drawn."""
    met = sum(weight > 0 for weight in shape.rows)
    if isinstance(model.schema[shape.name], Nominal | Ordinal) and met > _VALUES:
        return [f"the {_VALUES} commonest of {met:,} values"]
    return []


def _bands(model: AdditiveModel) -> list[str]:
    return (
        [f"bands of two {model.spread}" if model.spread == "standard errors" else "bands of twice the spread"]
        if model.spread
        else []
    )


def _what(model: AdditiveModel) -> str:
    if len(model.base) > 1:
        return f"scores of {in_sentence(model.schema.target.name) if model.schema.target else ''}"
    return in_sentence(score_name(model.schema, model.link, 0))


def _score_names(model: AdditiveModel) -> list[str]:
    return list(model.schema.classes) if model.link == "softmax" else [""]


def _colour(model: AdditiveModel, names: list[str]) -> Any:
    """The class's own colour, of two classes the second's."""
    if len(names) == 1:
        classes = model.schema.classes
        return {
            "value": class_colours(classes)[classes[1]] if len(classes) == 2 else class_colours(("",))[""]
        }
    colours = class_colours(model.schema.classes)
    return coloured("score", names, [colours[n] for n in names], {"title": None, "orient": "top"})


def _signed(points: float) -> str:
    return f"{'+' if points >= 0 else '−'}{brief(abs(points))}"


# A pair's table as a heat map: what two columns add together, beyond what each adds alone.


_SIDE: Final = 340
_PAIR_ROOM: Final = 150.0
_UPRIGHT: Final = {"labelAngle": -90, "labelAlign": "right", "labelBaseline": "middle"}
_SIGNS: Final = {"adds": "#e69f00", "takes off": "#0072b2"}  # two of the classes' colours, far apart


def pair(
    model: AdditiveModel,
    down: str,
    across: str,
    *,
    called: str | None = None,
    theme: ThemeName = "auto",
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
    score = _score(model, called)
    wide = cells_of_shape(model.schema, table.names[1], table.cuts[1])
    points = table.points[score]
    met = [cell for cell in range(len(points)) if not table.rows or table.rows[cell] > 0]
    sides = [_used([cell // wide for cell in met]), _used([cell % wide for cell in met])]
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
    name = score_name(model.schema, model.link, score)
    title = f"What {in_sentence(table.names[0])} and {in_sentence(table.names[1])} add together"
    axes = []
    for side, (own, horizontal) in enumerate(zip(labels, (False, True), strict=True)):
        numeric = isinstance(model.schema[table.names[side]], Numeric)
        order = list(reversed(own)) if numeric and not horizontal else list(own)
        upright = _UPRIGHT if horizontal else {}
        axis = matrix_side(
            "ab"[side],
            own,
            table.names[side],
            0.02,
            room=_PAIR_ROOM,
            grid=False,
            labelOverlap=False,
            **upright,
        )
        axes.append({**axis, "scale": {**axis["scale"], "domain": order}})
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
    return drawn(
        {**cells, "width": {"step": steps[1]}, "height": {"step": min(steps[0], 44.0)}},
        title=f"{title} to the {in_sentence(name)}",
        subtitle=["beyond what each adds alone; blank: no training row"],
        alt=f"{title} to the {in_sentence(name)}: {brief_points(model, mean_points(table))} on average, "
        f"at most {brief_points(model, reach)}.",
        width=_SIDE + names_width(labels[0].values(), _PAIR_ROOM),
        theme=theme,
    )


def _found(model: AdditiveModel, down: str, across: str) -> PairShape:
    for each in model.pairs:
        if each.names == (down, across):
            return each
        if each.names == (across, down):
            return _turned(model, each)
    named = [" × ".join(each.names) for each in model.pairs]
    raise SettingError(no_such("pair", f"{down} × {across}", named))


def _turned(model: AdditiveModel, table: PairShape) -> PairShape:
    """The same table, its rows as columns."""
    wide = cells_of_shape(model.schema, table.names[1], table.cuts[1])
    order = [cell for b in range(wide) for cell in range(b, len(table.points[0]), wide)]
    points = tuple(tuple(row[cell] for cell in order) for row in table.points)
    rows = tuple(table.rows[cell] for cell in order) if table.rows else ()
    return PairShape((table.names[1], table.names[0]), (table.cuts[1], table.cuts[0]), points, (), rows)


def _score(model: AdditiveModel, called: str | None) -> int:
    if len(model.base) == 1:
        return 0
    classes = model.schema.classes
    if called is None:
        return 0
    if called not in classes:
        raise SettingError(no_such("class", called, classes, plural="classes"))
    return classes.index(called)


def _used(cells: list[int]) -> list[int]:
    return sorted(set(cells))
