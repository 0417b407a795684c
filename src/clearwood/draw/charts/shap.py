"""What one column adds to the answers of many rows: its SHAP values along its cells."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from clearwood.draw.charts.ends import around
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_range,
    drawn,
    in_sentence,
    name_axis,
    names_width,
    row_height,
)
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError, no_such
from clearwood.explain.shap import ShapValues
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import brief, many

_WIDTH: Final = 430
_HEIGHT: Final = 220
_POINTS: Final = 200  # rows that are drawn
_VALUES: Final = 12  # of a nominal column that are drawn


def shap(
    values: ShapValues, rows: Table, column: str, called: str | None = None, *, theme: ThemeName = "auto"
) -> Picture:
    """A point for each row: its cell across, what the cell adds up; of a nominal column a line per value.

    `rows` are those that the values are of; of many, some 200 spread over them are drawn. With classes it is
    what is added to the answer of the class `called`, else of the last one.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> values = cw.shap_values(cw.C45().learn(days), days)
    >>> shap(values, days, "Humidity", "Play").alt
    'What Humidity adds to the probability of Play in 14 rows: −0.271 to 0.407, 0.172 in size on average.'
    """
    check_drawable("shap", values, ShapValues)
    if column not in values.columns:
        raise SettingError(no_such("column", column, values.columns))
    if len(rows) != len(values.contributions):
        raise SettingError(
            f"The values are of {len(values.contributions):,} rows, and the table has {len(rows):,}. Give "
            "the rows that they were computed for."
        )
    score = len(values.scores) - 1
    if called is not None:
        if called not in values.scores:
            raise SettingError(no_such("class", str(called), values.scores, plural="classes"))
        score = values.scores.index(called)
    added = values.contributions[:, values.columns.index(column), score]
    of = in_sentence(values.scores[score])
    what = f"{values.scale} of {of}" if values.scale in ("probability", "votes", "score") else of
    every = max(1, -(-len(rows) // _POINTS))
    places = np.arange(0, len(rows), every)
    colours = class_colours(values.scores) if len(values.scores) > 1 else {values.scores[0]: LIGHT.accent}
    colour = colours[values.scores[score]]
    attribute = rows.schema[column]
    cells = rows.columns[column][places]
    spec: Spec
    names: list[str] = []
    match attribute:
        case Numeric():
            spec = _along_numbers(column, what, cells, added[places], colour)
        case Nominal(_, called_values) | Ordinal(_, called_values):
            spec, names = _by_values(column, what, called_values, cells, added[places], colour)
        case _:
            raise SettingError(f"Column '{column}' has neither values nor numbers: there is nothing to draw.")
    size = float(np.abs(added).mean()) if len(added) else 0.0
    return drawn(
        spec,
        title=f"What {in_sentence(column)} adds to the {what}",
        subtitle=[f"SHAP values of {many(len(places), 'row')}"],
        alt=(
            f"What {in_sentence(column)} adds to the {what} in {many(len(rows), 'row')}: "
            f"{_figure(added.min())} to {_figure(added.max())}, {_figure(size)} in size on average."
        ),
        width=_WIDTH + names_width(names),
        theme=theme,
    )


def _figure(value: float) -> str:
    return (f"{value:.3f}" if abs(value) < 100 else brief(float(value))).replace("-", "−")


def _added(what: str, added: Any) -> Spec:
    low, high = around([*added.tolist(), 0.0])
    return {
        "field": "added", "type": "quantitative", "title": f"added to the {what}",
        "scale": {"domain": [low, high], "nice": False, "zero": False}, "axis": {"tickCount": 6},
    }  # fmt: skip


def _zero(channel: str, scale: Spec) -> Spec:
    return {
        "data": {"values": [{"added": 0}]},
        "mark": {"type": "rule", "color": LIGHT.muted, "strokeDash": [3, 3]},
        "encoding": {channel: scale},
    }


def _along_numbers(column: str, what: str, cells: Any, added: Any, colour: str) -> Spec:
    known = np.isfinite(cells)
    if not known.any():
        raise SettingError(f"Column '{column}' is missing in all of these rows: there is nothing to draw.")
    low, high = float(cells[known].min()), float(cells[known].max())
    check_range(column, low, high)
    margin = 0.02 * (high - low) or abs(low) / 20 or 0.5
    x = {
        "field": "cell", "type": "quantitative", "title": in_sentence(column),
        "scale": {"domain": [low - margin, high + margin], "nice": False},
        "axis": {"grid": False, "tickCount": 8},
    }  # fmt: skip
    y = _added(what, added)
    records: Records = [
        {"cell": float(cell), "added": float(f"{more:.4g}")}
        for cell, more in zip(cells[known].tolist(), added[known].tolist(), strict=True)
    ]
    points = {
        "data": {"values": records},
        "mark": {"type": "circle", "size": 30, "opacity": 0.55, "color": colour},
        "encoding": {"x": x, "y": y},
    }
    return {"width": _WIDTH, "height": _HEIGHT, "layer": [_zero("y", y), points]}


def _by_values(
    column: str, what: str, values: tuple[str, ...], cells: Any, added: Any, colour: str
) -> tuple[Spec, list[str]]:
    """A line for each value that occurs, the most frequent ones where there are many."""
    codes, counts = np.unique(cells[cells >= 0], return_counts=True)
    kept = sorted(codes[np.argsort(-counts, kind="stable")][:_VALUES].tolist())
    if not kept:
        raise SettingError(f"Column '{column}' is missing in all of these rows: there is nothing to draw.")
    names = [values[code] for code in kept]
    here = np.isin(cells, kept)
    x = _added(what, added)
    y = {
        "field": "cell", "type": "nominal", "sort": None, "title": in_sentence(column),
        "scale": {"domain": names},
        "axis": {"ticks": False, "domain": False, "labelPadding": 10, "grid": False, **name_axis(names)},
    }  # fmt: skip
    records: Records = [
        {"cell": values[code], "added": float(f"{more:.4g}")}
        for code, more in zip(cells[here].tolist(), added[here].tolist(), strict=True)
    ]
    points = {
        "data": {"values": records},
        "mark": {"type": "circle", "size": 34, "opacity": 0.4, "color": colour},
        "encoding": {"x": x, "y": y},
    }
    spec = {"width": _WIDTH, "height": {"step": row_height(names, 26)}, "layer": [_zero("x", x), points]}
    return spec, names
