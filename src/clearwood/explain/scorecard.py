"""A Scorecard: a logistic model in whole points that a person can add up, and what the rounding costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, assert_never

import numpy as np

from clearwood import shown
from clearwood.advice import Advice, NamedOption
from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    OnNumbers,
    bounds_of,
)
from clearwood.models.kinds import check_kind
from clearwood.models.linear_model import LinearModel, MissingTerm, NumberTerm, ValueTerm
from clearwood.predict.columns import column_for, table_for
from clearwood.predict.of_linear import shares_of_linear
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, Column

_MOST: Final = 1e12  # points of one number: beyond, a share is 0 or 1 whatever the others add


@dataclass(frozen=True, slots=True)
class Points:
    """Points for a row of which this holds; `exact` is what was rounded."""

    when: Condition
    points: int
    exact: float


@dataclass(frozen=True, slots=True)
class PointsPerUnit:
    """Points for each unit of a number, their product rounded; `missing` for an empty cell."""

    name: str
    points: float
    exact: float
    missing: int

    def __str__(self) -> str:
        return f"{self.name}, each unit"


ScorecardLine = Points | PointsPerUnit


@dataclass(frozen=True, slots=True)
class Rounding:
    """What whole points cost on some rows: differences of the share, and answers that change."""

    largest: float
    mean: float
    changed: float


@dataclass(frozen=True, slots=True, eq=False)
class Scorecard:
    """`start` points, plus those of every line that holds. `base` points are even odds of `favours`, and
    `points_per_doubling` more double the odds."""

    model: LinearModel
    favours: str
    points_per_doubling: float
    base: float
    start: int
    lines: tuple[ScorecardLine, ...]

    def score(self, rows: Any) -> Longs:
        """[row] the sum of its points."""
        table = table_for(self.model, rows)
        total = np.full(len(table), self.start, dtype=np.int64)
        for name in self.model.columns():
            total += self._points(name, column_for(self.model.schema[name], table))
        return total

    def share(self, points: float) -> float:
        """The share of `favours` that a sum of points stands for."""
        odds = (self.base - points) / self.points_per_doubling
        return 0.0 if odds > 1000 else 1.0 / (1.0 + 2.0**odds)

    def shares(self, steps: int = 10) -> tuple[tuple[int, float], ...]:
        """Points and shares, from a share near 0.01 to one near 0.99."""
        reach = self.points_per_doubling * math.log2(99)
        ends = (float(round(self.base - reach)), float(round(self.base + reach)))
        totals = sorted({round(each) for each in np.linspace(*ends, max(2, steps + 1)).tolist()})
        return tuple((points, self.share(points)) for points in totals)

    def rounding(self, rows: Any) -> Rounding:
        """The card beside the model on these rows."""
        table = table_for(self.model, rows)
        place = self.model.schema.classes.index(self.favours)
        exact = shares_of_linear(self.model, table)[:, place]
        rough = np.array([self.share(points) for points in self.score(table).tolist()])
        apart = np.abs(exact - rough)
        if not len(apart):
            return Rounding(0.0, 0.0, 0.0)
        changed = float(((exact > 0.5) != (rough > 0.5)).mean())
        return Rounding(float(apart.max()), float(apart.mean()), changed)

    def _points(self, name: str, cells: Column) -> Longs:
        attribute = self.model.schema[name]
        lines = [line for line in self.lines if _name(line) == name]
        points = np.zeros(len(cells), dtype=np.int64)
        fill = self.model.fills[name]
        if isinstance(attribute, Numeric):
            empty = np.isnan(cells)
            numbers = np.where(empty, float(fill), cells)
            for line in lines:
                match line:
                    case PointsPerUnit():
                        points += np.clip(np.rint(numbers * line.points), -_MOST, _MOST).astype(np.int64)
                        points[empty] = line.missing
                    case Points(when):
                        gaps = empty & self._has_gap(name)
                        points[_numbers_of(when, numbers, empty, gaps)] = line.points
                    case _:
                        assert_never(line)
        elif isinstance(attribute, Nominal | Ordinal):
            places = {value: code for code, value in enumerate(attribute.values)}
            by_code = np.full(len(places) + 2, self._unusable(name, lines), dtype=np.int64)
            for line in lines:
                match line:
                    case Points(when):
                        by_code[_code_of(when, places) + 2] = line.points
                    case PointsPerUnit():
                        raise _unfitting(line)
                    case _:
                        assert_never(line)
            points = by_code[cells + 2]
        return points

    def _unusable(self, name: str, lines: list[ScorecardLine]) -> int:
        """The points of a cell that no line is about: the average's, or those of what it is taken for."""
        model = self.model
        taken = model.references.get(name) if name in model.averages else model.fills[name]
        line = next((n for n in lines if isinstance(n, Points) and n.when == Equals(name, str(taken))), None)
        if line is None:
            return 0
        if name not in model.averages:
            return line.points
        # The reference adds nothing: its exact points are what the column's least value takes away.
        return round(line.exact + self.points_per_doubling / math.log(2) * model.averages[name][0])

    def _has_gap(self, name: str) -> bool:
        """Has an empty cell points of its own, rather than those of what it is taken for?"""
        return MissingTerm(name) in self.model.terms

    def __str__(self) -> str:
        return shown.text(self)


