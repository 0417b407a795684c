"""An additive model's scorecard: its curves as whole points for groups of cells, its pairs as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.arrays import Longs
from clearwood.explain.card_lines import Points, PointsTable, whole_points
from clearwood.explain.curve_groups import (
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
from clearwood.models.additive_model import AdditiveModel, PairShape, Shape, cells_of_shape
from clearwood.models.conditions import Equals, IsMissing, bounds_of, interval, one_of
from clearwood.predict.columns import column_for
from clearwood.predict.of_additive import sides_of
from clearwood.table.table import Column, Table

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


def points_of_additive(
    model: AdditiveModel, lines: Sequence[Points], tables: Sequence[PointsTable], table: Table
) -> Longs:
    """[row] the points of all lines that hold, and of the tables' cells."""
    total = np.zeros(len(table), dtype=np.int64)
    for line in lines:
        total[_holds(model, line.when, table)] += line.points
    for each in tables:
        points = np.array([*([*row, 0] for row in each.points), [0] * (len(each.across) + 1)])
        total += points[_place(model, each.down, table), _place(model, each.across, table)]
    return total


def points_of_lines(model: AdditiveModel, lines: Sequence[Points], name: str, cells: Column) -> Longs:
    """[cell] the points of cells of a column by the lines that are about it."""
    attribute = model.schema[name]
    points = np.zeros(len(cells), dtype=np.int64)
    for line in lines:
        points[cells_in(line.when, attribute, cells)] += line.points
    return points


def points_of_table(model: AdditiveModel, table: PointsTable, down: Column, across: Column) -> Longs:
    """[cell, cell] the points of a table for cells of its first column, and of its second."""
    points = np.zeros((len(down), len(across)), dtype=np.int64)
    first, second = (model.schema[name] for name in table.names)
    for place, when in enumerate(table.down):
        for other, beside in enumerate(table.across):
            chosen = np.ix_(cells_in(when, first, down), cells_in(beside, second, across))
            points[chosen] = table.points[place][other]
    return points


def _holds(model: AdditiveModel, when: CellWords, table: Table) -> Longs:
    attribute = model.schema[when.name]
    return np.flatnonzero(cells_in(when, attribute, column_for(attribute, table)))


def _place(model: AdditiveModel, groups: Sequence[CellWords], table: Table) -> Longs:
    """[row] the group that its cell is in; one beyond the last where it is in none."""
    place = np.full(len(table), len(groups), dtype=np.int64)
    for number, when in enumerate(groups):
        place[_holds(model, when, table)] = number
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
