"""ReliefF: columns in which near rows of other classes differ, and near rows of one class do not.

It sees what columns tell together, which counts of one column at a time cannot (Kononenko 1994;
Robnik-Šikonja and Kononenko 2003, whose RReliefF is for numbers).
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np

from clearwood import _native
from clearwood.bounds import Whole
from clearwood.registry import checked
from clearwood.selecting.relieff_cells import relief_cells
from clearwood.selecting.selector import ColumnOrder, ColumnScore, Selector, best_first
from clearwood.table.attributes import Text
from clearwood.table.table import Table


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
