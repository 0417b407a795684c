"""From the points of each bag to the model's curves: pairs purified, all centred, averaged over the bags."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.learners.ensembles.gam_task import GamTerm
from clearwood.models.kinds.additive.additive_model import PairShape, Shape, ShapePoints

_SWEEPS: Final = 1000
_STILL: Final = 1e-12  # of the largest point: what is left to take out is rounding


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """A pair as one term, and where its sides come from; once it is boosted, its points [bag, score, cell,
    cell] and the rows' weight there."""

    columns: tuple[int, int]
    cuts: tuple[tuple[float, ...], tuple[float, ...]]
    sides: tuple[Longs, Longs]  # [cell of the column] the cell of the pair's table that it lies in
    term: GamTerm
    points: Floats = field(default_factory=lambda: np.empty(0))
    weights: Floats = field(default_factory=lambda: np.empty(0))  # [cell, cell]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.term.first), len(self.term.second)


def learning_curves(
    columns: Sequence[GamTerm],
    mains: Sequence[Floats],
    weights: Sequence[Floats],
    pairs: Sequence[PairTable],
    base: Floats,
) -> tuple[tuple[float, ...], tuple[Shape, ...], tuple[PairShape, ...]]:
    """Base values, curves and pairs, of `mains` [column][bag, score, cell] and of the pairs."""
    tables = [table.copy() for table in mains]
    purified = []
    for pair in pairs:
        points, added = purify(pair.points, pair.weights)
        for side, place in enumerate(pair.columns):
            tables[place] += added[side][:, :, pair.sides[side]]
        purified.append(points)
    bases = np.tile(base, (len(tables[0]) if tables else 1, 1))  # [bag, score]
    for column, table, weight in zip(columns, tables, weights, strict=True):
        mean = (table * weight).sum(axis=2) / weight.sum()
        table -= mean[:, :, None]
        empty = weight <= 0  # no row was there: as the average row, or as a direction allows
        if column.direction:
            empty[: column.missing] = False
        table[:, :, empty] = 0.0
        bases += mean
    if bases.shape[1] > 1:  # only differences between classes count
        for table in [*tables, *purified, bases]:
            table -= table.mean(axis=1, keepdims=True)
    shapes = tuple(
        Shape(column.name, column.cuts, _mean(table), _errors(table), tuple(weight.tolist()))
        for column, table, weight in zip(columns, tables, weights, strict=True)
        if np.any(table)
    )
    pair_shapes = tuple(
        PairShape(
            (columns[pair.columns[0]].name, columns[pair.columns[1]].name),
            pair.cuts,
            _mean(_flat(points)),
            _errors(_flat(points)),
            tuple(pair.weights.ravel().tolist()),
        )
        for pair, points in zip(pairs, purified, strict=True)
        if np.any(points)
    )
    return tuple(bases.mean(axis=0).tolist()), shapes, pair_shapes


