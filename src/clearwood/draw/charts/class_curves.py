"""Class curves: ROC, precision and recall, gains, lift, Kolmogorov–Smirnov: a class against the others."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.builders import axis_of_numbers, coloured, layer, layered, line_legend
from clearwood.draw.charts.sheet import (
    Records,
    Spec,
    check_drawable,
    drawn,
    few_of,
    in_sentence,
    names_width,
)
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
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


# Gains and lift: what is reached of a class by taking the rows with its largest shares first.


_POINTS: Final = np.linspace(0.0, 1.0, 101)
_TAKEN: Final = "part of the rows taken"


def gains(curves: Roc, *, theme: ThemeName = "auto") -> Picture:
    """The part of a class's rows that is reached (up) by the part of all rows taken (across); on the diagonal
    the rows are taken at random.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> gains(cw.roc(cw.NaiveBayes().learn(table), table)).alt
    'Gains on 14 rows: the first half of the rows holds 67 % of Yes.'
    """
    check_drawable("gains", curves, Roc)
    half = _reached(curves, 0.5)
    parts = few_of([f"{100 * part:.0f} % of {in_sentence(name)}" for name, part in half.items()])
    labels = {name: f"{100 * part:.0f} %  {in_sentence(name)}" for name, part in half.items()}
    return class_curves(
        curves,
        [record for curve in curves.curves for record in _records(labels, curve, _POINTS)],
        labels,
        figure="at half the rows",
        x=_TAKEN,
        y="part of the class reached",
        guessing=((0, 0), (1, 1)),
        title="Gains",
        subtitle=_rows(curves),
        alt=f"Gains on {row_count(curves.weight)}: the first half of the rows holds {parts}.",
        theme=theme,
    )


def lift(curves: Roc, *, theme: ThemeName = "auto") -> Picture:
    """How many times as often a class comes among the rows taken as among all; 1 is taking at random.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> lift(cw.roc(cw.NaiveBayes().learn(table), table)).alt
    'Lift on 14 rows: the first decile of the rows holds 1.56 times as much of Yes as all rows do.'
    """
    check_drawable("lift", curves, Roc)
    tenth = {name: part / 0.1 for name, part in _reached(curves, 0.1).items()}
    times = few_of([f"{part:.2f} times as much of {in_sentence(name)}" for name, part in tenth.items()])
    labels = {name: f"{part:.2f}  {in_sentence(name)}" for name, part in tenth.items()}
    return class_curves(
        curves,
        [record for curve in curves.curves for record in _records(labels, curve, _POINTS[1:], lifted=True)],
        labels,
        figure="at 10 % of the rows",
        x=_TAKEN,
        y="lift",
        heights={"zero": True},
        guessing=((0, 1), (1, 1)),
        title="Lift",
        subtitle=_rows(curves),
        alt=f"Lift on {row_count(curves.weight)}: the first decile of the rows holds {times} as all rows do.",
        theme=theme,
    )


def _reached(roc: Roc, part: float) -> dict[str, float]:
    """By class, fewest first: the part of it among this part of all rows."""
    reached = {curve.name: float(_gained(curve, np.array([part]))[0]) for curve in roc.curves}
    return dict(sorted(reached.items(), key=lambda each: each[1]))


def _records(labels: dict[str, str], curve: RocCurve, parts: Floats, *, lifted: bool = False) -> Records:
    heights = _gained(curve, parts) / (parts if lifted else 1)
    points = zip(parts.tolist(), heights.tolist(), strict=True)
    return [{"class": labels[curve.name], "x": x, "y": y, "step": i} for i, (x, y) in enumerate(points)]


def _rows(roc: Roc) -> list[str]:
    return [f"{row_count(roc.weight)}, those with the largest probabilities of a class first"]


def _gained(curve: RocCurve, parts: Floats) -> Floats:
    """The part of the class's rows among these parts of all rows; rows of equal share come in evenly."""
    taken = curve.hits + curve.alarms
    return np.asarray(np.interp(parts, taken / taken[-1], curve.recall))


# Kolmogorov–Smirnov: how far apart a class's rows and the others are, at every cutoff on its share.


