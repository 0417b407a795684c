"""A Scorecard: a model of two classes in whole points that a person can add up, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

import numpy as np
import numpy.typing as npt

from clearwood import shown
from clearwood.arrays import Floats, Longs
from clearwood.errors import ColumnError, NamedOption, SettingError, no_such
from clearwood.explaining.card_lines import (
    MOST_POINTS,
    PointsTable,
    ScorecardLine,
    column_of,
    whole_points,
)
from clearwood.explaining.cards_of_models import (
    lines_of_additive,
    lines_of_linear,
    points_in_table,
    points_of_lines,
)
from clearwood.models.decision import Decision, decided
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.kind import Profile
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.lineage import Origin
from clearwood.models.model import check_kind
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import plain_shares
from clearwood.predicting.columns import column_for, table_for
from clearwood.scoring.positive import positive_class_of
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Column
from clearwood.words.numbers import many, percent_to, short

BINS: Final = 8  # intervals of a number that a person reads at a glance


@dataclass(frozen=True, slots=True)
class Rounding:
    """What whole points cost on some rows: differences of the share, and the part of answers that change."""

    largest: float
    mean: float
    changed: float

    def __str__(self) -> str:
        return (
            f"the card's probability differs from the model's by {short(self.mean)} on average and "
            f"{short(self.largest)} at most; {percent_to(self.changed, 1)} of the predictions change"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scorecard:
    """`start` points, plus those of every line that holds and of each table's cell. `base` points are even
    odds of `favours`, and `points_per_doubling` more double the odds.

    `cuts` and `bins` are what it was made with beside the model, so that it can be made again.
    """

    model: LinearModel | AdditiveModel
    favours: str
    points_per_doubling: float
    base: float
    start: int
    lines: tuple[ScorecardLine, ...]
    tables: tuple[PointsTable, ...] = ()
    cuts: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    bins: int | None = None

    @property
    def schema(self) -> Schema:
        """The columns of the model that it was made of."""
        return self.model.schema

    @property
    def decision(self) -> Decision:
        """How the model decides by its shares, and so the card by its own."""
        return self.model.decision

    @property
    def origin(self) -> Origin:
        """How the model was made."""
        return self.model.origin

    @property
    def profile(self) -> Profile | None:
        """What the model keeps of its training rows."""
        return self.model.profile

    @property
    def is_numeric(self) -> bool:
        """Does it predict a number rather than a class?"""
        return False

    @property
    def settings(self) -> dict[str, Any]:
        """What `scorecard` needs beside the model to make it again, as plain data."""
        return {
            "positive": self.favours,
            "points_per_doubling": self.points_per_doubling,
            "base": self.base,
            "cuts": {name: list(limits) for name, limits in self.cuts.items()},
            "bins": self.bins,
        }

    def points_of_column(self, name: str, cells: Column) -> Longs:
        """[cell] what the lines of a column add for cells of it."""
        own = [line for line in self.lines if column_of(line) == name]
        return points_of_lines(self.model, own, name, cells, self._factor)

    def score(self, rows: Any) -> Longs:
        """[row] the sum of its points."""
        table = table_for(self.model, rows)
        cells = {name: column_for(self.schema[name], table) for name in columns_used(self.model)}
        total = np.full(len(table), self.start, dtype=np.int64)
        for name, column in cells.items():
            total += self.points_of_column(name, column)
        for each in self.tables:
            total += points_in_table(self.schema, each, *(cells[name] for name in each.names))
        return total

    def share(self, points: float) -> float:
        """The share of `favours` that a sum of points stands for."""
        odds = (self.base - points) / self.points_per_doubling
        return 0.0 if odds > 1000 else 1.0 / (1.0 + 2.0**odds)

    def class_shares(self, rows: Any) -> Floats:
        """[row, class] the shares that the sums of points stand for."""
        return self._class_shares(self.score(rows))

    def predict(self, rows: Any) -> npt.NDArray[np.object_]:
        """[row] the class by the card's shares: `favours` above `base` points, or as the model decides by a
        cutoff or costs; None where it refers a row."""
        points = self.score(rows)
        classes = self.model.schema.classes
        if self.decision.is_plain and not self.decision.costs:
            own = classes.index(self.favours)
            codes = np.where(points > self.base, own, 1 - own)
        else:
            codes = decided(self._class_shares(points), self.decision, classes)
        return np.array([*classes, None], dtype=object)[codes]

    def _class_shares(self, points: Longs) -> Floats:
        shares = np.empty((len(points), 2))
        own = self.model.schema.classes.index(self.favours)
        shares[:, own] = [self.share(each) for each in points.tolist()]
        shares[:, 1 - own] = 1.0 - shares[:, own]
        return shares

    def shares(self, steps: int = 10) -> tuple[tuple[int, float], ...]:
        """Points and shares, from a share near 0.01 to one near 0.99."""
        reach = self.points_per_doubling * math.log2(99)
        ends = (float(round(self.base - reach)), float(round(self.base + reach)))
        totals = sorted({round(each) for each in np.linspace(*ends, max(2, steps + 1)).tolist()})
        return tuple((points, self.share(points)) for points in totals)

    def rounding(self, rows: Any) -> Rounding:
        """The card beside the model on these rows."""
        table = table_for(self.model, rows)
        exact = plain_shares(self.model, table)[:, self.model.schema.classes.index(self.favours)]
        rough = np.array([self.share(points) for points in self.score(table).tolist()])
        apart = np.abs(exact - rough)
        if not len(apart):
            return Rounding(0.0, 0.0, 0.0)
        changed = float(((exact > 0.5) != (rough > 0.5)).mean())
        return Rounding(float(apart.max()), float(apart.mean()), changed)

    @property
    def _factor(self) -> float:
        doubling = self.points_per_doubling / math.log(2)
        return doubling if self.favours == _scored(self.model) else -doubling

    def __str__(self) -> str:
        return shown.text(self)


def scorecard(
    model: LinearModel | AdditiveModel,
    *,
    positive: str | None = None,
    points_per_doubling: float = 20,
    base: float = 0,
    cuts: Mapping[str, Sequence[float]] | None = None,
    bins: int | None = None,
) -> Scorecard:
    """The model's weights or curves as whole points: every `points_per_doubling` points double the odds of
    the class that is `positive`, named or guessed by the training rows.

    Values are set so that the least of each column gets 0 points, and the card starts with what that takes
    away. With weights a number gets points per unit (in three digits; the start makes up for the others), or
    with `cuts` {"age": [30, 50]} points for each interval, worth the number in its middle (the outer ones are
    taken as wide as their neighbour, or with a single cut to reach as far as the column's mean lies from it).

    A number's curve is divided into at most `bins` intervals (8) where that costs its training rows least, or
    at `cuts`; an interval is worth the mean of its rows. Intervals of equal points are one line, and so are
    values. A pair is a table of up to four groups by four.

    >>> from clearwood.models.kinds.linear.linear_model import ValueTerm
    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((Nominal("home", ("rent", "own")),), Nominal("loan", ("lost", "paid")))
    >>> model = LinearModel(schema, ("paid",), "lost", (ValueTerm("home", "own"),), (0.7,), ((1.4,),),
    ...     references={"home": "rent"}, fills={"home": "rent"})
    >>> card = scorecard(model)
    >>> card.start, [(str(line.when), line.points) for line in card.lines], round(card.share(60), 3)
    (20, [('home = rent', 0), ('home = own', 40)], 0.889)
    """
    check_kind("scorecard", model, LinearModel, AdditiveModel)
    favours = _favours(model, positive)
    if not (math.isfinite(points_per_doubling) and points_per_doubling > 0):
        raise SettingError(
            NamedOption("points_per_doubling"), f" must be above 0 and finite, not {points_per_doubling!r}."
        )
    if not abs(base) <= MOST_POINTS:
        raise SettingError(
            NamedOption("base"), f" must be a number of points up to {MOST_POINTS:g}, not {base!r}."
        )
    given = _checked(model, cuts or {})
    doubling = points_per_doubling / math.log(2)
    factor = doubling if favours == _scored(model) else -doubling
    lines: tuple[ScorecardLine, ...]
    tables: tuple[PointsTable, ...] = ()
    match model:
        case LinearModel():
            if bins is not None:
                raise SettingError(
                    NamedOption("bins"),
                    " is for curves; a weight has points per unit, or ",
                    NamedOption("cuts"),
                    ".",
                )
            start, lines = lines_of_linear(model, factor, given)
        case AdditiveModel():
            if bins is not None and (isinstance(bins, bool) or not isinstance(bins, int) or bins < 1):
                raise SettingError(NamedOption("bins"), f" must be a whole number from 1 up, not {bins!r}.")
            start, lines, tables = lines_of_additive(model, factor, given, bins or BINS)
        case _:
            assert_never(model)
    start += base + doubling * _odds_of_priors(model, favours)
    return Scorecard(
        model,
        favours,
        float(points_per_doubling),
        float(base),
        whole_points(start),
        lines,
        tables,
        given,
        bins,
    )


def _favours(model: LinearModel | AdditiveModel, positive: str | None) -> str:
    """The class that points speak for; refused where there are not two, or where shares are changed later."""
    _scored(model)
    return positive_class_of(model, positive)[0]


def _scored(model: LinearModel | AdditiveModel) -> str:
    """The class whose log odds the model's score is."""
    if model.decision.adjusts:
        raise SettingError(
            "This model's calibration or prevalence changes its probabilities after the points are added "
            "up, so "
            "that a card would give other probabilities. Make it of the model before that."
        )
    if model.is_numeric:
        raise SettingError(
            "A scorecard is for two classes; this model predicts a number, and its curves are in "
            "units of that number already: print or draw the model."
        )
    if isinstance(model, LinearModel):
        scored = model.contrasts if model.against is not None else ()
    else:
        scored = model.schema.classes[1:] if model.link == "logistic" else ()
    if len(scored) != 1:
        raise SettingError(_not_two(model))
    return scored[0]


def _not_two(model: LinearModel | AdditiveModel) -> str:
    classes = len(model.schema.classes)
    if classes == 2:  # weights may be of each class, where only differences count
        return "A scorecard is of one score for two classes; this model has a score for each."
    return f"A scorecard is for two classes; this model has {many(classes, 'class', 'classes')}."


def _odds_of_priors(model: LinearModel | AdditiveModel, favours: str) -> float:
    """What priors add to the log odds of every row."""
    if not model.decision.factors:
        return 0.0
    factors = dict(zip(model.schema.classes, model.decision.factors, strict=True))
    own = factors.pop(favours)
    other = factors.popitem()[1]
    if own <= 0 or other <= 0:
        raise SettingError("The priors rule a class out: whatever the points, the prediction is the other.")
    return math.log(own / other)


def _checked(
    model: LinearModel | AdditiveModel, cuts: Mapping[str, Sequence[float]]
) -> dict[str, tuple[float, ...]]:
    read = model.columns() if isinstance(model, LinearModel) else [shape.name for shape in model.shapes]
    numbers = [name for name in read if isinstance(model.schema[name], Numeric)]
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
