"""A nomogram: points to be read off for each cell and added by hand, and what their total means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError, no_such
from clearwood.explaining.curve_groups import (
    AnotherValue,
    CellWords,
    groups_of_curve,
    groups_of_pair,
    label_of,
    mean_over,
    rows_in,
)
from clearwood.formulas.conditions import IsMissing, OneOf, interval
from clearwood.models.account.account import (
    Account,
    AccountTerm,
    ByWord,
    KernelDensity,
    NormalDensity,
    PerCount,
    Places,
    Presence,
    Slope,
)
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cells_of_shape,
    curves_in,
    name_of,
    sides_of,
)
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.model import account_of, check_kind
from clearwood.predicting.added import added
from clearwood.scoring.positive import positive_class_of
from clearwood.table.table import Table
from clearwood.words.numbers import number

_INTERVALS: Final = 8  # of a curve
_SIDE: Final = 2  # groups of each column of a pair
_MOST_VALUES: Final = 14  # of a column, beyond which those alike are joined
_VALUES: Final = 8  # groups that they are joined to
_NAMED: Final = 4  # values of a group that are named
_LEAST: Final = 5.0  # points of a pair that is worth its scale
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

    A column that is missing counts `skipped[name]` points. The pairs in `left_out` move the total of the
    training rows too little to be read off, and count as nothing.
    """

    called: str
    against: str
    base: float
    points_per_log_odds: float
    scales: tuple[Scale, ...]
    skipped: dict[str, float]
    left_out: tuple[str, ...] = ()

    def share(self, points: float) -> float:
        """The share of `called`, of the two classes, for a total of points."""
        odds = self.base + points / self.points_per_log_odds
        return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))


def nomogram(
    model: BayesTables | AdditiveModel,
    called: str | None = None,
    against: str | None = None,
    *,
    table: Table | None = None,
) -> Nomogram:
    """Points for each value of each column: 0 for its worst value, 100 for the best of the widest column.

    With two classes `called` is the second unless named; with more both must be named. The scale of a number
    that is taken as Gaussian goes two standard deviations beyond the classes' means: a model does not know
    which values there can be. With `table`, it goes no further than the values there.

    A number's curve has a mark for each of a few intervals, into which it is divided as on a scorecard, and a
    pair one for each two groups of cells; a pair that has less than 5 points between any two training rows
    has no scale.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> chart = nomogram(cw.NaiveBayes().learn(table), "yes")
    >>> [(tick.label, round(tick.points)) for tick in chart.scales[0].ticks]
    [('<=30', 0), ('31...40', 100), ('>40', 30)]
    >>> round(chart.share(sum(scale.ticks[0].points for scale in chart.scales)), 3)
    0.163
    """
    check_kind("nomogram", model, BayesTables, AdditiveModel)
    if model.is_numeric:
        raise SettingError("A nomogram sets one class against another; this model predicts a number.")
    yes, no = _pair(model, called, against)
    account = account_of(model)
    base = float(_odds(account.start[None, :], yes, no)[0])
    match model:
        case BayesTables():
            lines = _of_terms(account, yes, no, table)
        case AdditiveModel():
            lines = _of_curves(model, account, yes, no)
            if model.decision.factors:
                base += math.log(model.decision.factors[yes] / model.decision.factors[no])
        case _:
            assert_never(model)
    lows = [float(_finite(line.odds).min()) if _finite(line.odds).size else 0.0 for line in lines]
    widest = max((np.ptp(_finite(line.odds)) for line in lines if _finite(line.odds).size), default=0.0)
    scale = _LONGEST / widest if widest > 0 else 1.0
    scales = tuple(
        Scale(
            line.name,
            tuple(
                Tick(label, each, (each - low) * scale if math.isfinite(each) else None)
                for label, each in zip(line.labels, line.odds.tolist(), strict=True)
            ),
        )
        for line, low in zip(lines, lows, strict=True)
    )
    skipped = {line.name: float(line.missing - low) * scale for line, low in zip(lines, lows, strict=True)}
    classes = model.schema.classes
    left_out = tuple(name_of(pair) for pair in getattr(model, "pairs", ()) if name_of(pair) not in skipped)
    return Nomogram(classes[yes], classes[no], base + math.fsum(lows), scale, scales, skipped, left_out)


@dataclass(frozen=True, slots=True)
class _Line:
    """A column's marks, their log odds, and those of a missing cell."""

    name: str
    labels: list[str]
    odds: Floats
    missing: float = 0.0


def _of_terms(account: Account, yes: int, no: int, table: Table | None) -> list[_Line]:
    if any(isinstance(term, ByWord) for term in account.terms):
        raise SettingError(
            "A text has too many words for a nomogram. Ask top_words, or evidence for one text."
        )
    lines = []
    for term in account.terms:
        labels, logs = _marks(term, table)
        lines.append(_Line(term.name, labels, _odds(logs, yes, no)))
    return lines