def scorecard(
    model: LinearModel,
    *,
    points_per_doubling: float = 20,
    base: float = 0,
    cuts: Mapping[str, Sequence[float]] | None = None,
) -> Scorecard:
    """The model's weights as whole points: every `points_per_doubling` points double the odds.

    Values are set so that the least of each column gets 0 points, and the card starts with what that takes
    away. A number gets points per unit (in three digits; the start makes up for the others), or with `cuts`
    {"age": [30, 50]} points for each interval, worth the number in its middle (the outer ones are taken as
    wide as their neighbour, or with a single cut to reach as far as the column's mean lies from it).

    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((Nominal("home", ("rent", "own")),), Nominal("loan", ("lost", "paid")))
    >>> model = LinearModel(schema, ("paid",), "lost", (ValueTerm("home", "own"),), (0.7,), ((1.4,),),
    ...     references={"home": "rent"}, fills={"home": "rent"})
    >>> card = scorecard(model)
    >>> card.start, [(str(line.when), line.points) for line in card.lines], round(card.share(60), 3)
    (20, [('home = rent', 0), ('home = own', 40)], 0.889)
    """
    check_kind("scorecard", model, LinearModel)
    if len(model.contrasts) != 1 or model.against is None:
        raise SettingError("A scorecard is for two classes; this model has more.")
    if model.fit is not None and model.fit.separation is not None:
        raise SettingError(
            "Some weights of this model have no finite estimate, and so no points: classes are separated. "
            "Learn it with ",
            Advice("penalty", "l2", setting=True),
            ".",
        )
    if not (math.isfinite(points_per_doubling) and points_per_doubling > 0):
        raise SettingError(
            NamedOption("points_per_doubling"), f" must be above 0 and finite, not {points_per_doubling!r}."
        )
    if not abs(base) <= _MOST:
        raise SettingError(NamedOption("base"), f" must be a number of points up to {_MOST:g}, not {base!r}.")
    cuts = _checked(model, cuts or {})
    factor = points_per_doubling / math.log(2)
    weights = dict(zip(model.terms, model.weights[0], strict=True))
    exact_start = base + factor * model.intercepts[0]
    lines: list[ScorecardLine] = []
    for name in model.columns():
        attribute = model.schema[name]
        gap = factor * weights[MissingTerm(name)] if MissingTerm(name) in weights else None
        if MissingTerm(name) in model.dependent and not isinstance(attribute, Numeric):
            gap = 0.0
        worth: list[tuple[Condition, float]] = []
        if isinstance(attribute, Numeric):
            weight, fill = factor * weights.get(NumberTerm(name), 0.0), float(model.fills[name])
            if not cuts.get(name) and NumberTerm(name) in weights:
                shown = float(f"{weight:.3g}")
                # What three digits take from each unit the start gives back to a row at the mean.
                exact_start += (weight - shown) * fill
                lines.append(PointsPerUnit(name, shown, weight, _whole(shown * fill + (gap or 0.0))))
                continue
            worth = [(when, weight * middle) for when, middle in _intervals(name, cuts.get(name, ()), fill)]
            worth = worth or [(AtMost(name, math.inf), 0.0)]
            if gap is not None:
                worth.append((IsMissing(name), weight * fill + gap))
        elif isinstance(attribute, Nominal | Ordinal):
            steps = {model.references.get(name, ""): 0.0}
            steps |= {t.value: 0.0 for t in model.dependent if isinstance(t, ValueTerm) and t.name == name}
            steps |= {
                t.value: factor * w for t, w in weights.items() if isinstance(t, ValueTerm) and t.name == name
            }
            worth = [(Equals(name, value), steps[value]) for value in attribute.values if value in steps]
            if gap is not None:
                worth.append((IsMissing(name), gap))
        least = min(points for _, points in worth)
        exact_start += least
        lines += [Points(when, _whole(points - least), points - least) for when, points in worth]
    return Scorecard(
        model, model.contrasts[0], float(points_per_doubling), float(base), _whole(exact_start), tuple(lines)
    )


