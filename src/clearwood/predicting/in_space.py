"""Rows in an input space: the group of each axis that a row's cell lies in, and the rows inside of a box."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.counting.coding import interval_codes
from clearwood.models.space.axes import Axis, Domains
from clearwood.predicting.columns import column_for
from clearwood.table.attributes import Numeric
from clearwood.table.table import MISSING, Table


def groups_of_rows(axes: Sequence[Axis], table: Table) -> npt.NDArray[np.int32]:
    """[row, axis] the group of the row's cell."""
    groups = np.empty((len(table), len(axes)), dtype=np.int32)
    for place, axis in enumerate(axes):
        column = column_for(axis.attribute, table)
        if isinstance(axis.attribute, Numeric):
            cells = interval_codes(column, axis.limits, missing=len(axis.cells) - 1)
        else:
            # A value never met has the last cell but one, an empty cell the last.
            cells = np.where(column >= 0, column, len(axis.cells) - np.where(column == MISSING, 1, 2))
        groups[:, place] = np.array(axis.group_of, dtype=np.int32)[cells]
    return groups


def rows_inside(rows: npt.NDArray[np.int32], box: Domains) -> Bools:
    """[row] does the row, by its groups [row, axis], lie in the box?"""
    inside = np.ones(len(rows), dtype=np.bool_)
    for column, groups in enumerate(box):
        held = np.array([groups >> group & 1 for group in range(groups.bit_length())] or [0], dtype=np.bool_)
        cells = rows[:, column]
        inside &= held[np.minimum(cells, len(held) - 1)] & (cells < len(held))
    return inside
