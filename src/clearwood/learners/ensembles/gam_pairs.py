"""FAST: which pairs of columns have most to add, by what four quadrants cut off the residual sum of squares.

After Lou, Caruana, Gehrke and Hooker (2013): residuals of the model without pairs, each column in a few
places of about equal weight, and for each pair the cross whose quadrants explain most.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.learners.ensembles.gam_cells import CellColumn
from clearwood.learners.ensembles.gam_task import GamTerm

_MOST_CELLS: Final = 2**16 - 1  # of a pair's table: a cell's number fits two bytes


def pair_places(column: CellColumn, weights: Floats, points: Floats, places: int) -> list[int]:
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


def candidates(columns: Sequence[CellColumn], places: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
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


def _cells(column: CellColumn, size: int) -> int:
    return size + 2 if column.cuts or column.ordered else column.cells


def pair_cuts(column: CellColumn, places: Sequence[int]) -> tuple[float, ...]:
    """The cuts of a number between its places; none for values."""
    return tuple(cut for cell, cut in enumerate(column.cuts) if places[cell] != places[cell + 1])


def pair_side(column: CellColumn, places: Sequence[int]) -> tuple[Longs, list[int]]:
    """[cell] the cell of the pair's table that it lies in, and [that cell] its place among the cuts."""
    if not column.cuts:
        return np.arange(column.cells), list(places)
    intervals = max(places) + 1
    return np.array([*places[: column.missing], intervals, intervals + 1]), [*range(intervals), -1, -1]


def pair_term(
    columns: tuple[CellColumn, CellColumn], places: tuple[Sequence[int], Sequence[int]]
) -> tuple[GamTerm, tuple[int, int]]:
    """A pair as one term, and the shape of its table."""
    (first, at_first), (second, at_second) = (
        pair_side(column, at) for column, at in zip(columns, places, strict=True)
    )
    shape = len(at_first), len(at_second)
    codes = first[columns[0].codes] * shape[1] + second[columns[1].codes]
    term = GamTerm(
        codes.astype(np.uint16), shape[0] * shape[1], True, shape[1], tuple(at_first), tuple(at_second)
    )
    return term, shape
