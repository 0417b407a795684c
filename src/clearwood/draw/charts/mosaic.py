"""A mosaic: a contingency table as tiles, each as large as its part of the rows."""

from typing import Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import choice
from clearwood.draw.charts.builders import axis_of_numbers, coloured, layer, layered
from clearwood.draw.charts.columns import NO_CLASS, CountsByValue, by_class, counts_by_value
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_table,
    drawn,
    fitted_lines,
    in_sentence,
    names_width,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours, ink_on
from clearwood.draw.picture import Picture
from clearwood.errors import SchemaError, SettingError
from clearwood.measures.contingency import expected
from clearwood.table.table import Table
from clearwood.words.numbers import row_count

_WIDTH: Final = 320
_MOST: Final = 14  # values
_LINE: Final = 15.0  # units a line of text takes
_GAP: Final = 2.0
_LEAST: Final = 0.012  # part of the rows whose band is high enough to be seen
_DEPTH: Final = "pale: more than 2 standard residuals away; deep: more than 4"
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
    counts = counts_by_value(table, column, _MOST, _LEAST)
    if target is None or counts.classes == (NO_CLASS,):
        raise SchemaError("A mosaic sets a column against classes: read the table with a target of classes.")
    tiles, bands, height = _tiles(counts)
    total = float(counts.weights.sum())
    colouring = _by_class(counts.classes) if shade == "class" else _by_residual()
    below = []
    if shade == "residual":
        below = [f"from the left: {', '.join(map(in_sentence, counts.classes))}", _DEPTH]
    by_band = [
        f"{in_sentence(label)} {sum(row):,.6g} "
        f"({', '.join(f'{in_sentence(c)} {w:,.6g}' for c, w in zip(counts.classes, row, strict=True))})"
        for label, row in zip(counts.labels, counts.weights.tolist(), strict=True)
    ]
    title = f"{in_sentence(target.name)} by {in_sentence(column)}"
    alt = f"{title} in {row_count(total)}: {', '.join(by_band)}."
    width = _WIDTH + names_width(counts.labels, 150)
    return drawn(_spec(tiles, bands, height, colouring), title, [row_count(total), *below], alt, theme, width)


def _tiles(counts: CountsByValue) -> tuple[Records, Records, float]:
    """Tiles and the bands' names with their places, from the top; and the height of it all."""
    totals = counts.weights.sum(axis=1)
    lines = [fitted_lines(label, 150) for label in counts.labels]
    height = max(240.0, 1.6 * _LINE * sum(map(len, lines)))
    free = height - _GAP * (len(totals) - 1)
    residuals = _residuals(counts.weights)
    tiles: Records = []
    bands: Records = []
    top = 0.0
    for v, (total, row) in enumerate(zip(totals.tolist(), counts.weights.tolist(), strict=True)):
        tall = free * total / float(totals.sum())
        left = 0.0
        for c, weight in enumerate(row):
            wide = _WIDTH * weight / total
            if weight > 0:
                count = f"{weight:,.6g}"
                tiles.append(
                    {
                        "value": counts.labels[v], "class": counts.classes[c], "weight": weight,
                        "left": left + (0.6 if left else 0), "right": left + wide,
                        "top": top, "bottom": top + tall,
                        "residual": float(residuals[v, c]), "sign": _sign(float(residuals[v, c])),
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


def _residuals(weights: Floats) -> Floats:
    """[value, class] Pearson's."""
    expected_counts = expected(weights)
    return np.asarray(
        (weights - expected_counts) / np.sqrt(np.where(expected_counts > 0, expected_counts, 1.0))
    )


def _sign(residual: float) -> str:
    more, same, fewer = _SIGNS
    return more if residual >= 2 else fewer if residual <= -2 else same


def _by_class(classes: tuple[str, ...]) -> Spec:
    inks = [ink_on(colour) for colour in class_colours(classes).values()]
    return {"tile": {"color": by_class(classes)}, "ink": coloured("class", classes, inks, None)}


def _by_residual() -> Spec:
    deep = [
        {"test": "abs(datum.residual) < 2", "value": 1.0},
        {"test": "abs(datum.residual) >= 4", "value": 0.55},
    ]
    legend = {"title": None, "symbolStrokeWidth": 0}
    colour = coloured("sign", _SIGNS, _SIGNS.values(), legend, sort=None)
    depth = {"condition": deep, "value": 0.25}
    return {"tile": {"color": colour, "fillOpacity": depth}, "ink": {"value": LIGHT.ink}}


def _spec(tiles: Records, bands: Records, height: float, colouring: Spec) -> Spec:
    down = axis_of_numbers(axis=None, domain=(0, height), reverse=True)
    across = axis_of_numbers(axis=None, domain=(0, _WIDTH), nice=False)
    texts = [{**tile, "x": (tile["left"] + tile["right"]) / 2, "y": (tile["top"] + tile["bottom"]) / 2}
             for tile in tiles if tile["count"]]  # fmt: skip
    leaders = [{**band, "from": -4, "to": -9} for band in bands]
    tile = {"x": (across, "left"), "x2": "right", "y": (down, "top"), "y2": "bottom", **colouring["tile"]}
    count = {"x": (across, "x"), "y": (down, "y"), "text": "count", "color": colouring["ink"]}
    leader = {"x": (across, "from"), "x2": "to", "y": (down, "middle"), "y2": "at"}
    name = {"x": -12, "y": (down, "first"), "text": "value"}
    layers = [
        layer("rect", tile, tiles),
        layer("text", count, texts),
        layer("rule", leader, leaders, color=LIGHT.line, clip=False),
        layer("text", name, bands, align="right", baseline="middle", lineHeight=_LINE),
    ]
    return layered(layers, _WIDTH, height, resolve={"scale": {"color": "independent"}})