def _whole(points: float) -> int:
    if not abs(points) <= _MOST:
        raise SettingError(
            f"There are {points:.3g} points on this card, more than a person can add up. Give fewer ",
            NamedOption("points_per_doubling"),
            ", or rescale the columns of the model.",
        )
    return round(points)


def _checked(model: LinearModel, cuts: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
    numbers = [name for name in model.columns() if isinstance(model.schema[name], Numeric)]
    checked = {}
    for name, limits in cuts.items():
        if name not in numbers:
            raise ColumnError(
                f"cuts: {no_such('number in the model called', name, numbers, plural='numbers')}"
            )
        plain = tuple(sorted({float(limit) for limit in limits}))
        if not all(map(math.isfinite, plain)):
            raise SettingError(f"cuts: those of '{name}' must be finite numbers.")
        checked[name] = plain
    return checked


def _intervals(name: str, cuts: tuple[float, ...], mean: float) -> list[tuple[Condition, float]]:
    """The intervals between cuts, each with the number in its middle."""
    if not cuts:
        return []
    reach = abs(mean - cuts[0]) or 1.0
    low = (cuts[1] - cuts[0]) / 2 if len(cuts) > 1 else reach
    high = (cuts[-1] - cuts[-2]) / 2 if len(cuts) > 1 else reach
    inner: list[tuple[Condition, float]] = [(Between(name, a, b), (a + b) / 2) for a, b in pairwise(cuts)]
    return [(AtMost(name, cuts[0]), cuts[0] - low), *inner, (Above(name, cuts[-1]), cuts[-1] + high)]


def _numbers_of(when: Condition, numbers: Floats, empty: Bools, gaps: Bools) -> Bools:
    """[row] Which numbers of a column a line's condition is about; `gaps` are left to the line of gaps."""
    match when:
        case IsMissing():
            return empty
        case AtMost() | Below() | Above() | AtLeast() | Between():
            return np.asarray(_within(when, numbers) & ~gaps)
        case Equals() | OneOf():
            raise _unfitting(when)
        case _:
            assert_never(when)


def _code_of(when: Condition, places: Mapping[str, int]) -> int:
    """The code of the value that a line's condition is about."""
    match when:
        case Equals(_, value):
            return places[value]
        case IsMissing():
            return MISSING
        case OneOf() | AtMost() | Below() | Above() | AtLeast() | Between():
            raise _unfitting(when)
        case _:
            assert_never(when)


def _unfitting(what: object) -> SettingError:
    return SettingError(f"This scorecard has a line that its column's kind cannot have: {what}.")


def _within(when: OnNumbers, numbers: Floats) -> Any:
    low, high = bounds_of(when)
    return (numbers > low) & (numbers <= high)


def _name(line: ScorecardLine) -> str:
    return line.name if isinstance(line, PointsPerUnit) else line.when.name
