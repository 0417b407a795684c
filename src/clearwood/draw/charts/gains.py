"""Gains and lift: what is reached of a class by taking the rows with its largest shares first."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.draw.charts.class_curves import class_curves
from clearwood.draw.charts.sheet import Records, few_of, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import ThemeName
from clearwood.draw.picture import Picture
from clearwood.scoring.roc import Roc, RocCurve
from clearwood.words.numbers import row_count

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
