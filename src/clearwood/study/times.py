"""When each row is from: a column of numbers, of ordered values, or of dates, as numbers that grow."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Floats
from clearwood.errors import SchemaError
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.dates import days_of
from clearwood.table.folding import column_to_divide_by
from clearwood.table.table import Table


def times_in(table: Table, column: str) -> Floats:
    """[row] its time: the number, the place of an ordered value, days since 1970 of a date.

    >>> import clearwood as cw
    >>> rows = {"day": ["2024-03-01", "2024-02-01", "2024-03-01"], "y": [1, 2, 3]}
    >>> times_in(cw.read_table(rows, target="y", kinds={"day": "nominal"}), "day").tolist()
    [19783.0, 19754.0, 19783.0]
    """
    cells = column_to_divide_by(table, column, "numeric")
    attribute = table.schema[column]
    match attribute:
        case Numeric():
            times = np.asarray(cells, dtype=np.float64)
        case Ordinal():
            times = np.where(cells >= 0, cells, np.nan).astype(np.float64)
        case Nominal(_, values):
            days = np.array([*_days(column, values), np.nan])
            times = days[np.where(cells >= 0, cells, len(values))]
        case Text():
            known = [cell for cell in cells.tolist() if cell is not None]
            by_text = dict(zip(known, _days(column, tuple(known)), strict=True))
            times = np.array([by_text.get(cell, np.nan) for cell in cells.tolist()])
        case Ignored():
            raise AssertionError("an ignored column has no cells")
        case _:
            assert_never(attribute)
    lacking = np.flatnonzero(~np.isfinite(times))
    if len(lacking):
        raise SchemaError(
            f"Column '{column}' has no time in row {table.row_number(int(lacking[0]))}"
            f"{f' and {len(lacking) - 1:,} more' if len(lacking) > 1 else ''}: rows cannot be divided by "
            "time. Leave these rows out, or fill them in."
        )
    return times


def _days(column: str, texts: tuple[str, ...]) -> list[float]:
    try:
        return days_of(column, texts)
    except SchemaError:
        raise SchemaError(
            f"Column '{column}' holds neither numbers nor dates nor ordered values, so it has no before and "
            "after. Say its order: ",
            Advice("ordered", {column: list(dict.fromkeys(texts))[:2]}, more=True),
            ".",
        ) from None
