"""The cells that ReliefF compares: values as codes, numbers in units of their range, in random order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.row_keys import shuffled_rows
from clearwood.table.table import MISSING, Column, Table

_FINEST: Final = 2**20  # units of a range
_ROOM: Final = 2**30  # units of all columns together: they are added up in 32 bits


@dataclass(frozen=True, slots=True, eq=False)
class ReliefCells:
    """The columns, the target and the weights, row by row in an order drawn by seed.

    Differences are whole numbers of units, so that equal distances are equal on every machine. Of equally
    near rows the first is the nearer; the first rows are those that the others are compared with.
    """

    columns: tuple[Ints, ...]  # [column][row] codes, or where `ordered` numbers from 0 to unit; −1: missing
    ordered: tuple[bool, ...]
    unit: int
    target: Ints  # [row] classes, or numbers from 0 to unit
    classes: int  # 0: numbers
    weights: Floats | None
    references: int


def relief_cells(rows: Table, attributes: tuple[Attribute, ...], references: int, seed: int) -> ReliefCells:
    """The cells of rows that all have a target."""
    order = shuffled_rows(rows, seed)
    unit = min(_FINEST, _ROOM // (len(attributes) + 1))
    coded = [_coded(each, rows.columns[each.name][order], unit) for each in attributes]
    assert rows.schema.target is not None
    target, of_numbers = _coded(rows.schema.target, rows.target[order], unit)
    of_numbers = of_numbers and isinstance(rows.schema.target, Numeric)
    if not of_numbers:
        target = np.ascontiguousarray(rows.target[order])
    return ReliefCells(
        tuple(cells for cells, _ in coded),
        tuple(ordered for _, ordered in coded),
        unit,
        target,
        0 if of_numbers else len(rows.schema.classes),
        None if rows.weights is None else np.ascontiguousarray(rows.weights[order]),
        min(references, len(rows)),
    )


def _coded(attribute: Attribute, cells: Column, unit: int) -> tuple[Ints, bool]:
    match attribute:
        case Nominal():
            return np.where(cells < 0, np.int32(MISSING), cells), False
        case Ordinal(_, values):
            steps = np.rint(np.linspace(0, unit, max(len(values), 2))).astype(np.int32)
            return np.where(cells < 0, np.int32(MISSING), steps[cells]), True
        case Numeric():
            return _in_units(cells.astype(np.float64), unit), True
        case Text() | Ignored():
            raise AssertionError("text and ignored columns are not ranked")
        case _:
            assert_never(attribute)


def _in_units(numbers: Floats, unit: int) -> Ints:
    """Numbers from 0, the least, to unit, the largest finite one; those beyond are at the ends."""
    known = ~np.isnan(numbers)
    finite = numbers[np.isfinite(numbers)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    cells = np.full(len(numbers), MISSING, dtype=np.int32)
    span = high / 2 - low / 2  # a range may be wider than the largest number
    if span > 0:
        parts = (np.clip(numbers[known], low, high) / 2 - low / 2) / span
        cells[known] = np.rint(parts * unit).astype(np.int32)
    else:
        cells[known] = 0
    return cells
