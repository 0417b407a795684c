"""A member's rows: as many as there are, drawn with replacement in an order that their content decides."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Longs
from clearwood.counting.chance import (
    chance_key,
    drawn_with_replacement,
    units_drawn_with_replacement,
    weights_are_units,
)
from clearwood.errors import LearningError
from clearwood.table.row_keys import rows_by_content
from clearwood.table.table import Table

DRAWING: Final = 0xB0075  # tells these draws from others of the same seed and member
_MOST: Final = 2**32 - 1


def times_drawn(table: Table, seed: int, member: int, order: Longs | None = None) -> Longs:
    """[row] how often the member draws it (Efron 1979; Breiman 1996).

    Weights that are whole numbers stand for so many rows: their sum is drawn. Otherwise as many rows as
    there are, each with a chance that is its part of the weight. Rows are counted in the order of their
    content (`order`, worked out unless given), so that the same rows in another order, or repeated instead
    of weighed, give the same members.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [int(times_drawn(table, 0, member).sum()) for member in range(3)]
    [14, 14, 14]
    """
    order = rows_by_content(table) if order is None else order
    key, rows = chance_key(seed, member, DRAWING), len(table)
    weights = np.ones(rows) if table.weights is None else table.weights[order]
    upto = np.cumsum(weights)
    if weights_are_units(weights):
        if upto[-1] > _MOST:
            raise LearningError(
                f"The weights sum to {upto[-1]:g} rows, more than can be drawn. Divide all by one number."
            )
        drawn = units_drawn_with_replacement(key, upto)
    else:
        drawn = drawn_with_replacement(key, rows, rows, upto)
    times = np.zeros(rows, dtype=np.int64)
    times[order] = drawn
    return times
