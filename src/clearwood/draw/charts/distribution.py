"""A column's distribution: how many rows have each value, or lie in each interval, and of which class."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.colouring import by_class
from clearwood.draw.charts.counted import counts_by_value
from clearwood.draw.charts.histogram import histogram
from clearwood.draw.charts.sheet import (
    drawn,
    few_of,
    in_sentence,
    name_axis,
    names_width,
    row_height,
    with_room,
)
from clearwood.draw.charts.taking import check_table
from clearwood.draw.palette import ThemeName
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.table.attributes import Nominal, Numeric, Ordinal, kind_of
from clearwood.table.table import Table
from clearwood.words.numbers import percent_to, row_count

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
    y = {
        "field": "value", "type": "nominal", "sort": None, "title": None,
        "scale": {"domain": [*counts.labels]},
        "axis": {"ticks": False, "domain": False, **name_axis(counts.labels)},
    }  # fmt: skip
    width, scale = with_room(280, totals.tolist(), [str(each["label"]) for each in sums])
    x = {"type": "quantitative", "axis": None, "scale": scale}
    spec = {
        "width": width,
        "height": {"step": row_height(counts.labels, 28 if len(counts.labels) <= 8 else 21)},
        "encoding": {"y": y},
        "layer": [
            {
                "data": {"values": records},
                "mark": {"type": "bar"},
                "encoding": {
                    "x": {**x, "field": "weight", "stack": "zero"},
                    "color": by_class(counts.classes),
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
    ranked = sorted(zip(totals.tolist(), counts.labels, strict=True), key=lambda each: -each[0])
    largest = few_of([f"{in_sentence(label)} {total:,.6g}" for total, label in ranked])
    heading = f"{row_count(float(totals.sum()))}{counts.by}"
    return drawn(
        spec,
        title=column,
        subtitle=[heading],
        alt=f"{in_sentence(column)} in {heading}: {largest}.",
        width=width + names_width(counts.labels),
        theme=theme,
    )
