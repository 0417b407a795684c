"""Class curves: ROC, precision and recall, gains, lift, Kolmogorov–Smirnov: a class against the others."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.builders import axis_of_numbers, coloured, layer, layered, line_legend, records_of
from clearwood.draw.charts.sheet import Spec, check_drawable, drawn, few_of, in_sentence, names_width
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
        {curve.name: _points(curve, kind) for curve in roc.curves},
        labels,
        figure="AUC" if is_roc else "average precision",
        x="false positive rate" if is_roc else "recall",
        y="true positive rate (recall)" if is_roc else "precision",
        guessing=((0, 0), (1, 1)) if is_roc else None,
        interpolate="linear" if is_roc else "step-before",
        title="ROC" if is_roc else "Precision and recall",
        below=below,
        alt=f"{words}{'s' if len(figures) > 1 and is_roc else ''} of {row_count(roc.weight)}: "
        f"the {area} is {areas}.",
        theme=theme,
    )


def _points(curve: RocCurve, kind: str) -> tuple[Floats, Floats]:
    """The places where the line turns, its ends among them."""
    x, y = (curve.false_positive_rate, curve.recall) if kind == "roc" else (curve.recall, curve.precision)
    if kind == "precision":
        y = np.append(y[1], y[1:])  # a step's precision holds for all the recall it adds
    kept = np.arange(len(x))
    if len(x) > 1:
        turn = np.diff(x[:-1]) * np.diff(y[1:]) != np.diff(y[:-1]) * np.diff(x[1:])
        kept = np.flatnonzero(np.concatenate([[True], turn, [True]]))
    if len(kept) > _MOST:
        kept = kept[np.unique(np.linspace(0, len(kept) - 1, _MOST).astype(np.int64))]
    return x[kept], y[kept]


# Gains and lift: what is reached of a class by taking the rows with its largest shares first.


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
    half = _reached(curves, 0.5)
    parts = few_of([f"{100 * part:.0f} % of {in_sentence(name)}" for name, part in half.items()])
    return class_curves(
        curves,
        {curve.name: (_POINTS, _gained(curve, _POINTS)) for curve in curves.curves},
        {name: f"{100 * part:.0f} %  {in_sentence(name)}" for name, part in half.items()},
        figure="at half the rows",
        y="part of the class reached",
        guessing=((0, 0), (1, 1)),
        title="Gains",
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
    parts = _POINTS[1:]
    tenth = {name: part / 0.1 for name, part in _reached(curves, 0.1).items()}
    times = few_of([f"{part:.2f} times as much of {in_sentence(name)}" for name, part in tenth.items()])
    return class_curves(
        curves,
        {curve.name: (parts, _gained(curve, parts) / parts) for curve in curves.curves},
        {name: f"{part:.2f}  {in_sentence(name)}" for name, part in tenth.items()},
        figure="at 10 % of the rows",
        y="lift",
        heights={"zero": True},
        guessing=((0, 1), (1, 1)),
        title="Lift",
        alt=f"Lift on {row_count(curves.weight)}: the first decile of the rows holds {times} as all rows do.",
        theme=theme,
    )


def _reached(roc: Roc, part: float) -> dict[str, float]:
    """By class, fewest first: the part of it among this part of all rows."""
    reached = {curve.name: float(_gained(curve, np.array([part]))[0]) for curve in roc.curves}
    return dict(sorted(reached.items(), key=lambda each: each[1]))


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
    # Both lines go from the cutoff 0, which all reach, to 1.
    cutoffs = np.concatenate([[1.0], np.minimum(curve.thresholds[1:], 1.0), [0.0]])[::-1]
    kept = np.unique(np.linspace(0, len(cutoffs) - 1, min(len(cutoffs), _MOST)).astype(np.int64))
    records = [
        record
        for label, part in zip(labels, (recall, alarms), strict=True)
        for record in records_of(
            rows=[label] * len(kept), x=cutoffs[kept], y=np.append(part, 1.0)[::-1][kept]
        )
    ]
    layers = [
        layer("rule", {"y2": "to"}, apart, strokeWidth=2, color=LIGHT.ink),
        layer("line", {"color": shown}, records, interpolate="step-before", strokeWidth=2.2),
    ]
    sides = {
        "x": _axis("x", f"cutoff on the probability of {name}", _UNIT),
        "y": _axis("y", "part that reaches it", _UNIT),
    }
    below = [f"{row_count(curves.weight)}; the largest distance, {far:.3f}, is at {at:.3f}"]
    alt = (
        f"At a cutoff of {at:.3f}, {100 * recall[best]:.0f} % of {name} reach it and "
        f"{100 * alarms[best]:.0f} % of the others: a distance of {far:.3f}."
    )
    width = _SIDE + names_width(labels, 220)
    spec = layered(layers, _SIDE, _SIDE, encoding=sides)
    return drawn(spec, "Kolmogorov–Smirnov", below, alt, theme, width)


# Class curves: a square chart of one curve for each class, whose legend gives each curve's figure.


_LEGEND: Final = 260
_DASHES: Final = ([1, 0], [6, 3], [2, 2])  # beyond eight classes colours look alike, so lines are dashed
_UNIT: Final = {"domain": [0, 1]}

Line = tuple[tuple[float, float], tuple[float, float]]  # its ends, (x, y) each


def class_curves(
    roc: Roc,
    curves: Mapping[str, tuple[Floats, Floats]],
    labels: Mapping[str, str],
    *,
    figure: str,
    x: str = "part of the rows taken",
    y: str,
    heights: Mapping[str, Any] = _UNIT,
    guessing: Line | None = None,
    interpolate: str = "linear",
    title: str,
    below: Sequence[str] = (),
    alt: str,
    theme: ThemeName,
) -> Picture:
    """The curves, x and y by class, unless said otherwise of rows that are taken by their probabilities;
    `labels` are by class, `figure` is what they give, `guessing` the line of random answers."""
    below = below or [f"{row_count(roc.weight)}, those with the largest probabilities of a class first"]
    records = [
        {"class": labels[name], **point, "step": step}
        for name, (xs, ys) in curves.items()
        for step, point in enumerate(records_of(x=xs, y=ys))
    ]
    domain = [labels[name] for name in curves]
    legend = line_legend(domain, _LEGEND, f"{figure}, class")
    colours = class_colours(roc.classes)
    dashes = [_DASHES[roc.classes.index(name) // 8 % 3] for name in curves]
    by_class: Spec = {
        "color": coloured("class", domain, [colours[name] for name in curves], legend, sort=None),
        "strokeDash": coloured("class", domain, dashes, legend, sort=None),
        "order": {"field": "step", "type": "quantitative"},
    }
    line: Spec = {"strokeWidth": 2.2, "strokeCap": "butt", "strokeJoin": "round"}
    layers = [layer("line", by_class, interpolate=interpolate, **line)]
    if guessing is not None:
        ends = [{"x": across, "y": up} for across, up in guessing]
        layers.insert(0, layer("line", {}, ends, color=LIGHT.muted, strokeWidth=1, strokeDash=[2, 4]))
    sides = {"x": _axis("x", x, _UNIT), "y": _axis("y", y, heights)}
    spec = layered(layers, _SIDE, _SIDE, records, encoding=sides)
    width = _SIDE + names_width(labels.values(), _LEGEND)
    return drawn(spec, title, below, alt, theme, width)


def _axis(field: str, title: str, scale: Mapping[str, Any]) -> Spec:
    return axis_of_numbers(field, title, ticks=5, axis={"format": ".1f"}, **scale)
