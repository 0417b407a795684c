"""A member's rows: as many as there are, drawn with replacement in an order that their content decides."""

from __future__ import annotations

import zlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Longs
from clearwood.counting.bootstrap import (
    drawn_with_replacement,
    units_drawn_with_replacement,
    weights_are_units,
)
from clearwood.counting.chance import chance_key
from clearwood.errors import LearningError
from clearwood.mixing import GOLDEN, mixed_all
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
    order = order_by_content(table) if order is None else order
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


def order_by_content(table: Table) -> Longs:
    """The rows in an order that only their cells decide: by 64 bits mixed of all of them."""
    bits = np.zeros(len(table), dtype=np.uint64)
    target = table.schema.target
    for attribute in (*table.schema.inputs, *(() if target is None else (target,))):
        bits = _mixed(bits ^ _mixed(_bits_of(table.columns[attribute.name])))
    return np.argsort(bits, kind="stable")


def _bits_of(column: Any) -> npt.NDArray[np.uint64]:
    array = np.asarray(column)
    if array.dtype.kind == "f":
        # All empty cells are one, and so are 0 and −0.
        return np.where(np.isnan(array), np.nan, array + 0.0).astype(np.float64).view(np.uint64)
    if array.dtype.kind in "iu":
        return array.astype(np.int64).view(np.uint64)
    return np.array([zlib.crc32(str(cell).encode()) for cell in array], dtype=np.uint64)


def _mixed(bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return mixed_all(bits + np.uint64(GOLDEN))  # so that 0 does not stay 0
