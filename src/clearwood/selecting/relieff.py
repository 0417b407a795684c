"""ReliefF: columns in which near rows of other classes differ, and near rows of one class do not.

It sees what columns tell together, which counts of one column at a time cannot (Kononenko 1994;
Robnik-Šikonja and Kononenko 2003, whose RReliefF is for numbers).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, assert_never

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.bounds import Whole
from clearwood.registry import checked
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, Selector, best_first
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import shuffled_rows
from clearwood.table.table import MISSING, Column, Table


@checked
def order_by_relieff(
    rows: Table,
    _: int | None = None,
    *,
    neighbours: Annotated[int, Whole(1, 1_000_000), "Nearest rows of each class to compare with."] = 10,
    references: Annotated[int, Whole(1), "Rows to compare with their neighbours, drawn by seed."] = 2000,
    seed: Annotated[int, Whole(0), "The seed of the rows drawn, and of the order of equally near ones."] = 0,
) -> ColumnOrder:
    """From −1 to 1: 0 is a column that has nothing to do with the target.

    Values differ by 0 or 1, numbers and ordered values by their distance over the column's range. Misses of a
    class weigh by its share among the other classes. A missing cell differs from another by what a known one
    of its row's class would on average. A row of weight 2 counts as two equal rows.
    """
    attributes = tuple(each for each in rows.schema.inputs if not isinstance(each, Text))
    cells = relief_cells(rows, attributes, references, seed)
    if len(np.unique(cells.target)) < 2:
        return ColumnOrder(tuple(ColumnScore(each.name, 0.0) for each in attributes))
    scores = _native.relieff(
        list(cells.columns),
        list(cells.ordered),
        cells.unit,
        cells.target,
        cells.classes,
        cells.weights,
        cells.references,
        neighbours,
    )
    pairs = zip(attributes, scores.tolist(), strict=True)
    return ColumnOrder(best_first([ColumnScore(attribute.name, score) for attribute, score in pairs]))


SELECTOR: Final = Selector(
    order_by_relieff, "Columns in which near rows of other classes differ (ReliefF).", "ReliefF"
)


# The cells that ReliefF compares: values as codes, numbers in units of their range, in random order.


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
    target, of_numbers = _coded(rows.schema.predicted, rows.target[order], unit)
    of_numbers = of_numbers and isinstance(rows.schema.predicted, Numeric)
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
