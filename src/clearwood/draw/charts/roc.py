"""ROC and precision-recall: what a class costs in false alarms, at every threshold on its share."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.class_curves import class_curves
from clearwood.draw.charts.sheet import few_of, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import ThemeName
from clearwood.draw.picture import Picture
from clearwood.scoring.roc import Roc, RocCurve
from clearwood.words.numbers import row_count

_MOST: Final = 400  # points of a curve; more cannot be told apart


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
    is_roc = kind == "roc"
    figures = {c.name: c.auc if is_roc else c.average_precision for c in roc.curves}
    labels = {name: f"{value:.3f}  {in_sentence(name)}" for name, value in figures.items()}
    records = [
        {"class": labels[curve.name], "x": x, "y": y, "step": i}
        for curve in roc.curves
        for i, (x, y) in enumerate(_points(curve, kind))
    ]
    words = "ROC curve" if is_roc else "Precision and recall"
    area = "area under the curve" if is_roc else "average precision"
    ranked = sorted(figures.items(), key=lambda each: each[1])
    areas = few_of([f"{value:.3f} for {in_sentence(name)}" for name, value in ranked])
    sides = "each class against the others"
    if len(roc.classes) == 2:
        sides = " against ".join(map(in_sentence, roc.classes[::-1]))
    below = [f"{row_count(roc.weight)}, {sides}"]
    if roc.absent:
        below.append(f"without rows: {', '.join(map(in_sentence, roc.absent))}")
    return class_curves(
        roc,
        records,
        labels,
        figure="AUC" if is_roc else "average precision",
        x="false positive rate" if is_roc else "recall",
        y="true positive rate (recall)" if is_roc else "precision",
        guessing=((0, 0), (1, 1)) if is_roc else None,
        interpolate="linear" if is_roc else "step-before",
        title="ROC" if is_roc else "Precision and recall",
        subtitle=below,
        alt=f"{words}{'s' if len(figures) > 1 and is_roc else ''} of {row_count(roc.weight)}: "
        f"the {area} is {areas}.",
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
