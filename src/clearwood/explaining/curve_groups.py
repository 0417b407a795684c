"""The cells of a curve or a pair joined into a few groups, so that a person can read them off.

Of an additive model a number has up to 255 intervals. Neighbours are joined where that changes the points of
the training rows least: the best division into so many runs (Fisher 1958).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import SettingError
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    bounds_of,
    interval,
    one_of,
    takes_missing,
    values_of,
    written,
)
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    TermSide,
    cells_of_shape,
    curves_in,
    name_of,
    sides_of,
)
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, UNSEEN, Column
from clearwood.words.numbers import brief, number

_FINEST: Final = 400  # runs that are compared; more are first joined by their rows


@dataclass(frozen=True, slots=True)
class AnotherValue:
    """A value that the column's schema does not list; with `or_missing` also an empty cell."""

    name: str
    or_missing: bool = False

    def __str__(self) -> str:
        return f"{written(self.name)} is {'missing or ' * self.or_missing}another value"


CellWords: TypeAlias = Condition | AnotherValue


@dataclass(frozen=True, slots=True)
class CellGroup:
    """Cells of a column, by their places in its curve, and the condition that a row is in one of them."""

    when: CellWords
    cells: tuple[int, ...]


def label_of(when: CellWords) -> str:
    """The cells without the name of their column, for a scale or a table that has it already.

    >>> label_of(interval("age", 20.0, 30.0)), label_of(IsMissing("age")), label_of(one_of("c", ("p", "q")))
    ('20 to 30', 'missing', 'p, q')
    """
    match when:
        case AnotherValue(_, or_missing):
            return f"{'missing or ' * or_missing}another value"
        case IsMissing():
            return "missing"
        case Equals(_, value):
            return value
        case OneOf(_, values):
            return ", ".join(values)
        case AtMost() | Below() | Above() | AtLeast() | Between():
            low, high = bounds_of(when)
            if math.isinf(low):
                return "any number" if math.isinf(high) else f"≤ {number(high)}"
            return f"> {number(low)}" if math.isinf(high) else f"{number(low)} to {number(high)}"
        case _:
            assert_never(when)


def groups_of_curve(
    model: AdditiveModel, shape: Shape, most: int, *, joins_values: bool = False
) -> tuple[CellGroup, ...]:
    """A number's intervals joined to at most `most`, or a column's values, which `joins_values` joins too;
    then missing, then unseen, which a number cannot be."""
    points = np.array(shape.points).T
    return _groups_of_side(model, sides_of(shape)[0], points, rows_in(shape), most, joins_values)


def groups_of_pair(
    model: AdditiveModel, pair: PairShape, most: int
) -> tuple[tuple[CellGroup, ...], tuple[CellGroup, ...]]:
    """Both sides of a pair's table, each in at most `most` groups; then missing, then unseen."""
    first, second = sides_of(pair)
    cells = cells_of_shape(model.schema, *first)
    points = np.array(pair.points).reshape(len(pair.points), cells, -1)  # [score, cell, cell]
    rows = rows_in(pair).reshape(cells, -1)
    down, across = rows.sum(axis=1), rows.sum(axis=0)
    # A side's cell is the line of its points, each as heavy as the other side's rows.
    lines = (points * np.sqrt(across)).transpose(1, 0, 2).reshape(cells, -1)
    others = (points * np.sqrt(down)[:, None]).transpose(2, 0, 1).reshape(len(across), -1)
    return (
        _groups_of_side(model, first, lines, down, most, True),
        _groups_of_side(model, second, others, across, most, True),
    )


def cells_in(when: CellWords, attribute: Attribute, cells: Column) -> Bools:
    """[row] Is the cell of this column one that the words are about?"""
    if isinstance(attribute, Numeric):
        low, high = (math.inf, -math.inf) if isinstance(when, AnotherValue) else bounds_of(when)
        inside: Bools = (cells > low) & (cells <= high)
        return inside | np.isnan(cells) if _takes_missing(when) else inside
    assert isinstance(attribute, Nominal | Ordinal)
    codes = [UNSEEN] if isinstance(when, AnotherValue) else []
    if isinstance(when, Equals | OneOf):
        codes = [attribute.values.index(value) for value in values_of(when)]
    chosen: Bools = np.isin(cells, [*codes, *([MISSING] if _takes_missing(when) else [])])
    return chosen


