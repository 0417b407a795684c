"""The training rows as a grid, so that a worksheet can be solved with nothing beside it."""

from __future__ import annotations

import math
from typing import Final

from clearwood.table.attributes import Ignored, Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.working.figures import GIVEN, Grid, GridCell

MOST_PRINTED: Final = 100  # rows; nobody counts more by hand


def printed_table(table: Table) -> Grid | None:
    """Every row by its number, the inputs before the target; None where there are too many rows.

    >>> import clearwood as cw
    >>> grid = printed_table(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> grid.columns[:3], grid.rows[0]
    (('row', 'Outlook', 'Temperature'), (1, 'Sunny', 'Hot', 'High', 'Weak', 'No'))
    """
    if len(table) > MOST_PRINTED:
        return None
    target = table.schema.target
    shown = [each for each in table.schema.attributes if not isinstance(each, Ignored) and each != target]
    shown += [] if target is None else [target]
    columns = [[_cell(each, cell) for cell in table.columns[each.name].tolist()] for each in shown]
    names = tuple(each.name for each in shown)
    if table.weights is not None:
        names, columns = (*names, "weight of the row"), [*columns, table.weights.tolist()]
    rows = [(place, *cells) for place, cells in enumerate(zip(*columns, strict=True), 1)]
    heads = ("row", *names)
    return Grid("", heads, rows, on_sheet=(GIVEN,) * len(heads))


def _cell(attribute: object, cell: object) -> GridCell:
    if isinstance(attribute, Nominal | Ordinal):
        assert isinstance(cell, int)
        return attribute.values[cell] if cell >= 0 else None
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    return None if cell is None else str(cell)
