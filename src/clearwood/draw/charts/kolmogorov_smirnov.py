"""Kolmogorov–Smirnov: how far apart a class's rows and the others are, at every cutoff on its share."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.draw.charts.sheet import Records, drawn, in_sentence, keyed, names_width
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.scoring.roc import Roc, RocCurve
from clearwood.words.numbers import row_count

_SIDE: Final = 320
_MOST: Final = 400  # points of a line; more cannot be told apart


def kolmogorov_smirnov(curves: Roc, *, theme: ThemeName = "auto") -> Picture:
    """The parts of a class's rows and of the others that reach a cutoff, and where they lie furthest apart.

    Of many classes it is drawn for the one that is told apart best.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> kolmogorov_smirnov(cw.roc(cw.NaiveBayes().learn(table), table)).alt
    'At a cutoff of 0.573, 100 % of Yes reach it and 20 % of the others: a distance of 0.800.'
    """
    check_drawable("kolmogorov_smirnov", curves, Roc)
    curve = max(curves.curves, key=lambda each: float((each.recall - each.false_positive_rate).max()))
    recall, alarms = curve.recall, curve.false_positive_rate
    best = int((recall - alarms).argmax())
    far = float(recall[best] - alarms[best])
    at = min(float(curve.thresholds[best]), 1.0)
    name = in_sentence(curve.name)
    labels = [name, "the others"]
    colours = [class_colours(curves.classes)[curve.name], LIGHT.muted]
    legend = {"title": None, "symbolType": "stroke", "symbolStrokeWidth": 3, **keyed(labels, 220)}
    spec = {
        "width": _SIDE,
        "height": _SIDE,
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": f"cutoff on the probability of {name}",
                  "scale": {"domain": [0, 1]}, "axis": {"tickCount": 5, "format": ".1f"}},
            "y": {"field": "y", "type": "quantitative", "title": "part that reaches it",
                  "scale": {"domain": [0, 1]}, "axis": {"tickCount": 5, "format": ".1f"}},
        },
        "layer": [
            {"data": {"values": [{"x": at, "y": float(alarms[best]), "to": float(recall[best])}]},
             "mark": {"type": "rule", "strokeWidth": 2, "color": LIGHT.ink},
             "encoding": {"y2": {"field": "to"}}},
            {"data": {"values": _records(curve, labels)},
             "mark": {"type": "line", "interpolate": "step-before", "strokeWidth": 2.2},
             "encoding": {"color": {"field": "rows", "type": "nominal", "sort": None, "legend": legend,
                                    "scale": {"domain": labels, "range": colours}}}},
        ],
    }  # fmt: skip
    return drawn(
        spec,
        title="Kolmogorov–Smirnov",
        subtitle=[f"{row_count(curves.weight)}; the largest distance, {far:.3f}, is at {at:.3f}"],
        alt=f"At a cutoff of {at:.3f}, {100 * recall[best]:.0f} % of {name} reach it and "
        f"{100 * alarms[best]:.0f} % of the others: a distance of {far:.3f}.",
        width=_SIDE + names_width(labels, 220),
        theme=theme,
    )


def _records(curve: RocCurve, labels: list[str]) -> Records:
    """Both lines from the cutoff 0, which all reach, to 1."""
    at = np.concatenate([[1.0], np.minimum(curve.thresholds[1:], 1.0), [0.0]])[::-1]
    lines = (np.append(part, 1.0)[::-1] for part in (curve.recall, curve.false_positive_rate))
    kept = np.unique(np.linspace(0, len(at) - 1, min(len(at), _MOST)).astype(np.int64))
    return [
        {"rows": label, "x": x, "y": y}
        for label, line in zip(labels, lines, strict=True)
        for x, y in zip(at[kept].tolist(), line[kept].tolist(), strict=True)
    ]
