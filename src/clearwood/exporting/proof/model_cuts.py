"""The numbers at which a model changes its mind, read from the model itself.

What an export is made from, the model's program, is not asked: a cut that was lost on the way there is tried.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Final

from clearwood.explaining.card_lines import PointsPerUnit
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable, limits_of_card
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.profile import NumbersProfile
from clearwood.models.space.model_space import PairCuts
from clearwood.models.space.space_of import space_of, thresholds_of

_COUNTED: Final = 1e12  # points: beyond, a float has no halves worth telling apart


def cuts_of_model(model: Exportable) -> dict[str, tuple[float, ...]]:
    """By column, ascending: the limits of conditions and surrogates, and the cuts of curves and tables.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts_of_model(cw.C45().learn(table))
    {'Humidity': (75.0,)}
    """
    if not isinstance(model, Scorecard):
        return {name: cuts for name, cuts in thresholds_of(model).items() if cuts}
    by_name: dict[str, set[float]] = {}
    for name, number in (*limits_of_card(model), *_rounded_units(model)):
        if math.isfinite(number):
            by_name.setdefault(name, set()).add(number)
    return {name: tuple(sorted(numbers)) for name, numbers in by_name.items()}


def _rounded_units(card: Scorecard) -> Iterator[tuple[str, float]]:
    """Of points by unit: how far they reach, and some of the numbers at which they are rounded."""
    for line in unit_lines(card):
        profile = None if card.profile is None else card.profile.columns.get(line.name)
        middle = middle_of_unit(card, line)
        usual = profile.quantiles if isinstance(profile, NumbersProfile) else (0.0, middle, 2 * middle)
        yield from ((line.name, each) for each in (*rounded_at(line, usual), -line.reach, line.reach))


def cuts_of_pairs(model: Exportable) -> Iterable[PairCuts]:
    """The columns that a model has tables for, two by two, and the cuts of both."""
    return space_of(model.model if isinstance(model, Scorecard) else model).pairs()


def unit_lines(model: Exportable) -> tuple[PointsPerUnit, ...]:
    """The lines of a scorecard that give points for each unit of a number."""
    lines = model.lines if isinstance(model, Scorecard) else ()
    return tuple(each for each in lines if isinstance(each, PointsPerUnit))


def middle_of_unit(model: Exportable, line: PointsPerUnit) -> float:
    """A usual number of a column with points by unit: the mean that an empty cell is taken for."""
    fills = model.model.fills if isinstance(model, Scorecard) and isinstance(model.model, LinearModel) else {}
    return float(fills.get(line.name, 1.0))


def rounded_at(line: PointsPerUnit, near: Iterable[float]) -> list[float]:
    """Beside each of some numbers: where the points of a unit, rounded, become one more.

    >>> rounded_at(PointsPerUnit("age", 0.5, 0.5, 0), (30.2,))
    [29.0, 31.0]
    """
    if not line.points:
        return []
    cuts: list[float] = []
    for number in near:
        points = number * line.points
        if abs(points) < _COUNTED:
            below = math.floor(points + 0.5) - 0.5
            cuts += sorted({below / line.points, (below + 1) / line.points})
    return cuts
