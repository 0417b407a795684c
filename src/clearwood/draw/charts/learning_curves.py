"""Learning curves: how good a model is by the rows it learned from, its members or its leaves."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.builders import (
    End,
    ScoreLine,
    around,
    axis_of_numbers,
    coloured,
    colours_of,
    fitting_axis,
    layer,
    layered,
    learner_lines,
    lines_panel,
    names_at_ends,
    records_of,
    rule_at,
)
from clearwood.draw.charts.sheet import Records, Spec, check_drawable, drawn, few_of, in_sentence
from clearwood.draw.palette import LIGHT, ThemeName, class_colours
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve
from clearwood.models.model import check_kind
from clearwood.study.behaviour.learning_curve import LearnerCurve, LearningCurves
from clearwood.study.behaviour.overfitting import Overfitting, OverfittingByNoise
from clearwood.words.numbers import amount, brief, many, percent_to

_WIDTH: Final = 430
_HEIGHT: Final = 260


def learning_curve(curves: LearningCurves, *, theme: ThemeName = "auto") -> Picture:
    """Rows across, the score up: of each learner on held-out rows, with a band, and dashed on its own.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> learning_curve(cw.learning_curve(cw.ID3(), days, sizes=[4, 7, 10], design=cw.Folds(4))).alt
    'Accuracy by the number of rows learned from: ID3 0.7083 with 4 rows, 0.7917 with 10, on held-out \
rows.'
    """
    check_drawable("learning_curve", curves, LearningCurves)
    rows = curves.rows.tolist()
    colours = colours_of([curve.name for curve in curves.curves])
    lines = [
        line
        for curve, colour in zip(curves.curves, colours, strict=True)
        for line in learner_lines(
            curve.name,
            rows,
            curve.mean("training").tolist(),
            curve.mean().tolist(),
            curve.standard_error().tolist(),
            colour,
            curve.standard_error("training").tolist(),
        )
    ]
    log = rows[-1] >= 4 * rows[0]
    low, high = (rows[0], rows[-1]) if len(rows) > 1 else (rows[0] / 2, rows[0] * 2)
    marks = [each for each in ticks(int(high), log=True) if each >= low]
    marks = marks if len(marks) <= 9 else marks[::2]
    x = _rising("rows learned from", low, high, log, marks if log else 6)
    title = f"{curves.score[0].upper()}{curves.score[1:]} by the number of rows learned from"
    below = ["line: on held-out rows; dashed: on the rows learned from"]
    if curves.folds > 1:
        below.append(f"band: ± 1 standard error over {many(curves.folds, 'fold')}")
    alt = f"{title}: {few_of([_in_words(each, rows) for each in curves.curves])}, on held-out rows."
    spec = lines_panel(lines, x, score=curves.score, width=_WIDTH, height=_HEIGHT)
    return drawn(spec, title, below, alt, theme, _WIDTH + 90)


def _in_words(curve: LearnerCurve, rows: list[int]) -> str:
    scores = curve.mean().tolist()
    ends = [f"{amount(scores[0])} with {many(rows[0], 'row')}"]
    if len(rows) > 1:
        ends.append(f"{amount(scores[-1])} with {rows[-1]:,}")
    return f"{in_sentence(curve.name)} {', '.join(ends)}"


# The learning curve of an ensemble: how good its first members are together, by how many they are.


_LEARNING_HEIGHT: Final = 220
_MOST: Final = 400  # points of a line; more are as fine as the pixels


def learning(model: Ensemble, *, theme: ThemeName = "auto") -> Picture:
    """The number of members across, the error or loss up, a line for each curve: on the rows held out, out of
    bag, or learned from, or by another score. The least is marked, and where learning stopped, how many
    members it kept.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> learning(cw.Forest(trees=9).learn(table)).alt.split(":")[0]
    'Error on out-of-bag rows by the number of members'
    """
    check_kind("charts.learning", model, Ensemble)
    if not model.curves:
        raise SettingError(
            "This ensemble has no learning curve: it was not evaluated on other rows while it was "
            "learned. A forest has one "
            "by its out-of-bag rows, boosting by those that early_stopping keeps back."
        )
    scores = list(dict.fromkeys(curve.score for curve in model.curves))
    on = list(dict.fromkeys(curve.on for curve in model.curves))
    kept = [
        f"{many(curve.best, 'member')} kept, by the {curve.on}"
        for curve in model.curves
        if curve.best is not None
    ]
    lines: Records = []
    marks: Records = []
    described = []
    names = [_what_differs(curve, scores, on) for curve in model.curves]
    for name, curve in zip(names, model.curves, strict=True):
        values, least = curve.values, curve.least or len(curve.values)
        step = max(1, len(values) // _MOST)
        shown = sorted({*range(0, len(values), step), len(values) - 1})
        lines += [{"members": place + 1, "value": values[place], "curve": name} for place in shown]
        lowest = {"members": least, "value": values[least - 1], "curve": name}
        marks.append({**lowest, "text": f"lowest: {brief(values[least - 1])}"})
        described.append(
            f"{brief(values[0])} with 1, {brief(values[-1])} with {len(values):,}, "
            f"lowest {brief(values[least - 1])} with {least:,}"
        )
    axis = {"grid": False, "format": ",d"}
    at: Spec = {
        "x": axis_of_numbers("members", "members", axis=axis, nice=False, zero=False),
        "y": axis_of_numbers("value", scores[0] if len(scores) == 1 else "score", zero=False, padding=12),
    }
    legend = None if len(names) == 1 else {"title": None, "orient": "top"}
    own = {**at, "color": coloured("curve", names, class_colours(tuple(names)).values(), legend)}
    layers = [
        layer("line", own, lines, strokeWidth=2),
        layer("point", own, marks, filled=True, size=60, opacity=1),
        layer("text", {**at, "text": "text"}, marks, dy=14, color=LIGHT.muted),
    ]
    title = f"{' and '.join(scores).capitalize()} on {' and '.join(on)} by the number of members"
    alt = f"{title}: {'; '.join(described)}."
    spec = layered(layers, _WIDTH, _LEARNING_HEIGHT)
    return drawn(spec, title, kept, alt, theme, _WIDTH)


def _what_differs(curve: LearningCurve, scores: Sequence[str], on: Sequence[str]) -> str:
    """The name of a curve by what the curves differ in: their rows, their scores, or both."""
    if len(scores) == 1:
        return curve.on
    return curve.score if len(on) == 1 else f"{curve.score}, {curve.on}"


# The overfitting curve: a larger tree fits its own rows better, and beyond some size others worse.


_OVERFITTING_HEIGHT: Final = 250
_LOWER: Final = 160  # where a panel stands below another
_LINEAR_UP_TO: Final = 60  # leaves


def overfitting(curve: Overfitting, *, theme: ThemeName = "auto") -> Picture:
    """Leaves across, accuracy up: on the rows learned from, and on held-out rows, whose best is marked.

    Of a learner with costs what a row costs stands below it, with the best constant answer dotted.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> overfitting(cw.overfitting(cw.ID3(), table)).alt
    'Accuracy by size of tree. On the rows learned from it rises from 0.600 to 1.000 at 6 leaves; on rows \
kept apart it is best, 0.750, at 1 leaf and 0.750 at the end.'
    """
    check_drawable("overfitting", curve, Overfitting)
    best, last = curve.best, len(curve.leaves) - 1
    size, score = int(curve.leaves[best]), float(curve.validation[best])
    leaves, whole = (many(each, "leaf", "leaves") for each in (size, int(curve.leaves[last])))
    apart = "by folds, ± 1 standard error" if curve.deviations is not None else "a part held out"
    below = [f"best on rows kept apart ({apart}): {leaves}, {curve.measure} {score:.3f}"]
    below.append("these rows chose the size: on others expect it to do less well")
    described = (
        f"{curve.measure.capitalize()} by size of tree. On the rows learned from it rises from "
        f"{curve.training[0]:.3f} to {curve.training[last]:.3f} at {whole}; on rows "
        f"kept apart it is {'best, ' if curve.cost is None else ''}{score:.3f}, at {leaves} and "
        f"{curve.validation[last]:.3f} at the end."
    )
    if curve.cost is not None:
        paid = (
            f"cost per row {amount(float(curve.cost.validation[best]))}; always predicting "
            f"{curve.cost.constant}: {amount(curve.cost.constant_per_row)}"
        )
        below.append(paid)
        described += f" By costs the best size is {leaves}: {paid}."
    panel = _by_size(
        curve, curve.measure, curve.training, curve.validation, _OVERFITTING_HEIGHT, curve.deviations
    )
    if curve.cost is not None:
        cost = curve.cost
        lower = _by_size(
            curve, "cost per row", cost.training, cost.validation, _LOWER, constant=cost.constant_per_row
        )
        panel = {"vconcat": [panel, lower], "spacing": 14}
    return drawn(panel, "Size of the tree and what it learns", below, described, theme, _WIDTH + 70)


def _by_size(
    curve: Overfitting,
    name: str,
    training: Floats,
    validation: Floats,
    height: int,
    spread: Floats | None = None,
    constant: float | None = None,
) -> Spec:
    """The panel of a figure on both kinds of rows; `constant` is that of the best constant answer."""
    half = np.zeros(len(validation)) if spread is None else spread
    low, high = validation - half, validation + half
    records = records_of(leaves=curve.leaves, training=training, validation=validation, low=low, high=high)
    most = records[-1]["leaves"]
    log = most > _LINEAR_UP_TO
    x = {**_rising("leaves", 1, max(most, 2), log, ticks(most, log=log)), "field": "leaves"}
    beside = [] if constant is None else [constant]
    domain = around([*training.tolist(), *low.tolist(), *high.tolist(), *beside])
    y = fitting_axis(name, domain, format=".2f")
    layers = [rule_at("x", x, records[curve.best]["leaves"], "leaves", color=LIGHT.accent, strokeDash=[5, 3])]
    if constant is not None:
        layers.append(rule_at("y", y, constant, "constant", strokeDash=[1, 3]))
    if spread is not None:
        band = {"x": x, "y": (y, "low"), "y2": "high"}
        layers.append(layer("area", band, color=LIGHT.accent, opacity=0.18))
    ends = []
    for field, colour, dash in (("training", LIGHT.muted, [5, 3]), ("validation", LIGHT.accent, [1, 0])):
        point = {"point": {"color": colour, "size": 34}} if len(records) <= 40 else {}
        look: Spec = {"color": colour, "strokeWidth": 2.2, "strokeDash": dash, **point}
        layers.append(layer("line", {"x": x, "y": (y, field)}, **look))
        ends.append(End(field, records[-1][field], colour))
    if constant is not None:
        ends.append(End("constant", constant, LIGHT.muted))
    layers += names_at_ends(ends, domain, _WIDTH, height)
    return layered(layers, _WIDTH, height, records)


def _rising(title: str, low: float, high: float, log: bool, ticks: int | Sequence[int]) -> Spec:
    """An axis of whole numbers, by ratios where it goes far."""
    scale: Spec = {"type": "log" if log else "linear", "domain": (low, high), "nice": False}
    axis = {"grid": False, "format": ",d"}
    return axis_of_numbers("", title + (" (log scale)" if log else ""), ticks=ticks, axis=axis, **scale)


def ticks(most: int, *, log: bool) -> list[int]:
    """Whole numbers for an axis of leaves.

    >>> ticks(12, log=False), ticks(130, log=True)
    ([1, 3, 5, 7, 9, 11], [1, 2, 5, 10, 20, 50, 100])
    """
    if not log:
        return list(range(1, most + 1, 1 + most // 10))
    steps = (1, 2, 5) if most <= 500 else (1, 3)
    return [m * 10**p for p in range(12) for m in steps if m * 10**p <= most]


# Overfitting with and without noise: the more noise is learned from, the sooner a larger tree is worse.


_OVERFITTING_BY_NOISE_HEIGHT: Final = 270
_NONE: Final = "#0072b2"
# From little noise to much; beyond, the last again: names tell them apart.
_SOME: Final = ("#e69f00", LIGHT.bad, "#cc79a7", LIGHT.accent, LIGHT.muted)


def overfitting_by_noise(by_noise: OverfittingByNoise, *, theme: ThemeName = "auto") -> Picture:
    """Leaves across, accuracy up: on held-out rows for each share of noise, the best marked, and dashed on
    the rows learned from, noise and all.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> overfitting_by_noise(cw.overfitting_by_noise(cw.ID3(), days, noise=[0, 0.3])).alt.split(":")[0]
    'Accuracy on held-out rows by size of tree and noise in the rows learned from'
    """
    check_drawable("overfitting_by_noise", by_noise, OverfittingByNoise)
    lines: list[ScoreLine] = []
    bests: Records = []
    noisy = iter([*_SOME, *_SOME[-1:] * len(by_noise.curves)])
    for curve in by_noise.curves:
        colour = next(noisy) if curve.noise else _NONE
        leaves = [float(each) for each in curve.leaves.tolist()]
        spread = [] if curve.deviations is None else curve.deviations.tolist()
        name = f"{percent_to(curve.noise, 0)} noise" if curve.noise else "no noise"
        seen, apart = curve.training.tolist(), curve.validation.tolist()
        lines.append(ScoreLine(name, leaves, seen, colour, dashed=True, named=False, points=False))
        lines.append(ScoreLine(name, leaves, apart, colour, spread, points=False))
        bests.append(
            {"place": leaves[curve.best], "score": float(curve.validation[curve.best]), "colour": colour}
        )
    most = max(int(curve.leaves[-1]) for curve in by_noise.curves)
    log = most > _LINEAR_UP_TO
    x = _rising("leaves", 1, max(most, 2), log, ticks(most, log=log))
    measure = by_noise.curves[0].measure
    panel = lines_panel(lines, x, score=measure, width=_WIDTH, height=_OVERFITTING_BY_NOISE_HEIGHT)
    y = next(each["encoding"]["y"] for each in panel["layer"] if "encoding" in each)
    stroke = {"field": "colour", "type": "nominal", "scale": None}
    ring: Spec = {"filled": False, "size": 130, "strokeWidth": 2.2, "fill": LIGHT.paper, "fillOpacity": 0}
    at = {"x": (x, "place"), "y": (y, "score"), "stroke": stroke}
    panel["layer"].append(layer("point", at, bests, opacity=1, **ring))
    below = ["line: on held-out rows, without added noise, the best size ringed"]
    below.append("dashed: on the rows learned from, noise and all")
    if by_noise.curves[0].deviations is not None:
        below.append("band: ± 1 standard error over the folds")
    title = f"{measure[0].upper()}{measure[1:]} on held-out rows by size of tree and noise"
    phrases = [
        f"with {percent_to(curve.noise, 0)} noise best {curve.validation[curve.best]:.3f} at "
        f"{many(int(curve.leaves[curve.best]), 'leaf', 'leaves')} and {curve.validation[-1]:.3f} at "
        f"{int(curve.leaves[-1]):,}"
        for curve in by_noise.curves
    ]
    alt = f"{title} in the rows learned from: {few_of(phrases)}."
    return drawn(panel, "Size of the tree with and without noise", below, alt, theme, _WIDTH + 90)
