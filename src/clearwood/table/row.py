"""One row by itself: its cells by the names of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Cell: TypeAlias = str | float | None  # None: missing
Row: TypeAlias = Mapping[str, Cell]


def cell_number(cell: Cell) -> float | None:
    """The number in a cell of a numeric column; None where it is empty.

    >>> cell_number(70), cell_number("0.5"), cell_number(float("nan"))
    (70.0, 0.5, None)
    """
    return None if cell is None or cell != cell else float(cell)
