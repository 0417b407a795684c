"""A nomogram: points to be read off for each cell and added by hand, and what their total means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError, no_such
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import interval
from clearwood.models.kinds import check_kind
from clearwood.predict.bayes import added
from clearwood.predict.bayes_terms import (
    BayesTerm,
    Bell,
    ByValue,
    Hills,
    Presence,
    Times,
    log_priors,
    terms_of,
)
from clearwood.predict.words import ByWord
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import number

_TICKS: Final = 13  # of a numeric column
_REACH: Final = 2.0  # standard deviations; a bell's far tail would take the whole chart
_LONGEST: Final = 100.0  # points of the column that can matter most


@dataclass(frozen=True, slots=True)
class Tick:
    """A cell's mark: its log odds, and its points; None where an unsmoothed 0 makes them infinite."""

    label: str
    log_odds: float
    points: float | None


@dataclass(frozen=True, slots=True)
class Scale:
    """One column's marks."""

    name: str
    ticks: tuple[Tick, ...]

    @property
    def length(self) -> float:
        """From the fewest points to the most."""
        points = [tick.points for tick in self.ticks if tick.points is not None]
        return max(points, default=0.0)


@dataclass(frozen=True, slots=True)
class Nomogram:
    """One class against another. Log odds = `base` + points ÷ `points_per_log_odds`, summed over all columns.

    A column that is missing counts `skipped[name]` points.
    """

    called: str
    against: str
    base: float
    points_per_log_odds: float
    scales: tuple[Scale, ...]
    skipped: dict[str, float]

    def share(self, points: float) -> float:
        """The share of `called`, of the two classes, for a total of points."""
        odds = self.base + points / self.points_per_log_odds
        return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))


def nomogram(
    model: BayesTables,
    called: str | None = None,
    against: str | None = None,
    *,
    table: Table | None = None,
) -> Nomogram:
    """Points for each value of each column: 0 for its worst value, 100 for the best of the widest column.

    With two classes `called` is the second unless named; with more both must be named. The scale of a number
    that is taken as Gaussian goes two standard deviations beyond the classes' means: a model does not know
    which values there can be. With `table`, it goes no further than the values there.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> chart = nomogram(cw.NaiveBayes().learn(table), "yes")
    >>> [(tick.label, round(tick.points)) for tick in chart.scales[0].ticks]
    [('<=30', 0), ('31...40', 100), ('>40', 30)]
    >>> round(chart.share(sum(scale.ticks[0].points for scale in chart.scales)), 3)
    0.312
    """
    check_kind("nomogram", model, BayesTables)
    yes, no = _pair(model.schema.classes, called, against)
    if any(isinstance(term, ByWord) for term in terms_of(model)):
        raise SettingError(
            "A text has too many words for a nomogram. Ask top_words, or evidence for one text."
        )
    drawn = [(term.name, *_marks(model, term, table)) for term in terms_of(model)]
    odds = [(name, labels, _odds(logs, yes, no)) for name, labels, logs in drawn]
    lows = [float(_finite(each).min()) if _finite(each).size else 0.0 for *_, each in odds]
    widest = max((np.ptp(_finite(each)) for *_, each in odds if _finite(each).size), default=0.0)
    scale = _LONGEST / widest if widest > 0 else 1.0
    priors = log_priors(model)
    scales = tuple(
        Scale(
            name,
            tuple(
                Tick(label, each, (each - low) * scale if math.isfinite(each) else None)
                for label, each in zip(labels, values.tolist(), strict=True)
            ),
        )
        for (name, labels, values), low in zip(odds, lows, strict=True)
    )
    return Nomogram(
        model.schema.classes[yes],
        model.schema.classes[no],
        float(_odds(priors[None, :], yes, no)[0]) + math.fsum(lows),
        scale,
        scales,
        {name: float(-low * scale) for (name, *_), low in zip(odds, lows, strict=True)},
    )


def _pair(classes: tuple[str, ...], called: str | None, against: str | None) -> tuple[int, int]:
    for name in (called, against):
        if name is not None and name not in classes:
            raise SettingError(no_such("class", str(name), classes, plural="classes"))
    if len(classes) == 2:
        yes = (
            classes.index(called)
            if called is not None
            else 1
            if against is None
            else 1 - classes.index(against)
        )
        no = 1 - yes if against is None else classes.index(against)
    elif called is None or against is None:
        raise SettingError(f"A nomogram sets one class against another; name both of: {', '.join(classes)}.")
    else:
        yes, no = classes.index(called), classes.index(against)
    if yes == no:
        raise SettingError(f"'{classes[yes]}' cannot be set against itself.")
    return yes, no


def _marks(model: BayesTables, term: BayesTerm, table: Table | None) -> tuple[list[str], Floats]:
    """A column's labels, and [label, class] what each adds."""
    match term:
        case ByValue(name, logs, _, _, cuts):
            if cuts is not None:
                ends = [-math.inf, *cuts, math.inf]
                return [str(interval(name, ends[i], ends[i + 1])) for i in range(len(cuts) + 1)], logs
            attribute = model.schema[name]
            assert isinstance(attribute, Nominal | Ordinal)
            return list(attribute.values), logs
        case Bell(_, _, means, precisions):
            reach = _REACH * np.sqrt(0.5 / precisions)
            low, high = float((means - reach).min()), float((means + reach).max())
            least, most = (-math.inf, math.inf) if table is None else _met(table, term.name)
            if max(low, least) <= min(high, most):
                low, high = max(low, least), min(high, most)
            return _along(term, low, high)
        case Hills(_, points):
            return _along(term, min(float(p.min()) for p in points), max(float(p.max()) for p in points))
        case Times(_, logs):
            return ["0", "1"], np.vstack([np.zeros_like(logs), logs])
        case Presence(_, present, absent):
            return ["0", "above 0"], np.vstack([absent, present])
        case ByWord():
            raise AssertionError("a text has no scale")
        case _:
            assert_never(term)


def _met(table: Table, name: str) -> tuple[float, float]:
    """The least and the largest value of a column."""
    column = table.columns.get(name)
    if column is None or column.dtype.kind != "f" or not np.isfinite(column).any():
        return -math.inf, math.inf
    return float(np.nanmin(column)), float(np.nanmax(column))


def _along(term: BayesTerm, low: float, high: float) -> tuple[list[str], Floats]:
    """Even steps from end to end, rounded to what a person would write."""
    places = 1 - math.floor(math.log10((high - low) / _TICKS)) if high > low else 6
    values = np.unique(np.round(np.linspace(low, high, _TICKS), places))
    return [number(value) for value in values.tolist()], added(term, values)


def _odds(logs: Floats, yes: int, no: int) -> Floats:
    """Log odds; 0 where both probabilities are 0."""
    one, other = logs[:, yes], logs[:, no]
    with np.errstate(invalid="ignore"):
        return np.where(one == other, 0.0, one - other)


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]
