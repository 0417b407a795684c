"""The numbers at which a model changes its mind, read from the model itself.

What an export is made from, the model's program, is not asked: a cut that was lost on the way there is tried.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, assert_never

import numpy as np

from clearwood.explain.card_lines import PointsPerUnit
from clearwood.explain.scorecard import Scorecard
from clearwood.export.exportable import Exportable
from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    OnNumbers,
    bounds_of,
    limits_of,
)
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Bag, Cuts
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.profile import NumbersProfile
from clearwood.table.attributes import Numeric

_COUNTED: Final = 1e12  # points: beyond, a float has no halves worth telling apart
_ColumnNumbers: TypeAlias = tuple[str, Iterable[float]]


def cuts_of_model(model: Exportable) -> dict[str, tuple[float, ...]]:
    """By column, ascending: the limits of conditions and surrogates, and the cuts of curves and tables.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts_of_model(cw.C45().learn(table))
    {'Humidity': (75.0,)}
    """
    by_name: dict[str, set[float]] = {}
    for name, numbers in _numbers(model):
        by_name.setdefault(name, set()).update(numbers)
    finite = {name: sorted(filter(np.isfinite, numbers)) for name, numbers in by_name.items()}
    return {name: tuple(numbers) for name, numbers in finite.items() if numbers}


def _numbers(model: Exportable) -> Iterator[_ColumnNumbers]:
    match model:
        case Tree():
            yield from _of_tree(model)
        case RuleList():
            yield from _of_rules(model)
        case Ensemble():
            for member in model.members:
                yield from _numbers(member)
        case BayesTables():
            for each in model.distributions:
                if isinstance(each, Cuts):
                    yield each.name, each.cuts
                elif isinstance(each, Bag) and each.event == "bernoulli":
                    yield from ((name, (0.0,)) for name in each.names)
        case AdditiveModel():
            for shape in model.shapes:
                yield shape.name, shape.cuts
            for pair in model.pairs:
                yield from zip(pair.names, pair.cuts, strict=True)
        case LinearModel():
            return
        case Scorecard():
            yield from _of_card(model)
        case _:
            assert_never(model)


def _of_card(card: Scorecard) -> Iterator[_ColumnNumbers]:
    """The cuts of its lines and tables; of points by unit some of the numbers at which they are rounded."""
    for line in card.lines:
        if isinstance(line, PointsPerUnit):
            profile = None if card.profile is None else card.profile.columns.get(line.name)
            middle = middle_of_unit(card, line)
            usual = profile.quantiles if isinstance(profile, NumbersProfile) else (0.0, middle, 2 * middle)
            yield line.name, rounded_at(line, usual)
            yield line.name, (-line.reach, line.reach)
        elif isinstance(line.when, OnNumbers):
            yield line.when.name, bounds_of(line.when)
    for table in card.tables:
        for when in (*table.down, *table.across):
            if isinstance(when, OnNumbers):
                yield when.name, bounds_of(when)


def cuts_of_pairs(
    model: Exportable,
) -> Iterator[tuple[tuple[str, str], tuple[Sequence[float], Sequence[float]]]]:
    """The columns that a model has tables for, two by two, and the cuts of both."""
    of = model.model if isinstance(model, Scorecard) else model
    if isinstance(of, AdditiveModel):
        yield from ((pair.names, pair.cuts) for pair in of.pairs)


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


def _of_tree(tree: Tree) -> Iterator[_ColumnNumbers]:
    nodes = tree.nodes
    for place, attribute in enumerate(tree.schema.attributes):
        if isinstance(attribute, Numeric):
            asked = (nodes.attribute == place) & (nodes.parent >= 0)
            yield attribute.name, nodes.low[asked].tolist()
            yield attribute.name, nodes.high[asked].tolist()
            yield attribute.name, nodes.s_limit[nodes.s_attribute == place].tolist()


def _of_rules(rules: RuleList) -> Iterator[_ColumnNumbers]:
    for rule in rules.rules:
        for condition in rule.when:
            if isinstance(condition, AtMost | Below | Above | AtLeast | Between):
                yield condition.name, [limit.number for limit in limits_of(condition)]
