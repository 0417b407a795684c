"""Columns at a glance: a small card for each, its values or ranges as bars that are parted by class."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.columns import NO_CLASS, ColumnAndClasses, CountsByValue, cells_of, counts_by_value
from clearwood.draw.escaping import escape_xml
from clearwood.draw.palette import LIGHT, class_colours
from clearwood.reporting.markup import isolated
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import amount, number

_VALUES: Final = 8
_RANGES: Final = 8


def cards(table: Table, names: Iterable[str]) -> str:
    """A card for each column of these that has something to show."""
    html = "".join(_card(table, name) for name in names if has_values(table, name))
    return f'<div class="columns">{html}</div>' if html else ""


def legend(table: Table) -> str:
    """Which colour is which class; nothing where there are no classes."""
    colours = class_colours(table.schema.classes)
    listed = "".join(
        f'<li><span class="swatch" style="--class:{colours[name]}"></span>{isolated(name)}</li>'
        for name in table.schema.classes
    )
    return f'<ul class="legend">{listed}</ul>' if listed else ""


def has_values(table: Table, name: str) -> bool:
    """Is there a cell to show, in a row that has a class?"""
    column = table.columns.get(name)
    if column is None or not isinstance(table.schema[name], Nominal | Ordinal | Numeric):
        return False
    known = column >= 0 if column.dtype == np.int32 else np.isfinite(column)
    if table.schema.classes:
        known = known & (table.target >= 0)
    if table.weights is not None:
        known = known & (table.weights > 0)
    return bool(known.any())


def _card(table: Table, name: str) -> str:
    is_numeric = isinstance(table.schema[name], Numeric)
    counts = _ranges(cells_of(table, name)) if is_numeric else counts_by_value(table, name, _VALUES)
    colours = {NO_CLASS: LIGHT.muted, **class_colours(table.schema.classes)}
    if counts.classes == (NO_CLASS,) and table.schema.classes:
        # The target itself: each bar in the colour of its class.
        place = {label: k for k, label in enumerate(counts.labels)}
        rows = np.zeros((len(counts.labels), len(table.schema.classes)))
        for k, label in enumerate(table.schema.classes):
            if label in place:
                rows[place[label], k] = counts.weights[place[label], 0]
        counts = CountsByValue(counts.labels, table.schema.classes, rows, counts.by)
    sums = counts.weights.sum(axis=1)
    most = float(sums.max())
    lines = "".join(
        f"<li><span>{isolated(label)}</span>{_bar(counts, row, most, colours)}"
        f"<span>{amount(total)}</span></li>"
        for label, row, total in zip(counts.labels, counts.weights.tolist(), sums.tolist(), strict=True)
    )
    return f'<div class="column"><h3>{isolated(name)}</h3><ul>{lines}</ul></div>'


def _bar(counts: CountsByValue, row: list[float], most: float, colours: dict[str, str]) -> str:
    """A bar whose length is its number of rows, divided by class."""
    parts, left = [], 0.0
    for name, weight in zip(counts.classes, row, strict=True):
        if weight > 0:
            width = 100 * weight / most
            title = f"{name}: {amount(weight)}" if name else amount(weight)
            parts.append(
                f'<rect x="{left:.2f}" width="{width:.2f}" height="1" fill="{colours[name]}">'
                f"<title>{escape_xml(title)}</title></rect>"
            )
            left += width
    return f'<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>'


def _ranges(cells: ColumnAndClasses) -> CountsByValue:
    """A numeric column in equal ranges from its least to its greatest number, or each number where few."""
    values = cells.cells.astype(np.float64)
    known = np.isfinite(values)
    distinct = np.unique(values[known])
    if len(distinct) <= _RANGES:
        place = np.searchsorted(distinct, values)
        labels = [number(float(each)) for each in distinct]
    else:
        edges = _edges(float(distinct[0]), float(distinct[-1]))
        place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
        labels = [f"{_short(low)} – {_short(high)}" for low, high in pairwise(edges.tolist())]
    place = np.where(known, place, len(labels))
    weights = cells.weighed(place, len(labels) + 1)
    if weights[-1].sum() > 0:
        labels.append("(missing)")
    return CountsByValue(tuple(labels), cells.classes, weights[: len(labels)], cells.by)


def _short(value: float) -> str:
    """A round number in few letters.

    >>> _short(1_400_000.0), _short(25_000.0), _short(2_500.0)
    ('1.4M', '25k', '2,500')
    """
    if abs(value) >= 1e9:
        return f"{value:.3g}"
    if abs(value) >= 1e6:
        return f"{value / 1e6:.6g}M"
    return f"{value / 1e3:.6g}k" if abs(value) >= 1e4 else amount(value)


def _edges(low: float, high: float) -> Floats:
    """Round numbers, about `_RANGES` + 1 of them, that hold both ends."""
    rough = (high - low) / _RANGES
    size = 10.0 ** np.floor(np.log10(rough))
    step = size * next(each for each in (1.0, 2.0, 2.5, 5.0, 10.0) if each * size >= rough)
    first = np.floor(low / step)
    count = int(np.floor(high / step) - first) + 1
    return np.asarray((first + np.arange(count + 1)) * step)