def mean_over(points: Floats, weights: Floats, cells: Sequence[int]) -> float:
    """The mean of the cells' points by their rows; where none has rows, by cells."""
    own = weights[list(cells)]
    return float(np.average(points[list(cells)], weights=own if own.sum() > 0 else None))


def rows_in(term: Shape | PairShape) -> Floats:
    """[cell] the weight of its training rows; of a curve that kept none, 1."""
    return np.array(term.rows) if any(term.rows) else np.ones(len(term.points[0]))


def cells_between(shape: Shape, cuts: Sequence[float]) -> list[tuple[Condition, Floats]]:
    """A number's intervals between other cuts than the curve's, each with the part of every cell that lies in
    it; the outermost cells have no end, and lie where they begin."""
    ends = [-math.inf, *shape.cuts, math.inf]
    found = []
    for low, high in pairwise([-math.inf, *cuts, math.inf]):
        parts = np.zeros(len(shape.points[0]))
        for cell, (left, right) in enumerate(pairwise(ends)):
            if math.isinf(left) and math.isinf(right):
                parts[cell] = 1.0
            elif math.isinf(left):
                parts[cell] = low < right <= high or (math.isinf(low) and high < right)
            elif math.isinf(right):
                parts[cell] = low <= left < high or (math.isinf(high) and left < low)
            else:
                parts[cell] = max(0.0, min(high, right) - max(low, left)) / (right - left)
        if not parts.any():  # between two cuts beyond the curve's own
            parts[0 if high <= ends[1] else len(ends) - 2] = 1.0
        found.append((interval(shape.name, low, high), parts))
    return found


def _groups_of_side(
    model: AdditiveModel, side: TermSide, points: Floats, weights: Floats, most: int, joins_values: bool
) -> tuple[CellGroup, ...]:
    name, cuts = side
    attribute = model.schema[name]
    known = cells_of_shape(model.schema, *side) - 2
    ends = (CellGroup(IsMissing(name), (known,)), CellGroup(AnotherValue(name), (known + 1,)))
    if isinstance(attribute, Numeric):
        limits = [-math.inf, *cuts, math.inf]
        runs = _best_runs(points[:known], weights[:known], most)
        groups = [CellGroup(interval(name, limits[run[0]], limits[run[-1] + 1]), tuple(run)) for run in runs]
        return (*groups, ends[0])
    assert isinstance(attribute, Nominal | Ordinal)
    runs = [[cell] for cell in range(known)]
    if joins_values and known > most:
        order = np.arange(known) if isinstance(attribute, Ordinal) else _by_likeness(points[:known])
        runs = [sorted(order[run].tolist()) for run in _best_runs(points[order], weights[order], most)]
        runs.sort()
    groups = [CellGroup(one_of(name, tuple(attribute.values[c] for c in run)), tuple(run)) for run in runs]
    return (*groups, *ends)


