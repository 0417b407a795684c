"""ROC and precision-recall: what a class costs in false alarms, at every threshold on its share."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.sheet import Records, Spec, drawn, few_of, in_sentence, keyed, names_width
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, class_colours
from clearwood.draw.picture import Picture
from clearwood.draw.theming import ThemeName
from clearwood.scoring.roc import Roc, RocCurve
from clearwood.words.numbers import row_count

_SIDE: Final = 320
_MOST: Final = 400  # points of a curve; more cannot be told apart
_DASHES: Final = ([1, 0], [6, 3], [2, 2])  # beyond eight classes colours look alike, so lines are dashed


def roc(curves: Roc, *, theme: ThemeName = "auto") -> Picture:
    """A curve for each class against the others; the diagonal is what guessing gives.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> roc(cw.roc(cw.NaiveBayes().learn(table), table)).alt
    'ROC curve of 14 rows: the area under the curve is 0.922 for Yes.'
    """
    check_drawable("roc", curves, Roc)
    return _drawn(curves, "roc", theme)


def precision_recall(curves: Roc, *, theme: ThemeName = "auto") -> Picture:
    """Precision (which part of a class's predictions is right) against recall (which part of it they reach).

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> precision_recall(cw.roc(cw.NaiveBayes().learn(table), table)).alt
    'Precision and recall of 14 rows: the average precision is 0.947 for Yes.'
    """
    check_drawable("precision_recall", curves, Roc)
    return _drawn(curves, "precision", theme)


def _drawn(roc: Roc, kind: Literal["roc", "precision"], theme: ThemeName) -> Picture:
    figures = {c.name: c.auc if kind == "roc" else c.average_precision for c in roc.curves}
    figure = "AUC" if kind == "roc" else "average precision"
    labels = {name: f"{value:.3f}  {in_sentence(name)}" for name, value in figures.items()}
    records = [
        {"class": labels[curve.name], "x": x, "y": y, "step": i}
        for curve in roc.curves
        for i, (x, y) in enumerate(_points(curve, kind))
    ]
    words = "ROC curve" if kind == "roc" else "Precision and recall"
    area = "area under the curve" if kind == "roc" else "average precision"
    ranked = sorted(figures.items(), key=lambda each: each[1])
    areas = few_of([f"{value:.3f} for {in_sentence(name)}" for name, value in ranked])
    sides = "each class against the others"
    if len(roc.classes) == 2:
        sides = " against ".join(map(in_sentence, roc.classes[::-1]))
    below = [f"{row_count(roc.weight)}, {sides}"]
    if roc.absent:
        below.append(f"without rows: {', '.join(map(in_sentence, roc.absent))}")
    return drawn(
        _spec(roc, records, labels, figure, kind),
        title="ROC" if kind == "roc" else "Precision and recall",
        subtitle=below,
        alt=f"{words}{'s' if len(figures) > 1 and kind == 'roc' else ''} of {row_count(roc.weight)}: "
        f"the {area} is {areas}.",
        width=_SIDE + names_width(labels.values(), 260),
        theme=theme,
    )


def _points(curve: RocCurve, kind: str) -> list[tuple[float, float]]:
    x, y = (curve.false_positive_rate, curve.recall) if kind == "roc" else (curve.recall, curve.precision)
    if kind == "precision":
        y = np.append(y[1], y[1:])  # a step's precision holds for all the recall it adds
    kept = _corners(x, y)
    if len(kept) > _MOST:
        kept = kept[np.unique(np.linspace(0, len(kept) - 1, _MOST).astype(np.int64))]
    return list(zip(x[kept].tolist(), y[kept].tolist(), strict=True))


def _corners(x: Floats, y: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The places where a line turns, its ends among them."""
    turn = np.diff(x[:-1]) * np.diff(y[1:]) != np.diff(y[:-1]) * np.diff(x[1:])
    return np.flatnonzero(np.concatenate([[True], turn, [True]])) if len(x) > 1 else np.arange(len(x))


def _spec(roc: Roc, records: Records, labels: dict[str, str], figure: str, kind: str) -> Spec:
    colours = class_colours(roc.classes)
    domain = [labels[curve.name] for curve in roc.curves]
    places = [roc.classes.index(curve.name) for curve in roc.curves]
    legend = {
        "title": f"{figure}, class",
        "symbolType": "stroke",
        "symbolStrokeWidth": 3,
        **keyed(domain, 260),
    }
    curve = {
        "color": {"field": "class", "type": "nominal", "sort": None, "legend": legend,
                  "scale": {"domain": domain, "range": [colours[c.name] for c in roc.curves]}},
        "strokeDash": {"field": "class", "type": "nominal", "sort": None, "legend": legend,
                       "scale": {"domain": domain, "range": [_DASHES[place // 8 % 3] for place in places]}},
        "order": {"field": "step", "type": "quantitative"},
    }  # fmt: skip
    titles = (
        ("false positive rate", "true positive rate (recall)") if kind == "roc" else ("recall", "precision")
    )
    x, y = (
        {"field": field, "type": "quantitative", "title": title, "scale": {"domain": [0, 1]},
         "axis": {"tickCount": 5, "format": ".1f"}}
        for field, title in zip("xy", titles, strict=True)
    )  # fmt: skip
    guessing = {
        "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
        "mark": {"type": "line", "color": LIGHT.muted, "strokeWidth": 1, "strokeDash": [2, 4]},
    }
    line = {"type": "line", "strokeWidth": 2.2, "strokeCap": "butt", "strokeJoin": "round"}
    if kind == "precision":
        line["interpolate"] = "step-before"
    return {
        "data": {"values": records},
        "width": _SIDE,
        "height": _SIDE,
        "encoding": {"x": x, "y": y},
        "layer": [*([guessing] if kind == "roc" else []), {"mark": line, "encoding": curve}],
    }