def purify(points: Floats, weights: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
    """A pair's table without what one of its columns says alone, and that by the cells of each column.

    The weighted mean of each row and column of the table becomes 0 (Lengerich and others 2020); what belongs
    to a cell without rows is not known, and is 0.

    >>> table, (first, second) = purify(np.array([[[[0.0, 1.0], [1.0, 4.0]]]]), np.ones((2, 2)))
    >>> table[0, 0].tolist(), first[0, 0].tolist(), second[0, 0].tolist()
    ([[0.5, -0.5], [-0.5, 0.5]], [0.5, 2.5], [-1.0, 1.0])
    """
    table = points.copy()
    by_row, by_column = weights.sum(axis=1), weights.sum(axis=0)
    first = np.zeros(table.shape[:3])
    second = np.zeros((*table.shape[:2], table.shape[3]))
    least = _STILL * float(np.abs(table).max(initial=0.0))
    for _ in range(_SWEEPS):
        rows = np.divide((table * weights).sum(axis=3), by_row, out=np.zeros_like(first), where=by_row > 0)
        table -= rows[:, :, :, None]
        first += rows
        columns = np.divide(
            (table * weights).sum(axis=2), by_column, out=np.zeros_like(second), where=by_column > 0
        )
        table -= columns[:, :, None, :]
        second += columns
        if max(np.abs(rows).max(initial=0.0), np.abs(columns).max(initial=0.0)) <= least:
            break
    table[:, :, by_row <= 0, :] = 0.0
    table[:, :, :, by_column <= 0] = 0.0
    return table, (first, second)


def _flat(points: Floats) -> Floats:
    return points.reshape(*points.shape[:2], -1)


def _mean(table: Floats) -> ShapePoints:
    return tuple(tuple(row) for row in table.mean(axis=0).tolist())


def _errors(table: Floats) -> ShapePoints:
    if len(table) < 2:
        return ()
    return tuple(tuple(row) for row in table.std(axis=0, ddof=1).tolist())


# FAST: which pairs of columns have most to add, by what four quadrants cut off the residual sum of squares.
#
# After Lou, Caruana, Gehrke and Hooker (2013): residuals of the model without pairs, each column in a few
# places of about equal weight, and for each pair the cross whose quadrants explain most.


_MOST_CELLS: Final = 2**16 - 1  # of a pair's table: a cell's number fits two bytes


def pair_places(column: GamTerm, weights: Floats, points: Floats, places: int) -> list[int]:
    """[cell] where it stands among at most so many places, in order; −1: nowhere.

    Values without an order stand by their points (of the score that the column moves most).
    """
    if column.ordered:
        order = list(range(column.missing))
    else:
        known = weights > 0
        spread = [float((weights * row * row).sum()) for row in points]
        row = points[int(np.argmax(spread))]
        order = sorted(np.flatnonzero(known[:-1]).tolist(), key=lambda cell: (float(row[cell]), cell))
    total = float(sum(weights[cell] for cell in order))
    at = [-1] * column.cells
    reached, place = 0.0, 0
    for cell in order:
        at[cell] = place
        reached += float(weights[cell])
        if len(order) <= places or (reached * places >= (place + 1) * total and place + 1 < places):
            place += 1
    return at


def candidates(columns: Sequence[GamTerm], places: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """All pairs of columns, in order, whose table is not too large and has something to cut; none with
    a column that has a direction, which a table would turn."""
    sizes = [len(set(at)) for at in places]
    return [
        (i, j)
        for i, j in combinations(range(len(columns)), 2)
        if not columns[i].direction
        and not columns[j].direction
        and max(places[i], default=-1) > 0
        and max(places[j], default=-1) > 0
        and _cells(columns[i], sizes[i]) * _cells(columns[j], sizes[j]) <= _MOST_CELLS
    ]


def _cells(column: GamTerm, size: int) -> int:
    return size + 2 if column.cuts or column.ordered else column.cells


def pair_side(column: GamTerm, places: Sequence[int]) -> tuple[tuple[float, ...], Longs, tuple[int, ...]]:
    """The cuts of a number between its places, [cell] the cell of the pair's table that it lies in, and [that
    cell] its place among the cuts."""
    if not column.cuts:
        return (), np.arange(column.cells), tuple(places)
    cuts = tuple(cut for cell, cut in enumerate(column.cuts) if places[cell] != places[cell + 1])
    intervals = max(places) + 1
    side = np.array([*places[: column.missing], intervals, intervals + 1])
    return cuts, side, (*range(intervals), -1, -1)


def pair_table(
    pair: tuple[int, int], columns: Sequence[GamTerm], places: Sequence[Sequence[int]]
) -> PairTable:
    """A pair of columns, before it is boosted."""
    first, second = (columns[each] for each in pair)
    cuts, side, at_first = pair_side(first, places[pair[0]])
    more_cuts, other, at_second = pair_side(second, places[pair[1]])
    codes = (side[first.codes] * len(at_second) + other[second.codes]).astype(np.uint16)
    term = GamTerm(codes, len(at_first) * len(at_second), True, len(at_second), at_first, at_second)
    return PairTable(pair, (cuts, more_cuts), (side, other), term)
