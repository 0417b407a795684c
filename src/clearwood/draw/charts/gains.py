"""Gains and lift: what is reached of a class by taking the rows with its largest shares first."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.sheet import drawn, few_of, in_sentence, keyed, names_width
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, class_colours
from clearwood.draw.picture import Picture
from clearwood.draw.theming import ThemeName
from clearwood.scoring.roc import Roc, RocCurve
from clearwood.words.numbers import row_count

_SIDE: Final = 320
_POINTS: Final = np.linspace(0.0, 1.0, 101)


def gains(curves: Roc, *, theme: ThemeName = "auto") -> Picture:
    """The part of a class's rows that is reached (up) by the part of all rows taken (across); on the diagonal
    the rows are taken at random.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> gains(cw.roc(cw.NaiveBayes().learn(table), table)).alt
    'Gains on 14 rows: the first half of the rows holds 67 % of Yes.'
    """
    check_drawable("gains", curves, Roc)
    return _drawn(curves, "gains", theme)


def lift(curves: Roc, *, theme: ThemeName = "auto") -> Picture:
    """How many times as often a class comes among the rows taken as among all; 1 is taking at random.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> lift(cw.roc(cw.NaiveBayes().learn(table), table)).alt
    'Lift on 14 rows: the first tenth of the rows holds 1.56 times as much of Yes as all rows do.'
    """
    check_drawable("lift", curves, Roc)
    return _drawn(curves, "lift", theme)


def _drawn(roc: Roc, kind: Literal["gains", "lift"], theme: ThemeName) -> Picture:
    at = 0.5 if kind == "gains" else 0.1
    reached = {each.name: _gained(each, np.array([at]))[0] for each in roc.curves}
    ranked = sorted(reached.items(), key=lambda each: each[1])
    if kind == "gains":
        figures = few_of([f"{100 * part:.0f} % of {in_sentence(name)}" for name, part in ranked])
        alt = f"Gains on {row_count(roc.weight)}: the first half of the rows holds {figures}."
        labels = {name: f"{100 * part:.0f} %  {in_sentence(name)}" for name, part in reached.items()}
    else:
        figures = few_of([f"{part / at:.2f} times as much of {in_sentence(name)}" for name, part in ranked])
        alt = f"Lift on {row_count(roc.weight)}: the first tenth of the rows holds {figures} as all rows do."
        labels = {name: f"{part / at:.2f}  {in_sentence(name)}" for name, part in reached.items()}
    points = _POINTS if kind == "gains" else _POINTS[1:]
    records = []
    for curve in roc.curves:
        gained = _gained(curve, points)
        heights = gained if kind == "gains" else gained / points
        records += [
            {"class": labels[curve.name], "x": x, "y": y}
            for x, y in zip(points.tolist(), heights.tolist(), strict=True)
        ]
    colours = class_colours(roc.classes)
    domain = [labels[each.name] for each in roc.curves]
    what = "at half the rows" if kind == "gains" else "at a tenth of the rows"
    legend = {"title": f"{what}, class", "symbolType": "stroke", "symbolStrokeWidth": 3, **keyed(domain, 260)}
    ends = [{"x": 0, "y": 0}, {"x": 1, "y": 1}] if kind == "gains" else [{"x": 0, "y": 1}, {"x": 1, "y": 1}]
    up = {"domain": [0, 1]} if kind == "gains" else {"zero": True}
    title = "part of the class reached" if kind == "gains" else "lift"
    spec = {
        "data": {"values": records},
        "width": _SIDE,
        "height": _SIDE,
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": "part of the rows taken",
                  "scale": {"domain": [0, 1]}, "axis": {"tickCount": 5, "format": ".1f"}},
            "y": {"field": "y", "type": "quantitative", "title": title, "scale": up,
                  "axis": {"tickCount": 5, "format": ".1f"}},
        },
        "layer": [
            {"data": {"values": ends},
             "mark": {"type": "line", "color": LIGHT.muted, "strokeWidth": 1, "strokeDash": [2, 4]}},
            {"mark": {"type": "line", "strokeWidth": 2.2, "strokeJoin": "round"},
             "encoding": {"color": {"field": "class", "type": "nominal", "sort": None, "legend": legend,
                                    "scale": {"domain": domain,
                                              "range": [colours[each.name] for each in roc.curves]}}}},
        ],
    }  # fmt: skip
    return drawn(
        spec,
        title="Gains" if kind == "gains" else "Lift",
        subtitle=[f"{row_count(roc.weight)}, those with the largest shares of a class first"],
        alt=alt,
        width=_SIDE + names_width(labels.values(), 260),
        theme=theme,
    )


def _gained(curve: RocCurve, parts: Floats) -> Floats:
    """The part of the class's rows among these parts of all rows; rows of equal share come in evenly."""
    taken = curve.hits + curve.alarms
    return np.asarray(np.interp(parts, taken / taken[-1], curve.recall))
