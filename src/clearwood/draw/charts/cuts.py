"""The cuts of a numeric column: what each would gain, above the rows it would separate."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.draw.charts.colouring import by_class
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
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.explain.cut_curve import CutCurve
from clearwood.measures import IMPURITIES
from clearwood.words.numbers import number, row_count

_WIDTH: Final = 420
_MOST: Final = 500  # points of the curve; the highest of each stretch stays
_POINTS_UP_TO: Final = 60


def cuts(curve: CutCurve, *, theme: ThemeName = "auto") -> Picture:
    """The gain at each candidate cut with the chosen one marked; below it a tick for each row, by class.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts(cw.cut_curve(table, "Humidity")).alt
    'Gain in bits at 7 cuts of Humidity in 14 rows: the largest is 0.1022 at 82.5, which is chosen.'
    """
    check_drawable("cuts", curve, CutCurve)
    title = f"Where to cut {in_sentence(curve.name)}"
    total = row_count(float(curve.weights.sum()))
    below = [f"{total}{' where ' + ', '.join(map(in_sentence, curve.where)) if curve.where else ''}"]
    if curve.missing:
        below.append(f"{row_count(curve.missing)} more without a value")
    if curve.best is None:
        below.append(f"all have the value {number(float(curve.values[0]))}: there is nothing to cut")
        alt = f"{in_sentence(curve.name)} in {total}: {below[-1]}."
    else:
        largest = f"{curve.gains[curve.best]:.4f} at {number(float(curve.limits[curve.best]))}"
        words = IMPURITIES[curve.measure].gain_in_text(curve.measure)
        alt = f"{words[0].upper()}{words[1:]} at {_cuts(len(curve.limits))} of {in_sentence(curve.name)} in "
        alt += f"{total}: the largest is {largest}, which is chosen."
        if curve.cut is not None and curve.cut != curve.best and curve.chosen is not None:
            other = f"{number(curve.chosen)} ({curve.gains[curve.cut]:.4f})"
            alt = alt.replace("which is chosen.", f"but the tree cuts at {other}.")
        elif curve.cut is None and curve.chosen is not None:
            # The tree was learned from other rows than these.
            alt = alt.replace(
                "which is chosen.", f"but the tree cuts at {number(curve.chosen)}, beyond them all."
            )
    ends = [*curve.values.tolist(), *([] if curve.chosen is None else [curve.chosen])]
    low, high = min(ends), max(ends)
    check_range(curve.name, low, high)
    margin = 0.03 * (high - low) or abs(low) / 20 or 0.5
    domain = [low - margin, high + margin]
    panels = [_rows(curve, domain)] if curve.best is None else [_curve(curve, domain), _rows(curve, domain)]
    return drawn(
        {"vconcat": panels, "spacing": 10},
        title=title,
        subtitle=below,
        alt=alt,
        width=_WIDTH + names_width(curve.classes),
        theme=theme,
    )


def _cuts(many: int) -> str:
    return "1 cut" if many == 1 else f"{many:,} cuts"


def _across(field: str, domain: list[float], *, named_as: str | None) -> Spec:
    axis = {"title": named_as, "grid": False, "tickCount": 8} if named_as else None
    return {"field": field, "type": "quantitative", "axis": axis, "scale": {"domain": domain, "nice": False}}


def _curve(curve: CutCurve, domain: list[float]) -> Spec:
    kept = _highest(curve.gains)
    records = [
        {"limit": limit, "gain": gained}
        for limit, gained in zip(curve.limits[kept].tolist(), curve.gains[kept].tolist(), strict=True)
    ]
    assert curve.chosen is not None
    cut = curve.cut
    gained = 0.0 if cut is None else float(curve.gains[cut])  # a cut that parts no rows gains nothing
    right = curve.chosen > sum(domain) / 2
    chosen = {"limit": curve.chosen, "label": f"≤ {number(curve.chosen)}: {gained:.4f}"}
    point = {"limit": curve.chosen if cut is None else float(curve.limits[cut]), "gain": gained}
    y = {
        "field": "gain", "type": "quantitative",
        "title": IMPURITIES[curve.measure].gain_in_text(curve.measure),
        "scale": {"zero": True}, "axis": {"tickCount": 4},
    }  # fmt: skip
    x = _across("limit", domain, named_as=None)
    dot = {"color": LIGHT.muted, "size": 26} if len(kept) <= _POINTS_UP_TO else False
    return {
        "width": _WIDTH,
        "height": 170,
        "layer": [
            {
                "data": {"values": records},
                "mark": {"type": "line", "color": LIGHT.muted, "strokeWidth": 1.6, "point": dot},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": [chosen]},
                "mark": {"type": "rule", "color": LIGHT.accent, "strokeWidth": 1.6, "strokeDash": [5, 3]},
                "encoding": {"x": x},
            },
            {
                "data": {"values": [point]},
                "mark": {"type": "circle", "color": LIGHT.accent, "size": 90, "opacity": 1},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": [chosen]},
                "mark": {"type": "text", "color": LIGHT.accent, "fontWeight": "bold", "baseline": "bottom",
                         "align": "right" if right else "left", "dx": -7 if right else 7, "dy": -3},
                "encoding": {"x": x, "y": {"value": 0}, "text": {"field": "label"}},
            },
        ],
    }  # fmt: skip


def _rows(curve: CutCurve, domain: list[float]) -> Spec:
    x = _across("value", domain, named_as=in_sentence(curve.name))
    y = {
        "field": "class", "type": "nominal", "sort": None, "title": None,
        "scale": {"domain": [*curve.classes]},
        "axis": {"ticks": False, "domain": False, **name_axis(curve.classes)},
    }  # fmt: skip
    layers: list[Spec] = [
        {
            "data": {"values": _ticks(curve)},
            "mark": {"type": "tick", "thickness": 1.6, "opacity": 1, "size": 16},
            "encoding": {"x": x, "y": y, "color": by_class(curve.classes, legend=False)},
        }
    ]
    if curve.chosen is not None:
        layers.append(
            {
                "data": {"values": [{"limit": curve.chosen}]},
                "mark": {"type": "rule", "color": LIGHT.accent, "strokeWidth": 1.6, "strokeDash": [5, 3]},
                "encoding": {"x": {**x, "field": "limit"}},
            }
        )
    step = row_height(curve.classes, 24 if len(curve.classes) <= 6 else 18)
    return {"width": _WIDTH, "height": {"step": step}, "layer": layers}


def _ticks(curve: CutCurve) -> Records:
    """One for each class and place; rows too close to be seen apart share one."""
    low, high = float(curve.values.min()), float(curve.values.max())
    hair = (high - low) / (2 * _WIDTH) or 1.0
    place = np.rint((curve.values - low) / hair).astype(np.int64)
    _, first = np.unique(place * len(curve.classes) + curve.codes, return_index=True)
    return [
        {"value": value, "class": curve.classes[code]}
        for value, code in zip(curve.values[first].tolist(), curve.codes[first].tolist(), strict=True)
    ]


def _highest(
    gains: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Places of at most `_MOST` gains: of each stretch the highest, so that no peak is lost."""
    if len(gains) <= _MOST:
        return np.arange(len(gains))
    stretches = np.array_split(np.arange(len(gains)), _MOST)
    return np.array([stretch[int(np.argmax(gains[stretch]))] for stretch in stretches])
