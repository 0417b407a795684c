"""Columns: how many rows have each class or value, or lie in each interval, and of which class; mosaics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.bounds import choice
from clearwood.draw.charts.builders import (
    axis_of_names,
    axis_of_numbers,
    coloured,
    fitting_axis,
    layer,
    layered,
    records_of,
    row_steps,
)
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_range,
    check_table,
    drawn,
    few_of,
    fitted_lines,
    in_sentence,
    keyed,
    names_width,
    with_room,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours, ink_on
from clearwood.draw.picture import Picture
from clearwood.errors import Advice, SchemaError, SettingError
from clearwood.measures.contingency import expected
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Column, Table
from clearwood.words.numbers import number, percent_to, row_count


def class_shares(table: Table, *, theme: ThemeName = "auto") -> Picture:
    """A bar for each class, in the classes' order.

    >>> import clearwood as cw
    >>> class_shares(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")).alt
    'PlayTennis in 14 rows: Yes 9 (64.3 %), No 5 (35.7 %).'
    """
    check_table("class_shares", table)
    target, classes = table.schema.target, table.schema.classes
    if target is None or not classes:
        needs = "Class shares need a table with a target of classes. Name it when reading: "
        raise SchemaError(needs, Advice("target"), ".")
    codes = table.target
    weights = np.ones(len(table)) if table.weights is None else table.weights
    known = codes >= 0
    counts = np.bincount(codes[known], weights[known], minlength=len(classes)).tolist()
    total = sum(counts)
    if total <= 0:
        raise SchemaError(f"There are no classes to draw: no row has a value of '{target.name}'.")
    labels = [f"{weight:,.6g}  ({percent_to(weight / total)})" for weight in counts]
    records = records_of(**{"class": classes, "weight": counts, "label": labels})
    empty = float(weights[~known].sum())
    below = row_count(total) + (f", and {row_count(empty)} without a class" if empty else "")
    ranked = sorted(zip(counts, classes, strict=True), key=lambda each: -each[0])
    shares = few_of(
        [f"{in_sentence(name)} {weight:,.6g} ({percent_to(weight / total)})" for weight, name in ranked]
    )
    width, scale = with_room(280, counts, labels)
    sides = {"y": axis_of_names("class", classes), "x": axis_of_numbers("weight", axis=None, **scale)}
    layers = [
        layer("bar", {"color": by_class(classes, legend=False)}, cornerRadiusEnd=2),
        layer("text", {"text": "label"}, align="left", dx=6),
    ]
    height = row_steps(classes, 30 if len(classes) <= 8 else 22)
    alt = f"{in_sentence(target.name)} in {row_count(total)}: {shares}."
    wide = width + names_width(classes)
    spec = layered(layers, width, height, records, encoding=sides)
    return drawn(spec, target.name, [below], alt, theme, wide)


# A column's distribution: how many rows have each value, or lie in each interval, and of which class.


_MOST: Final = 20  # values


def distribution(table: Table, column: str, *, theme: ThemeName = "auto") -> Picture:
    """Bars of a nominal or ordinal column, a histogram of a numeric one; coloured by class if there are some.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> distribution(table, "Outlook").alt
    'Outlook in 14 rows by PlayTennis: Rainy 5, Sunny 5, Overcast 4.'
    """
    check_table("distribution", table)
    attribute = table.schema[column]
    match attribute:
        case Nominal() | Ordinal():
            return _bars(table, column, theme)
        case Numeric():
            return histogram(table, column, theme)
        case _:
            only = "only nominal, ordinal and numeric ones have a distribution to draw"
            raise SettingError(f"The column '{column}' is {attribute.kind}; {only}.")


def _bars(table: Table, column: str, theme: ThemeName) -> Picture:
    counts = counts_by_value(table, column, _MOST)
    totals = counts.weights.sum(axis=1).tolist()
    total = float(counts.weights.sum(axis=1).sum())
    records = [
        {"value": label, "class": name, "weight": weight, "place": place}
        for label, row in zip(counts.labels, counts.weights.tolist(), strict=True)
        for place, (name, weight) in enumerate(zip(counts.classes, row, strict=True))
        if weight > 0
    ]
    texts = [f"{each:,.6g}  ({percent_to(each / total)})" for each in totals]
    sums = records_of(value=counts.labels, total=totals, label=texts)
    width, scale = with_room(280, totals, texts)
    x = axis_of_numbers(axis=None, **scale)
    stacked = {
        "x": {**x, "field": "weight", "stack": "zero"},
        "color": by_class(counts.classes),
        "order": {"field": "place", "type": "quantitative"},
    }
    layers = [
        layer("bar", stacked, records),
        layer("text", {"x": (x, "total"), "text": "label"}, sums, align="left", dx=6),
    ]
    height = row_steps(counts.labels, 28 if len(counts.labels) <= 8 else 21)
    spec = layered(layers, width, height, encoding={"y": axis_of_names("value", counts.labels)})
    ranked = sorted(zip(totals, counts.labels, strict=True), key=lambda each: -each[0])
    largest = few_of([f"{in_sentence(label)} {each:,.6g}" for each, label in ranked])
    heading = f"{row_count(total)}{counts.by}"
    alt = f"{in_sentence(column)} in {heading}: {largest}."
    wide = width + names_width(counts.labels)
    return drawn(spec, column, [heading], alt, theme, wide)


# A histogram: how many rows lie in each interval of a numeric column, and of which class.


_HISTOGRAM_MOST: Final = 30  # bars


def histogram(table: Table, column: str, theme: ThemeName) -> Picture:
    """Bars between round numbers, divided by class."""
    everything = cells_of(table, column)
    known = ~np.isnan(everything.cells)
    if not known.any():
        raise SettingError(f"There is nothing to draw: every cell of '{column}' is empty.")
    known_cells = everything.take(known)
    low, high = float(known_cells.cells.min()), float(known_cells.cells.max())
    check_range(column, low, high)
    # The median by weight.
    order = np.argsort(known_cells.cells, kind="stable")
    reached = np.cumsum(known_cells.weights[order])
    median = float(known_cells.cells[order][np.searchsorted(reached, reached[-1] / 2)])
    edges = nice_edges(known_cells.cells.astype(np.float64), _HISTOGRAM_MOST)
    at = {
        "x": fitting_axis(None, (float(edges[0]), float(edges[-1])), "low", grid=False),
        "x2": "high",
        "y": axis_of_numbers("from", "rows", ticks=4),
        "y2": "to",
        "color": by_class(known_cells.classes),
    }
    bars = layer("rect", at, _stacks(known_cells, edges), stroke=LIGHT.paper, strokeWidth=0.7)
    spread = f"from {number(low)} to {number(high)}, half of them at most {number(median)}"
    missing = float(everything.weights[~known].sum())
    if missing:
        spread += f"; {row_count(missing)} missing"
    heading = f"{row_count(float(known_cells.weights.sum()))}{known_cells.by}"
    alt = f"{in_sentence(column)} in {heading}: {spread}."
    return drawn({**bars, "width": 360, "height": 180}, column, [heading, spread], alt, theme)


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
    bars = len(edges) - 1
    place = np.clip(np.searchsorted(edges, cells.cells, side="right") - 1, 0, bars - 1)
    records: Records = []
    for bar, row in enumerate(cells.weighed(place, bars).tolist()):
        top = 0.0
        for name, weight in zip(cells.classes, row, strict=True):
            if weight > 0:
                ends = {"low": float(edges[bar]), "high": float(edges[bar + 1])}
                records.append({**ends, "class": name, "weight": weight, "from": top, "to": top + weight})
            top += weight
    return records


# Counted: how much of each class there is at each value of a column, with empty cells as one more value.


NO_CLASS: Final = ""  # the one class of a table without classes


@dataclass(frozen=True, slots=True, eq=False)
class CountsByValue:
    """Row weights [value, class] by value and class."""

    labels: tuple[str, ...]
    classes: tuple[str, ...]
    weights: Floats
    by: str


@dataclass(frozen=True, slots=True, eq=False)
class ColumnAndClasses:
    """A column's cells beside the class of each row, without the rows that have no weight or no class."""

    cells: Column
    classes: tuple[str, ...]
    codes: Longs
    weights: Floats
    by: str  # " by" whose classes they are, for a heading

    def take(self, rows: Bools) -> ColumnAndClasses:
        """Those of these rows."""
        return replace(self, cells=self.cells[rows], codes=self.codes[rows], weights=self.weights[rows])

    def weighed(self, place: Longs, places: int) -> Floats:
        """The weights [place, class] of rows that stand at these places."""
        classes = len(self.classes)
        counts = np.bincount(place * classes + self.codes, self.weights, minlength=places * classes)
        return counts.astype(np.float64).reshape(places, classes)


def cells_of(table: Table, name: str) -> ColumnAndClasses:
    """The column and the classes; all rows are of one where the target is a number or there is none."""
    cells = table.columns[table.schema[name].name]
    weights = np.ones(len(table)) if table.weights is None else table.weights
    target, classes = table.schema.target, table.schema.classes
    if target is not None and classes and name != target.name:
        codes, by = table.target.astype(np.int64), f" by {in_sentence(target.name)}"
    else:
        classes, codes, by = (NO_CLASS,), np.zeros(len(table), dtype=np.int64), ""
    kept = (codes >= 0) & (weights > 0)
    if not kept.any():
        raise SchemaError(f"There are no rows of '{name}' to draw: none has a weight and a class.")
    return ColumnAndClasses(cells[kept], classes, codes[kept], weights[kept], by)


def counts_by_value(table: Table, name: str, most: int, least: float = 0.0) -> CountsByValue:
    """A nominal or ordinal column's values that occur, in their order, the rarest together as others.

    Those are all beyond `most`, and those of less than this part of the rows, if there are several.
    """
    attribute = table.schema[name]
    if not isinstance(attribute, Nominal | Ordinal):
        hint = " charts.distribution draws it." if isinstance(attribute, Numeric) else ""
        raise SettingError(
            f"Only a nominal or ordinal column has values to count; '{name}' is {attribute.kind}.{hint}"
        )
    column = cells_of(table, name)
    values = len(attribute.values)
    place = np.where(column.cells >= 0, column.cells, values).astype(np.int64)
    weights = column.weighed(place, values + 1)
    known, missing = weights[:-1], weights[-1:]
    occur = np.flatnonzero(known.sum(axis=1) > 0)
    sums = known[occur].sum(axis=1)
    ranked = occur[np.argsort(-sums, kind="stable")]
    frequent = int((sums >= least * weights.sum()).sum())
    many = frequent if frequent < len(ranked) - 1 else len(ranked)
    shown = np.sort(ranked[: many if many <= most else most - 1])
    rest = np.setdiff1d(ranked, shown)
    rows, labels = [known[shown]], [attribute.values[code] for code in shown]
    if len(rest):
        rows.append(known[rest].sum(axis=0, keepdims=True))
        labels.append(f"({len(rest)} other values)")
    if missing.sum() > 0:
        rows.append(missing)
        labels.append("(missing)")
    return CountsByValue(tuple(labels), column.classes, np.concatenate(rows), column.by)


# Classes in their colours: the channel by which every chart shows them.


def by_class(classes: Sequence[str], *, legend: bool = True) -> Spec:
    """Marks whose field "class" names their class; all alike where there are no classes.

    >>> by_class(("No", "Yes"))["scale"]
    {'domain': ['No', 'Yes'], 'range': ['#0072b2', '#e69f00']}
    """
    if tuple(classes) == (NO_CLASS,):
        return {"value": LIGHT.muted}
    shown = {"title": None, **keyed(classes)} if legend else None
    return coloured("class", classes, class_colours(classes).values(), shown, sort=None)


# A mosaic: a contingency table as tiles, each as large as its part of the rows.


_MOSAIC_WIDTH: Final = 320
_MOSAIC_MOST: Final = 14  # values
_LINE: Final = 15.0  # units a line of text takes
_GAP: Final = 2.0
_LEAST: Final = 0.012  # part of the rows whose band is high enough to be seen
_DEPTH: Final = "pale: more than 2 standard residuals away; deep: more than 4"
_DEEP: Final = {
    "condition": [
        {"test": "abs(datum.residual) < 2", "value": 1.0},
        {"test": "abs(datum.residual) >= 4", "value": 0.55},
    ],
    "value": 0.25,
}
_SIGNS: Final = {
    "more than expected": LIGHT.good,
    "about as expected": LIGHT.panel,
    "fewer than expected": LIGHT.bad,
}


def mosaic(
    table: Table, column: str, *, shade: Literal["class", "residual"] = "class", theme: ThemeName = "auto"
) -> Picture:
    """A band for each value, as high as its share of the rows, divided by class: the tiles' areas are counts.

    `shade` "residual" colours a tile by how far its count lies from what it would be were column and class
    independent: (count − expected) ÷ √expected beyond 2, and beyond 4.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> mosaic(table, "Outlook").alt
    'PlayTennis by Outlook in 14 rows: Overcast 4 (No 0, Yes 4), Rainy 5 (No 2, Yes 3), \
Sunny 5 (No 3, Yes 2).'
    """
    check_table("mosaic", table)
    choice("shade", shade, ("class", "residual"))
    target = table.schema.target
    if target is not None and column == target.name:
        raise SettingError(f"'{column}' is the target itself: charts.class_shares draws it.")
    counts = counts_by_value(table, column, _MOSAIC_MOST, _LEAST)
    if target is None or counts.classes == (NO_CLASS,):
        raise SchemaError("A mosaic sets a column against classes: read the table with a target of classes.")
    tiles, bands, height = _tiles(counts)
    total = float(counts.weights.sum())
    below = [row_count(total)]
    if shade == "class":
        colouring: Spec = {"color": by_class(counts.classes)}
        inks = map(ink_on, class_colours(counts.classes).values())
        ink = coloured("class", counts.classes, inks, None)
    else:
        legend = {"title": None, "symbolStrokeWidth": 0}
        colouring = {
            "color": coloured("sign", _SIGNS, _SIGNS.values(), legend, sort=None),
            "fillOpacity": _DEEP,
        }
        ink = {"value": LIGHT.ink}
        below += [f"from the left: {', '.join(map(in_sentence, counts.classes))}", _DEPTH]
    by_band = [
        f"{in_sentence(label)} {sum(row):,.6g} "
        f"({', '.join(f'{in_sentence(c)} {w:,.6g}' for c, w in zip(counts.classes, row, strict=True))})"
        for label, row in zip(counts.labels, counts.weights.tolist(), strict=True)
    ]
    title = f"{in_sentence(target.name)} by {in_sentence(column)}"
    alt = f"{title} in {row_count(total)}: {', '.join(by_band)}."
    width = _MOSAIC_WIDTH + names_width(counts.labels, 150)
    return drawn(_mosaic_spec(tiles, bands, height, colouring, ink), title, below, alt, theme, width)


def _tiles(counts: CountsByValue) -> tuple[Records, Records, float]:
    """Tiles and the bands' names with their places, from the top; and the height of it all."""
    totals = counts.weights.sum(axis=1)
    lines = [fitted_lines(label, 150) for label in counts.labels]
    height = max(240.0, 1.6 * _LINE * sum(map(len, lines)))
    free = height - _GAP * (len(totals) - 1)
    independent = expected(counts.weights)
    # Pearson's, [value, class].
    residuals = (counts.weights - independent) / np.sqrt(np.where(independent > 0, independent, 1.0))
    more, same, fewer = _SIGNS
    tiles: Records = []
    bands: Records = []
    top = 0.0
    for v, (total, row) in enumerate(zip(totals.tolist(), counts.weights.tolist(), strict=True)):
        tall = free * total / float(totals.sum())
        left = 0.0
        for c, weight in enumerate(row):
            wide, residual, count = _MOSAIC_WIDTH * weight / total, float(residuals[v, c]), f"{weight:,.6g}"
            if weight > 0:
                tiles.append(
                    {
                        "value": counts.labels[v], "class": counts.classes[c], "weight": weight,
                        "left": left + (0.6 if left else 0), "right": left + wide,
                        "top": top, "bottom": top + tall, "residual": residual,
                        "sign": more if residual >= 2 else fewer if residual <= -2 else same,
                        "count": count if wide > 8 * len(count) + 4 and tall >= 13 else "",
                    }
                )  # fmt: skip
            left += wide
        bands.append({"value": lines[v], "middle": top + tall / 2, "at": top + tall / 2})
        top += tall + _GAP
    _spread(bands, height)
    return tiles, bands, height


def _spread(bands: Records, height: float) -> None:
    """Move the names of low bands apart, so that none covers another."""
    needs = [_LINE * len(band["value"]) for band in bands]
    for i in range(1, len(bands)):
        bands[i]["at"] = max(bands[i]["at"], bands[i - 1]["at"] + (needs[i - 1] + needs[i]) / 2)
    bands[-1]["at"] = min(bands[-1]["at"], height - needs[-1] / 2 + 4)
    for i in range(len(bands) - 2, -1, -1):
        bands[i]["at"] = min(bands[i]["at"], bands[i + 1]["at"] - (needs[i] + needs[i + 1]) / 2)
    for band, need in zip(bands, needs, strict=True):
        band["first"] = band["at"] - (need - _LINE) / 2  # where the first of its lines stands


def _mosaic_spec(tiles: Records, bands: Records, height: float, colouring: Spec, ink: Spec) -> Spec:
    down = axis_of_numbers(axis=None, domain=(0, height), reverse=True)
    across = axis_of_numbers(axis=None, domain=(0, _MOSAIC_WIDTH), nice=False)
    texts = [{**tile, "x": (tile["left"] + tile["right"]) / 2, "y": (tile["top"] + tile["bottom"]) / 2}
             for tile in tiles if tile["count"]]  # fmt: skip
    leaders = [{**band, "from": -4, "to": -9} for band in bands]
    tile = {"x": (across, "left"), "x2": "right", "y": (down, "top"), "y2": "bottom", **colouring}
    count = {"x": (across, "x"), "y": (down, "y"), "text": "count", "color": ink}
    leader = {"x": (across, "from"), "x2": "to", "y": (down, "middle"), "y2": "at"}
    name = {"x": -12, "y": (down, "first"), "text": "value"}
    layers = [
        layer("rect", tile, tiles),
        layer("text", count, texts),
        layer("rule", leader, leaders, color=LIGHT.line, clip=False),
        layer("text", name, bands, align="right", baseline="middle", lineHeight=_LINE),
    ]
    return layered(layers, _MOSAIC_WIDTH, height, resolve={"scale": {"color": "independent"}})
