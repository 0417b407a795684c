"""A histogram: how many rows lie in each interval of a numeric column, and of which class."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.colouring import by_class
from clearwood.draw.charts.counted import ColumnAndClasses, cells_of
from clearwood.draw.charts.sheet import Records, check_range, drawn, in_sentence
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.table.table import Table
from clearwood.words.numbers import number, row_count

_MOST: Final = 30  # bars


def histogram(table: Table, column: str, theme: ThemeName) -> Picture:
    """Bars between round numbers, divided by class."""
    everything = cells_of(table, column)
    known = ~np.isnan(everything.cells)
    if not known.any():
        raise SettingError(f"There is nothing to draw: every cell of '{column}' is empty.")
    known_cells = everything.take(known)
    low, high = float(known_cells.cells.min()), float(known_cells.cells.max())
    check_range(column, low, high)
    edges = nice_edges(known_cells.cells.astype(np.float64), _MOST)
    x = {
        "field": "low", "type": "quantitative", "title": None,
        "scale": {"domain": [float(edges[0]), float(edges[-1])], "nice": False},
        "axis": {"grid": False, "tickCount": 6},
    }  # fmt: skip
    y = {"field": "from", "type": "quantitative", "title": "rows", "axis": {"tickCount": 4}}
    spread = f"from {number(low)} to {number(high)}, half of them at most {number(_median(known_cells))}"
    missing = float(everything.weights[~known].sum())
    if missing:
        spread += f"; {row_count(missing)} missing"
    heading = f"{row_count(float(known_cells.weights.sum()))}{known_cells.by}"
    return drawn(
        {
            "data": {"values": _stacks(known_cells, edges)},
            "width": 360,
            "height": 180,
            "mark": {"type": "rect", "stroke": LIGHT.paper, "strokeWidth": 0.7},
            "encoding": {
                "x": x,
                "x2": {"field": "high"},
                "y": y,
                "y2": {"field": "to"},
                "color": by_class(known_cells.classes),
            },
        },
        title=column,
        subtitle=[heading, spread],
        alt=f"{in_sentence(column)} in {heading}: {spread}.",
        theme=theme,
    )


def nice_edges(values: Floats, most: int) -> Floats:
    """Edges at round numbers around all the values, fewer for fewer rows; one interval for one value.

    >>> nice_edges(np.array([64.0, 65, 68, 69, 70, 71, 72, 75, 80, 81, 83, 85]), 30).tolist()
    [60.0, 65.0, 70.0, 75.0, 80.0, 85.0, 90.0]
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        half = abs(low) / 20 or 0.5
        return np.array([low - half, low + half])
    bins = max(4, min(most, math.ceil(math.sqrt(len(values)) * 1.5)))
    rough = high / bins - low / bins
    power = 10.0 ** math.floor(math.log10(rough))
    # Whole numbers in intervals of 2.5 would fall by twos and threes, and look like a comb.
    steps = [power * m for m in (1, 2, 5, 10)]
    if bool((values == np.floor(values)).all()):
        steps = [max(1.0, step) for step in steps]
    step = min(steps, key=lambda each: abs(math.log(each / rough)))
    edges = step * np.arange(math.floor(low / step), math.floor(high / step) + 2)
    return np.asarray(edges, dtype=np.float64)


def _stacks(cells: ColumnAndClasses, edges: Floats) -> Records:
    bars, classes = len(edges) - 1, len(cells.classes)
    place = np.clip(np.searchsorted(edges, cells.cells, side="right") - 1, 0, bars - 1)
    weights = np.bincount(place * classes + cells.codes, cells.weights, minlength=bars * classes)
    records: Records = []
    for bar, row in enumerate(weights.reshape(bars, classes).tolist()):
        top = 0.0
        for name, weight in zip(cells.classes, row, strict=True):
            if weight > 0:
                ends = {"low": float(edges[bar]), "high": float(edges[bar + 1])}
                records.append({**ends, "class": name, "weight": weight, "from": top, "to": top + weight})
            top += weight
    return records


def _median(column: ColumnAndClasses) -> float:
    order = np.argsort(column.cells, kind="stable")
    reached = np.cumsum(column.weights[order])
    return float(column.cells[order][np.searchsorted(reached, reached[-1] / 2)])
