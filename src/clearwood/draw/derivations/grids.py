"""The cells of a grid: how they are written, and which of them a worksheet gives."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from clearwood.draw.derivations.numbers import Real, fraction_of, written_number
from clearwood.working.figures import Figure, Grid, GridCell, OnSheet

Left: TypeAlias = Literal["given", "blank", "nothing"]

_LEFT: Final[dict[OnSheet, Left]] = {"given": "given", "asked": "blank", "in key": "nothing"}


def written_cell(cell: GridCell, digits: int) -> str:
    """The cell as text.

    >>> [written_cell(cell, 4) for cell in ("Sunny", 14.0, 0.94028, Fraction(9, 14), True, None)]
    ['Sunny', '14', '0.9403', '9/14', 'yes', '–']
    """
    match cell:
        case None:
            return "–"
        case bool(holds):
            return "yes" if holds else "no"
        case str(text):
            return text
        case Fraction() as value if fraction_of(value) is not None:
            return str(value).replace("-", "−")
        case value:
            return str(written_number(value, digits))


def transposed(grid: Grid, rows: list[tuple[GridCell, ...]]) -> list[list[GridCell]]:
    """[column][row]"""
    return [[row[column] for row in rows] for column in range(len(grid.columns))]


def is_numeric(cells: list[GridCell]) -> bool:
    """Are there numbers in this column, and nothing else?"""
    kinds = {type(cell) for cell in cells} - {type(None)}
    return bool(kinds) and kinds <= {int, float, Fraction}


def what_is_left(grid: Grid, of: Figure, shown: range, rows: list[tuple[GridCell, ...]]) -> tuple[Left, ...]:
    """[column] What a worksheet keeps of it, as the grid declares.

    By default, what names the rows and what was counted is given, what is computed from that is blank, and
    a column without a heading, which has remarks, is left out.
    """
    if grid.on_sheet:
        return tuple(_LEFT[each] for each in grid.on_sheet)
    values = _values_of_rows(grid, of, shown)
    return tuple(
        "given" if place == 0 or _is_counted(cells, values) else "blank" if grid.columns[place] else "nothing"
        for place, cells in enumerate(transposed(grid, rows))
    )


def _values_of_rows(grid: Grid, of: Figure, shown: range) -> list[GridCell]:
    """The value of the figure that each row stands for, where there is one for each."""
    if grid.figure_of is not None:
        return [grid.figure_of(place).value for place in shown]
    return [each.value for each in of.under] if len(of.under) == len(shown) else []


def _is_counted(cells: list[GridCell], values: list[GridCell]) -> bool:
    if not is_numeric(cells) or cells == values:
        return False
    return all(
        isinstance(cell, int | float | Fraction) and _is_whole(cell) for cell in cells if cell is not None
    )


def _is_whole(value: Real) -> bool:
    return math.isfinite(value) and value == int(value)


def beside_each_other(widths: list[int], room: int) -> Iterator[list[int]]:
    """Which columns stand in the same lines; the first, which names the rows, stands in all of them."""
    columns = [0]
    used = widths[0] + 2
    for column, wide in enumerate(widths[1:], 1):
        if used + wide + 2 > room and len(columns) > 1:
            yield columns
            columns, used = [0], widths[0] + 2
        columns.append(column)
        used += wide + 2
    yield columns
