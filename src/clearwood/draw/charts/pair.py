"""A pair's table as a heat map: what two columns add together, beyond what each adds alone."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.sheet import drawn, in_sentence, labelled, names_width
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError, no_such
from clearwood.explain.curve_groups import brief_points, mean_points
from clearwood.models.additive_model import AdditiveModel, PairShape, cells_of_shape, side_in_words
from clearwood.models.ensemble import score_name
from clearwood.models.kept import check_kind
from clearwood.table.attributes import Numeric

_SIDE: Final = 340
_ROOM: Final = 150.0
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
        axes.append(
            {"field": "ab"[side], "type": "nominal", "sort": None, "title": table.names[side],
             "scale": {"domain": order, "paddingInner": 0.02, "paddingOuter": 0},
             "axis": {"ticks": False, "domain": False, "grid": False, "labelOverlap": False,
                      **(_UPRIGHT if horizontal else {}),
                      **labelled(own, _ROOM)}}
        )  # fmt: skip
    steps = [max(15.0, _SIDE / max(len(each), 1)) for each in labels]
    return drawn(
        {
            "data": {"values": records},
            "width": {"step": steps[1]}, "height": {"step": min(steps[0], 44.0)},
            "mark": {"type": "rect", "stroke": LIGHT.paper, "strokeWidth": 0.5},
            "encoding": {
                "y": axes[0], "x": axes[1],
                "color": {
                    "field": "sign", "type": "nominal",
                    "scale": {"domain": [*_SIGNS], "range": [*_SIGNS.values()]},
                    "legend": {"title": "points"},
                },
                "opacity": {
                    "field": "points", "type": "quantitative",
                    "legend": {"title": None, "values": [reach / 4, reach / 2, reach], "format": ".2~r",
                               "symbolType": "square", "symbolFillColor": LIGHT.ink,
                               "symbolStrokeWidth": 0, "symbolSize": 100},
                    "scale": {"domain": [0, reach], "range": [0.03, 1]},
                },
            },
        },
        title=f"{title} to the {in_sentence(name)}",
        subtitle=["beyond what each adds alone; blank: no training row"],
        alt=f"{title} to the {in_sentence(name)}: {brief_points(model, mean_points(table))} on average, "
        f"at most {brief_points(model, reach)}.",
        width=_SIDE + names_width(labels[0].values(), _ROOM),
        theme=theme,
    )  # fmt: skip


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
