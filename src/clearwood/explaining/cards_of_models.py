"""Scorecards of models: a linear model's weights, or an additive model's curves, as whole points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Longs
from clearwood.errors import Advice, SettingError
from clearwood.explaining.card_lines import (
    Points,
    PointsPerUnit,
    PointsTable,
    ScorecardLine,
    whole_points,
)
from clearwood.explaining.curve_groups import (
    AnotherValue,
    CellGroup,
    CellWords,
    cells_between,
    cells_in,
    groups_of_curve,
    groups_of_pair,
    mean_over,
    rows_in,
)
from clearwood.formulas.conditions import (
    Above,
    AtMost,
    Between,
    Condition,
    Equals,
    IsMissing,
    bounds_of,
    interval,
    one_of,
)
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cells_of_shape,
    sides_of,
)
from clearwood.models.kinds.linear.linear_model import (
    LinearModel,
    MissingTerm,
    NumberTerm,
    ValueTerm,
    values_with_a_place,
)
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import UNSEEN, Column


def lines_of_linear(
    model: LinearModel, factor: float, cuts: Mapping[str, tuple[float, ...]]
) -> tuple[float, tuple[ScorecardLine, ...]]:
    """What the card starts with, not yet rounded, and its lines; `factor` points are one of the log odds."""
    if model.fit is not None and model.fit.separation is not None:
        raise SettingError(
            "Some weights of this model have no finite estimate, and so no points: classes are separated. "
            "Learn it with ",
            Advice("penalty", "l2", setting=True),
            ".",
        )
    weights = dict(zip(model.terms, model.weights[0], strict=True))
    start = factor * model.intercepts[0]
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
                start += (weight - shown) * fill
                lines.append(PointsPerUnit(name, shown, weight, whole_points(shown * fill + (gap or 0.0))))
                continue
            worth = [(when, weight * middle) for when, middle in _intervals(name, cuts.get(name, ()), fill)]
            worth = worth or [(AtMost(name, math.inf), 0.0)]
            if gap is not None:
                worth.append((IsMissing(name), weight * fill + gap))
        elif isinstance(attribute, Nominal | Ordinal):
            worth = [
                (Equals(name, term.value), factor * weights[term] if term in weights else 0.0)
                for term in (ValueTerm(name, value) for value in values_with_a_place(model, attribute))
            ]
            if gap is not None:
                worth.append((IsMissing(name), gap))
        least = min(points for _, points in worth)
        start += least
        lines += [Points(when, whole_points(points - least), points - least) for when, points in worth]
    return start, tuple(lines)


def points_of_lines(
    model: LinearModel | AdditiveModel,
    lines: Sequence[ScorecardLine],
    name: str,
    cells: Column,
    factor: float,
) -> Longs:
    """[cell] the points of cells of a column by the lines that are about it."""
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal) and len(cells) > len(attribute.values) + 2:
        every = np.arange(UNSEEN, len(attribute.values), dtype=np.int32)  # each kind of cell once
        by_code: Longs = points_of_lines(model, lines, name, every, factor)[cells - UNSEEN]
        return by_code
    points, asked = np.zeros(len(cells), dtype=np.int64), cells
    if isinstance(model, LinearModel):
        if not isinstance(attribute, Numeric):
            points += _unusable(model, lines, name, factor)
        elif MissingTerm(name) not in model.terms:
            asked = np.where(np.isnan(cells), float(model.fills[name]), cells)
    for line in lines:
        match line:
            case PointsPerUnit():
                within = np.clip(cells, -line.reach, line.reach)
                by_unit = np.floor(within * line.points + 0.5)
                points = np.where(np.isnan(cells), line.missing, by_unit).astype(np.int64)
            case Points(when):
                points[cells_in(when, attribute, asked)] = line.points
            case _:
                assert_never(line)
    return points


def _unusable(model: LinearModel, lines: Sequence[ScorecardLine], name: str, factor: float) -> int:
    """The points of a cell that no line is about: the average's, or those of what it is taken for."""
    taken = model.references.get(name) if name in model.averages else model.fills[name]
    line = next((n for n in lines if isinstance(n, Points) and n.when == Equals(name, str(taken))), None)
    if line is None:
        return 0
    if name not in model.averages:
        return line.points
    # The reference adds nothing: its exact points are what the column's least value takes away.
    return round(line.exact + factor * model.averages[name][0])


def _intervals(name: str, cuts: tuple[float, ...], mean: float) -> list[tuple[Condition, float]]:
    """The intervals between cuts, each with the number in its middle."""
    if not cuts:
        return []
    reach = abs(mean - cuts[0]) or 1.0
    low = (cuts[1] - cuts[0]) / 2 if len(cuts) > 1 else reach
    high = (cuts[-1] - cuts[-2]) / 2 if len(cuts) > 1 else reach
    inner: list[tuple[Condition, float]] = [(Between(name, a, b), (a + b) / 2) for a, b in pairwise(cuts)]
    return [(AtMost(name, cuts[0]), cuts[0] - low), *inner, (Above(name, cuts[-1]), cuts[-1] + high)]


_SIDE: Final = 4  # groups of each column of a pair, at most