_SIDE: Final = 320


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
    shown = coloured("rows", labels, colours, line_legend(labels, 220), sort=None)
    apart = [{"x": at, "y": float(alarms[best]), "to": float(recall[best])}]
    layers = [
        layer("rule", {"y2": "to"}, apart, strokeWidth=2, color=LIGHT.ink),
        layer(
            "line", {"color": shown}, _both_lines(curve, labels), interpolate="step-before", strokeWidth=2.2
        ),
    ]
    sides = {
        "x": _axis("x", f"cutoff on the probability of {name}", _UNIT),
        "y": _axis("y", "part that reaches it", _UNIT),
    }
    spec = layered(layers, _SIDE, _SIDE, encoding=sides)
    return drawn(
        spec,
        title="Kolmogorov–Smirnov",
        subtitle=[f"{row_count(curves.weight)}; the largest distance, {far:.3f}, is at {at:.3f}"],
        alt=f"At a cutoff of {at:.3f}, {100 * recall[best]:.0f} % of {name} reach it and "
        f"{100 * alarms[best]:.0f} % of the others: a distance of {far:.3f}.",
        width=_SIDE + names_width(labels, 220),
        theme=theme,
    )


def _both_lines(curve: RocCurve, labels: list[str]) -> Records:
    """Both lines from the cutoff 0, which all reach, to 1."""
    at = np.concatenate([[1.0], np.minimum(curve.thresholds[1:], 1.0), [0.0]])[::-1]
    lines = (np.append(part, 1.0)[::-1] for part in (curve.recall, curve.false_positive_rate))
    kept = np.unique(np.linspace(0, len(at) - 1, min(len(at), _MOST)).astype(np.int64))
    return [
        {"rows": label, "x": x, "y": y}
        for label, line in zip(labels, lines, strict=True)
        for x, y in zip(at[kept].tolist(), line[kept].tolist(), strict=True)
    ]


# Class curves: a square chart of one curve for each class, whose legend gives each curve's figure.


_LEGEND: Final = 260
_DASHES: Final = ([1, 0], [6, 3], [2, 2])  # beyond eight classes colours look alike, so lines are dashed
_UNIT: Final = {"domain": [0, 1]}

Line = tuple[tuple[float, float], tuple[float, float]]  # its ends, (x, y) each


def class_curves(
    roc: Roc,
    records: Records,
    labels: Mapping[str, str],
    *,
    figure: str,
    x: str,
    y: str,
    heights: Mapping[str, Any] = _UNIT,
    guessing: Line | None = None,
    interpolate: str = "linear",
    title: str,
    subtitle: list[str],
    alt: str,
    theme: ThemeName,
) -> Picture:
    """The curves in `records` (class by its label, x, y, step); `labels` are by class, `figure` is what they
    give, `guessing` the line of random answers."""
    dashed = [{"x": across, "y": up} for across, up in guessing or ()]
    line: Spec = {"strokeWidth": 2.2, "strokeCap": "butt", "strokeJoin": "round"}
    layers = [layer("line", _by_class(roc, labels, figure), interpolate=interpolate, **line)]
    if dashed:
        layers.insert(0, layer("line", {}, dashed, color=LIGHT.muted, strokeWidth=1, strokeDash=[2, 4]))
    sides = {"x": _axis("x", x, _UNIT), "y": _axis("y", y, heights)}
    spec = layered(layers, _SIDE, _SIDE, records, encoding=sides)
    width = _SIDE + names_width(labels.values(), _LEGEND)
    return drawn(spec, title=title, subtitle=subtitle, alt=alt, width=width, theme=theme)


def _axis(field: str, title: str, scale: Mapping[str, Any]) -> Spec:
    return axis_of_numbers(field, title, ticks=5, axis={"format": ".1f"}, **scale)


def _by_class(roc: Roc, labels: Mapping[str, str], figure: str) -> Spec:
    names = [curve.name for curve in roc.curves]
    domain = [labels[name] for name in names]
    legend = line_legend(domain, _LEGEND, f"{figure}, class")
    colours = class_colours(roc.classes)
    dashes = [_DASHES[roc.classes.index(name) // 8 % 3] for name in names]
    return {
        "color": coloured("class", domain, [colours[name] for name in names], legend, sort=None),
        "strokeDash": coloured("class", domain, dashes, legend, sort=None),
        "order": {"field": "step", "type": "quantitative"},
    }
