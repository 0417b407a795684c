"""A column's distribution: how many rows have each value, or lie in each interval, and of which class."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.draw.charts.counted import NO_CLASS, Cells, cells_of, counted
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_range,
    drawn,
    few_of,
    keyed,
    named,
    percent,
    row_count,
    row_height,
    said,
    width_of,
    with_room,
)
from clearwood.draw.charts.taking import check_table
from clearwood.draw.palette import LIGHT, class_colours
from clearwood.draw.picture import Picture
from clearwood.draw.theming import ThemeName
from clearwood.errors import SettingError
from clearwood.measures.counts import Floats
from clearwood.models.conditions import number
from clearwood.table.attributes import Nominal, Numeric, Ordinal, kind_of
from clearwood.table.table import Table

_MOST_VALUES: Final = 20
_MOST_BARS: Final = 30  # of a histogram


def distribution(table: Table, column: str, *, theme: ThemeName = "auto") -> Picture:
    """Bars of a nominal or ordinal column, a histogram of a numeric one; coloured by class if there are some.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> distribution(table, "Outlook").alt
    'Outlook in 14 rows by PlayTennis: Sunny 5, Rainy 5, Overcast 4.'
    """
    check_table("distribution", table)
    attribute = table.schema[column]
    match attribute:
        case Nominal() | Ordinal():
            return _bars(table, column, theme)
        case Numeric():
            return _histogram(table, column, theme)
        case _:
            raise SettingError(
                f"The column '{column}' is {kind_of(attribute)}; only nominal, ordinal and numeric ones "
                "have a distribution to draw."
            )


def _bars(table: Table, column: str, theme: ThemeName) -> Picture:
    found = counted(table, column, _MOST_VALUES)
    totals = found.weights.sum(axis=1)
    records = [
        {"value": label, "class": name, "weight": weight, "place": place}
        for label, row in zip(found.labels, found.weights.tolist(), strict=True)
        for place, (name, weight) in enumerate(zip(found.classes, row, strict=True))
        if weight > 0
    ]
    sums = [
        {"value": label, "total": total, "label": f"{total:,.6g}  ({percent(total / totals.sum())})"}
        for label, total in zip(found.labels, totals.tolist(), strict=True)
    ]
    y = {
        "field": "value", "type": "nominal", "sort": None, "title": None,
        "scale": {"domain": [*found.labels]},
        "axis": {"ticks": False, "domain": False, **named(found.labels)},
    }  # fmt: skip
    width, scale = with_room(280, totals.tolist(), [str(each["label"]) for each in sums])
    x = {"type": "quantitative", "axis": None, "scale": scale}
    spec = {
        "width": width,
        "height": {"step": row_height(found.labels, 28 if len(found.labels) <= 8 else 21)},
        "encoding": {"y": y},
        "layer": [
            {
                "data": {"values": records},
                "mark": {"type": "bar"},
                "encoding": {
                    "x": {**x, "field": "weight", "stack": "zero"},
                    **_by_class(found.classes),
                    "order": {"field": "place", "type": "quantitative"},
                },
            },
            {
                "data": {"values": sums},
                "mark": {"type": "text", "align": "left", "dx": 6},
                "encoding": {"x": {**x, "field": "total"}, "text": {"field": "label"}},
            },
        ],
    }
    ranked = sorted(zip(totals.tolist(), found.labels, strict=True), key=lambda each: -each[0])
    told = few_of([f"{said(label)} {total:,.6g}" for total, label in ranked])
    return drawn(
        spec,
        title=column,
        subtitle=[_below(table, column, float(totals.sum()))],
        alt=f"{_told(table, column, float(totals.sum()))}: {told}.",
        width=width + width_of(found.labels),
        theme=theme,
    )


def _histogram(table: Table, column: str, theme: ThemeName) -> Picture:
    found = cells_of(table, column)
    known = np.isfinite(found.cells)
    if not known.any():
        raise SettingError(f"There is nothing to draw: every cell of '{column}' is empty.")
    values = found.cells[known].astype(np.float64)
    low, high = float(values.min()), float(values.max())
    check_range(column, low, high)
    edges = nice_edges(values, _MOST_BARS)
    records = _stacks(found, values, known, edges)
    middle = _median(values, found.weights[known])
    missing = float(found.weights[~known].sum())
    total = float(found.weights[known].sum())
    x = {
        "field": "low", "type": "quantitative", "title": None,
        "scale": {"domain": [edges[0], edges[-1]], "nice": False},
        "axis": {"grid": False, "tickCount": 6},
    }  # fmt: skip
    y = {"field": "from", "type": "quantitative", "title": "rows", "axis": {"tickCount": 4}}
    spec = {
        "data": {"values": records},
        "width": 360,
        "height": 180,
        "mark": {"type": "rect", "stroke": LIGHT.paper, "strokeWidth": 0.7},
        "encoding": {
            "x": x, "x2": {"field": "high"}, "y": y, "y2": {"field": "to"}, **_by_class(found.classes),
        },
    }  # fmt: skip
    told = f"from {number(low)} to {number(high)}, half of them at most {number(middle)}"
    if missing:
        told += f"; {row_count(missing)} missing"
    return drawn(
        spec,
        title=column,
        subtitle=[_below(table, column, total), told],
        alt=f"{_told(table, column, total)}: {told}.",
        theme=theme,
    )


def _stacks(found: Cells, values: Floats, known: np.ndarray[tuple[int], np.dtype[np.bool_]],
            edges: Floats) -> Records:  # fmt: skip
    bars, classes = len(edges) - 1, len(found.classes)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bars - 1)
    weights = np.bincount(
        place * classes + found.codes[known], found.weights[known], minlength=bars * classes
    ).reshape(bars, classes)
    tops = weights.cumsum(axis=1)
    return [
        {"low": edges[bar], "high": edges[bar + 1], "class": name, "weight": weights[bar, c],
         "from": tops[bar, c] - weights[bar, c], "to": tops[bar, c]}
        for bar in range(bars)
        for c, name in enumerate(found.classes)
        if weights[bar, c] > 0
    ]  # fmt: skip


def nice_edges(values: Floats, most: int) -> Floats:
    """Edges at round numbers around all the values, fewer for fewer rows; one interval for one value.

    >>> nice_edges(np.array([64.0, 65, 68, 69, 70, 71, 72, 75, 80, 81, 83, 85]), 30).tolist()
    [60.0, 65.0, 70.0, 75.0, 80.0, 85.0, 90.0]
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        half = abs(low) / 20 or 0.5
        return np.array([low - half, low + half])
    wanted = max(4, min(most, math.ceil(math.sqrt(len(values)) * 1.5)))
    rough = high / wanted - low / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    # Whole numbers in intervals of 2.5 would fall by twos and threes: a comb where there is none.
    steps = [power * m for m in (1, 2, 5, 10)]
    if bool((values == np.floor(values)).all()):
        steps = [max(1.0, step) for step in steps]
    step = min(steps, key=lambda each: abs(math.log(each / rough)))
    first = math.floor(low / step)
    edges = step * np.arange(first, math.floor(high / step) + 2)
    return np.asarray(edges, dtype=np.float64)


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])


def _by_class(classes: tuple[str, ...]) -> Spec:
    if classes == (NO_CLASS,):
        return {"color": {"value": LIGHT.muted}}
    colours = class_colours(classes)
    return {
        "color": {
            "field": "class", "type": "nominal", "sort": None, "legend": {"title": None, **keyed(classes)},
            "scale": {"domain": [*classes], "range": [colours[name] for name in classes]},
        }
    }  # fmt: skip


def _is_by_class(table: Table, column: str) -> bool:
    target = table.schema.target
    return target is not None and bool(table.schema.classes) and target.name != column


def _below(table: Table, column: str, total: float) -> str:
    by = f" by {said(table.schema.target.name)}" if _is_by_class(table, column) else ""  # type: ignore[union-attr]
    return f"{row_count(total)}{by}"


def _told(table: Table, column: str, total: float) -> str:
    by = f" by {said(table.schema.target.name)}" if _is_by_class(table, column) else ""  # type: ignore[union-attr]
    return f"{said(column)} in {row_count(total)}{by}"