def lines_of_additive(
    model: AdditiveModel, factor: float, cuts: Mapping[str, tuple[float, ...]], bins: int
) -> tuple[float, tuple[Points, ...], tuple[PointsTable, ...]]:
    """What the card starts with, not yet rounded, its lines, and its tables; `factor` points are one of the
    log odds. A pair whose points are all rounded to 0 has no table."""
    start, lines = factor * model.base[0], []
    for shape in model.shapes:
        worth = _worth(model, shape, factor, cuts.get(shape.name), bins)
        least = min(each.points for each in worth)
        start += least
        lines += _joined([replace(each, points=each.points - least) for each in worth])
    tables = (_table(model, pair, factor, min(bins, _SIDE)) for pair in model.pairs)
    return start, tuple(lines), tuple(each for each in tables if each.down)


def points_in_table(schema: Schema, table: PointsTable, down: Column, across: Column) -> Longs:
    """[cell] the points of a table for cells of its first column, each beside one of its second; 0 of cells
    that it has no line for."""
    points = np.array([*([*row, 0] for row in table.points), [0] * (len(table.across) + 1)], dtype=np.int64)
    first, second = (schema[name] for name in table.names)
    return points[_place(first, table.down, down), _place(second, table.across, across)]


def _place(attribute: Attribute, groups: Sequence[CellWords], cells: Column) -> Longs:
    """[cell] the group that it is in; one beyond the last where it is in none."""
    place = np.full(len(cells), len(groups), dtype=np.int64)
    for number, when in enumerate(groups):
        place[cells_in(when, attribute, cells)] = number
    return place


@dataclass(frozen=True, slots=True)
class _Worth:
    """Some cells of a column, their points, not yet rounded, and their rows."""

    when: CellWords
    points: float
    rows: float


def _worth(
    model: AdditiveModel, shape: Shape, factor: float, cuts: tuple[float, ...] | None, bins: int
) -> list[_Worth]:
    points, rows = np.array(shape.points[0]) * factor, rows_in(shape)
    groups = groups_of_curve(model, shape, bins)
    worth = [
        _Worth(each.when, mean_over(points, rows, each.cells), float(rows[list(each.cells)].sum()))
        for each in groups
    ]
    if cuts is None:
        return worth
    between = []
    for when, parts in cells_between(shape, cuts):
        weights = parts * rows
        mean = np.average(points, weights=weights if weights.sum() > 0 else parts)
        between.append(_Worth(when, float(mean), float(weights.sum())))
    return [*between, worth[-1]]


def _joined(worth: list[_Worth]) -> list[Points]:
    """Lines of equal points made one: neighbours of a number, any values of a column, missing and unseen."""
    groups: list[list[_Worth]] = []
    for each in worth:
        same = [group for group in groups if _alike(group[-1], each)]
        if same:
            same[-1].append(each)
        else:
            groups.append([each])
    lines = []
    for group in groups:
        weights = [each.rows for each in group]
        mean = np.average([each.points for each in group], weights=weights if sum(weights) > 0 else None)
        lines.append(
            Points(_one_condition([each.when for each in group]), whole_points(group[0].points), float(mean))
        )
    return lines


def _alike(one: _Worth, other: _Worth) -> bool:
    """Have they the same points, and are they of one kind? Intervals must also meet."""
    if whole_points(one.points) != whole_points(other.points):
        return False
    if isinstance(one.when, Equals):
        return isinstance(other.when, Equals)
    if isinstance(one.when, IsMissing | AnotherValue):
        return isinstance(other.when, AnotherValue)
    return not isinstance(other.when, AnotherValue) and bounds_of(one.when)[1] == bounds_of(other.when)[0]


def _one_condition(conditions: Sequence[CellWords]) -> CellWords:
    """That one of these holds, which are alike."""
    first, last = conditions[0], conditions[-1]
    if len(conditions) == 1 or isinstance(first, AnotherValue):
        return first
    if isinstance(last, AnotherValue):
        return AnotherValue(first.name, or_missing=True)
    if isinstance(first, Equals):
        return one_of(first.name, tuple(each.value for each in conditions if isinstance(each, Equals)))
    return interval(first.name, bounds_of(first)[0], bounds_of(last)[1])


def _table(model: AdditiveModel, pair: PairShape, factor: float, most: int) -> PointsTable:
    """The pair's points for groups of cells of both columns; lines that add nothing are left out."""
    down, across = groups_of_pair(model, pair, most)
    wide = cells_of_shape(model.schema, *sides_of(pair)[1])
    points, rows = np.array(pair.points[0]) * factor, rows_in(pair)
    table = np.array(
        [
            [
                whole_points(mean_over(points, rows, [i * wide + j for i in d.cells for j in a.cells]))
                for a in across
            ]
            for d in down
        ]
    )
    return _without_nothing(pair.names, down, across, table)


def _without_nothing(
    names: tuple[str, str], down: Sequence[CellGroup], across: Sequence[CellGroup], table: Longs
) -> PointsTable:
    kept, columns = np.flatnonzero(table.any(axis=1)), np.flatnonzero(table.any(axis=0))
    return PointsTable(
        names,
        tuple(down[i].when for i in kept.tolist()),
        tuple(across[j].when for j in columns.tolist()),
        tuple(tuple(row) for row in table[np.ix_(kept, columns)].tolist()),
    )
