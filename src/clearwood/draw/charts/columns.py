"""Columns: how many rows have each class or value, or lie in each interval, and of which class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Bools, Floats, Longs
from clearwood.draw.charts.builders import (
    axis_of_names,
    axis_of_numbers,
    coloured,
    fitting_axis,
    layer,
    layered,
    row_steps,
)
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_range,
    check_table,
    drawn,
    few_of,
    in_sentence,
    keyed,
    names_width,
    with_room,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SchemaError, SettingError
from clearwood.table.attributes import Nominal, Numeric, Ordinal, kind_of
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
        raise SchemaError(
            "Class shares need a table with a target of classes. Name it when reading: ",
            Advice("target"),
            ".",
        )
    codes = table.target
    weights = np.ones(len(table)) if table.weights is None else table.weights
    known = codes >= 0
    counts = np.bincount(codes[known], weights[known], minlength=len(classes)).tolist()
    total = sum(counts)
    if total <= 0:
        raise SchemaError(f"There are no classes to draw: no row has a value of '{target.name}'.")
    records = [
        {"class": name, "weight": weight, "label": f"{weight:,.6g}  ({percent_to(weight / total)})"}
        for name, weight in zip(classes, counts, strict=True)
    ]
    empty = float(weights[~known].sum())
    below = row_count(total) + (f", and {row_count(empty)} without a class" if empty else "")
    shares = few_of(
        [
            f"{in_sentence(name)} {weight:,.6g} ({percent_to(weight / total)})"
            for weight, name in sorted(zip(counts, classes, strict=True), key=lambda each: -each[0])
        ]
    )
    width, scale = with_room(280, counts, [str(record["label"]) for record in records])
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
            raise SettingError(
                f"The column '{column}' is {kind_of(attribute)}; only nominal, ordinal and numeric ones "
                "have a distribution to draw."
            )


def _bars(table: Table, column: str, theme: ThemeName) -> Picture:
    counts = counts_by_value(table, column, _MOST)
    totals = counts.weights.sum(axis=1)
    records = [
        {"value": label, "class": name, "weight": weight, "place": place}
        for label, row in zip(counts.labels, counts.weights.tolist(), strict=True)
        for place, (name, weight) in enumerate(zip(counts.classes, row, strict=True))
        if weight > 0
    ]
    sums = [
        {"value": label, "total": total, "label": f"{total:,.6g}  ({percent_to(total / totals.sum())})"}
        for label, total in zip(counts.labels, totals.tolist(), strict=True)
    ]
    width, scale = with_room(280, totals.tolist(), [str(each["label"]) for each in sums])
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
    ranked = sorted(zip(totals.tolist(), counts.labels, strict=True), key=lambda each: -each[0])
    largest = few_of([f"{in_sentence(label)} {total:,.6g}" for total, label in ranked])
    heading = f"{row_count(float(totals.sum()))}{counts.by}"
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
    edges = nice_edges(known_cells.cells.astype(np.float64), _HISTOGRAM_MOST)
    at = {
        "x": fitting_axis(None, (float(edges[0]), float(edges[-1])), "low", grid=False),
        "x2": "high",
        "y": axis_of_numbers("from", "rows", ticks=4),
        "y2": "to",
        "color": by_class(known_cells.classes),
    }
    bars = layer("rect", at, _stacks(known_cells, edges), stroke=LIGHT.paper, strokeWidth=0.7)
    spread = f"from {number(low)} to {number(high)}, half of them at most {number(_median(known_cells))}"
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
            f"Only a nominal or ordinal column has values to count; '{name}' is {kind_of(attribute)}.{hint}"
        )
    column = cells_of(table, name)
    values, classes = len(attribute.values), len(column.classes)
    place = np.where(column.cells >= 0, column.cells, values).astype(np.int64)
    weights = np.bincount(
        place * classes + column.codes, column.weights, minlength=(values + 1) * classes
    ).reshape(values + 1, classes)
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