def _of_curves(model: AdditiveModel, account: Account, yes: int, no: int) -> list[_Line]:
    """What each group of cells adds to the log odds of the one class against the other."""
    terms = zip(curves_in(model), account.places, strict=True)
    curves = [(curve, _odds(term.added, yes, no)) for curve, term in terms]
    lengths = [float(np.ptp(points[rows_in(term) > 0])) for term, points in curves]
    widest = max(lengths, default=0.0)
    lines: list[_Line] = []
    reach: list[float] = []  # of each pair's whole table, which its few marks may level out
    for (term, points), length in sorted(zip(curves, lengths, strict=True), key=lambda each: -each[1]):
        # A short scale has room for few marks.
        most = max(2, math.ceil(_INTERVALS * length / widest)) if widest > 0 else 1
        if isinstance(term, Shape):
            lines.append(_line_of_curve(model, term, points, most))
            reach.append(math.inf)
        else:
            lines.append(_line_of_pair(model, term, points))
            reach.append(max(length, float(np.ptp(lines[-1].odds))))
    drawn = max((float(np.ptp(line.odds)) for line in lines), default=0.0)
    return [
        line for line, own in zip(lines, reach, strict=True) if own > 0 and own * _LONGEST >= _LEAST * drawn
    ]


def _line_of_curve(model: AdditiveModel, shape: Shape, points: Floats, most: int) -> _Line:
    """Of a column with many values, groups of values alike; a missing cell where some rows had one."""
    rows = rows_in(shape)
    many = len(points) > _MOST_VALUES
    groups = groups_of_curve(
        model, shape, max(most, _VALUES) if many and not shape.cuts else most, joins_values=many
    )
    missing = next(each for each in groups if isinstance(each.when, IsMissing))
    empty = float(points[missing.cells[0]])
    shown = [
        each
        for each in groups
        if not isinstance(each.when, AnotherValue)
        and (each is not missing or (shape.rows and rows[missing.cells[0]] > 0))
    ]
    values = [mean_over(points, rows, each.cells) for each in shown]
    return _Line(shape.name, [_few(each.when) for each in shown], np.array(values), empty)


def _line_of_pair(model: AdditiveModel, pair: PairShape, points: Floats) -> _Line:
    wide, rows = cells_of_shape(model.schema, *sides_of(pair)[1]), rows_in(pair)
    down, across = (
        [each for each in side if not isinstance(each.when, AnotherValue | IsMissing)]
        for side in groups_of_pair(model, pair, _SIDE)
    )
    labels, values = [], []
    for one in down:
        for other in across:
            cells = [i * wide + j for i in one.cells for j in other.cells]
            labels.append(f"{_few(one.when)} & {_few(other.when)}")
            values.append(mean_over(points, rows, cells))
    return _Line(name_of(pair), labels, np.array(values))


def _few(when: CellWords) -> str:
    """The label, of many values the first, and how many more."""
    if isinstance(when, OneOf) and len(when.values) > _NAMED:
        return f"{', '.join(when.values[: _NAMED - 1])} and {len(when.values) - _NAMED + 1} more"
    return label_of(when)


def _pair(model: BayesTables | AdditiveModel, called: str | None, against: str | None) -> tuple[int, int]:
    classes = model.schema.classes
    for name in (called, against):
        if name is not None and name not in classes:
            raise SettingError(no_such("class", str(name), classes, plural="classes"))
    if len(classes) == 2:
        yes = (
            classes.index(called)
            if called is not None
            else classes.index(positive_class_of(model)[0])
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


def _marks(term: AccountTerm, table: Table | None) -> tuple[list[str], Floats]:
    """A column's labels, and [label, class] what each adds."""
    match term:
        case Places((side,), logs):
            if side.values is not None:
                return list(side.values), logs[: side.known]
            ends = (-math.inf, *side.cuts, math.inf)
            return [str(interval(side.name, *each)) for each in pairwise(ends)], logs[: side.known]
        case NormalDensity(_, _, means, precisions):
            reach = _REACH * np.sqrt(0.5 / precisions)
            low, high = float((means - reach).min()), float((means + reach).max())
            least, most = (-math.inf, math.inf) if table is None else _met(table, term.name)
            if max(low, least) <= min(high, most):
                low, high = max(low, least), min(high, most)
            return _along(term, low, high)
        case KernelDensity(_, points):
            return _along(term, min(float(p.min()) for p in points), max(float(p.max()) for p in points))
        case PerCount(_, logs):
            return ["0", "1"], np.vstack([np.zeros_like(logs), logs])
        case Presence(_, present, absent):
            return ["0", "above 0"], np.vstack([absent, present])
        case ByWord() | Slope() | Places():
            raise AssertionError("a text has no scale, and Bayes tables have no weights and no pairs")
        case _:
            assert_never(term)


def _met(table: Table, name: str) -> tuple[float, float]:
    """The least and the largest value of a column."""
    column = table.columns.get(name)
    if column is None or column.dtype.kind != "f" or not np.isfinite(column).any():
        return -math.inf, math.inf
    return float(np.nanmin(column)), float(np.nanmax(column))


def _along(term: AccountTerm, low: float, high: float) -> tuple[list[str], Floats]:
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