def _best_runs(points: Floats, weights: Floats, most: int) -> list[list[int]]:
    """Cells [cell, ·] in order, divided into at most `most` runs whose squares about their means are least.

    >>> _best_runs(np.array([[0.0], [0.1], [2.0], [2.2], [0.0]]), np.ones(5), 3)
    [[0, 1], [2, 3], [4]]
    """
    if most < 1:
        raise SettingError(f"There must be at least one interval, not {most}.")
    same = [[0]]
    for cell in range(1, len(points)):
        if (points[cell] == points[cell - 1]).all():
            same[-1].append(cell)
        else:
            same.append([cell])
    if len(same) > max(_FINEST, most):
        same = _even_runs(same, weights)
    if len(same) <= most:
        return same
    # A cell without rows is worth a little, so that it joins the neighbour that it is like.
    light = max(float(weights.sum()), 1.0) * 1e-6 / len(points)
    heavy = weights + light
    w = np.array([heavy[run].sum() for run in same])
    x = np.array([np.average(points[run], axis=0, weights=heavy[run]) for run in same])
    total = np.concatenate([[0.0], np.cumsum(w)])
    sums = np.concatenate([np.zeros((1, x.shape[1])), np.cumsum(w[:, None] * x, axis=0)])
    squares = np.concatenate([[0.0], np.cumsum(w * (x**2).sum(axis=1))])
    n = len(same)
    within = np.full((n + 1, n + 1), np.inf)  # [first, end] of a run from first up to end
    for first in range(n):
        part = sums[first + 1 :] - sums[first]
        within[first, first + 1 :] = (
            squares[first + 1 :]
            - squares[first]
            - (part**2).sum(axis=1) / (total[first + 1 :] - total[first])
        )
    least, begins = within[0].copy(), []
    for _ in range(most - 1):
        through = least[:, None] + within
        begins.append(through.argmin(axis=0))
        least = through.min(axis=0)
    cut, ends = n, [n]
    for begin in reversed(begins):
        cut = int(begin[cut])
        if cut <= 0:
            break
        ends.append(cut)
    limits = sorted({0, *ends})
    return [[cell for run in same[a:b] for cell in run] for a, b in pairwise(limits)]


def _even_runs(runs: list[list[int]], weights: Floats) -> list[list[int]]:
    """Neighbours joined to some hundreds of runs of about equally many rows."""
    heavy = np.array([weights[run].sum() for run in runs]) + 1e-9
    place = np.minimum((np.cumsum(heavy) - heavy) / heavy.sum() * _FINEST, _FINEST - 1).astype(np.int64)
    joined: dict[int, list[int]] = {}
    for at, run in zip(place.tolist(), runs, strict=True):
        joined.setdefault(at, []).extend(run)
    return list(joined.values())


def _by_likeness(points: Floats) -> Longs:
    """The cells so ordered that those alike are neighbours: along the direction in which they differ most."""
    centred = points - points.mean(axis=0)
    left = np.linalg.svd(centred, full_matrices=False)[0][:, 0] if centred.any() else np.zeros(len(points))
    return np.argsort(left, kind="stable")


def _takes_missing(when: CellWords) -> bool:
    return when.or_missing if isinstance(when, AnotherValue) else takes_missing(when)


# How much each term of an additive model moves the scores: its mean absolute points over the rows.


_ROUNDING: Final = 1e-9  # points below are what centring a table leaves of 0


def mean_points(term: Shape | PairShape, score: int | None = None) -> float:
    """The mean of |points| over the training rows and the scores, or in one score; over the cells where no
    rows are kept."""
    points = term.points if score is None else term.points[score : score + 1]
    sizes = np.abs(np.array(points)).mean(axis=0)
    weights = np.array(term.rows) if term.rows and any(term.rows) else np.ones(len(sizes))
    return float((sizes * weights).sum() / weights.sum())


def least_points(model: AdditiveModel) -> float:
    """The points below which they are 0 but for rounding; of a number by the size of what is added up."""
    if model.link != "identity":
        return _ROUNDING
    sizes = [np.abs(model.base).max(), *(np.abs(term.points).max() for term in curves_in(model))]
    return _ROUNDING * float(max(sizes))


def brief_points(model: AdditiveModel, points: float) -> str:
    """Points in few digits, and 0 where only rounding makes them another number."""
    return brief(points) if abs(points) >= least_points(model) else "0"


def terms_by_points(model: AdditiveModel) -> list[tuple[str, float]]:
    """The columns and pairs with their mean absolute points, the weightiest first."""
    named = [(name_of(term), mean_points(term)) for term in curves_in(model)]
    return sorted(named, key=lambda each: -each[1])


def columns_by_points(model: AdditiveModel) -> list[str]:
    """The columns, the weightiest first; a column that only pairs read counts with theirs."""
    weight = dict.fromkeys(model.columns, 0.0)
    for term in curves_in(model):
        for name, _ in sides_of(term):
            weight[name] = max(weight[name], mean_points(term))
    return sorted(weight, key=lambda name: -weight[name])
