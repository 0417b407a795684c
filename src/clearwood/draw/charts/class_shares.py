"""Class shares: how many rows of each class a table has."""

from __future__ import annotations

import numpy as np

from clearwood.advice import Advice
from clearwood.draw.charts.colouring import by_class
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
from clearwood.errors import SchemaError
from clearwood.table.table import Table
from clearwood.words.numbers import percent_to, row_count


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
    y = {
        "field": "class", "type": "nominal", "sort": None, "title": None, "scale": {"domain": [*classes]},
        "axis": {"ticks": False, "domain": False, **name_axis(classes)},
    }  # fmt: skip
    width, scale = with_room(280, counts, [str(record["label"]) for record in records])
    x = {"field": "weight", "type": "quantitative", "axis": None, "scale": scale}
    colour = by_class(classes, legend=False)
    return drawn(
        {
            "data": {"values": records},
            "width": width,
            "height": {"step": row_height(classes, 30 if len(classes) <= 8 else 22)},
            "encoding": {"y": y, "x": x},
            "layer": [
                {"mark": {"type": "bar", "cornerRadiusEnd": 2}, "encoding": {"color": colour}},
                {
                    "mark": {"type": "text", "align": "left", "dx": 6},
                    "encoding": {"text": {"field": "label"}},
                },
            ],
        },
        title=target.name,
        subtitle=[below],
        alt=f"{in_sentence(target.name)} in {row_count(total)}: {shares}.",
        width=width + names_width(classes),
        theme=theme,
    )
