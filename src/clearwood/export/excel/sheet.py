"""A Sheet of a workbook: cells by row and column, each a text, a number or a formula in a style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

CellStyle: TypeAlias = Literal[
    "plain",
    "title",
    "remark",
    "head of inputs",
    "head of predictions",
    "head",
    "number in",
    "text in",
    "answer",
    "share",
    "words",
    "line",
    "number",
]


@dataclass(frozen=True, slots=True)
class FormulaText:
    """A formula as it is written behind the =."""

    text: str


SheetValue: TypeAlias = str | float | FormulaText | None  # NaN is #N/A


@dataclass(frozen=True, slots=True)
class CellRange:
    """Cells of a column, from one row to another, that a rule is for."""

    column: int
    first: int
    last: int

    def __str__(self) -> str:
        letters = column_letters(self.column)
        return f"{letters}{self.first}:{letters}{self.last}"


@dataclass(frozen=True, slots=True)
class ListedValues:
    """The values of a range may be chosen from a list elsewhere in the workbook; others are let in."""

    of: CellRange
    source: str


@dataclass
class WorkbookSheet:
    """One sheet: its rows, the widths of its columns, and what stays in place when it is scrolled."""

    name: str
    rows: dict[int, dict[int, tuple[SheetValue, CellStyle]]] = field(default_factory=dict)
    widths: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    frozen: tuple[int, int] = (0, 0)  # rows and columns
    lists: list[ListedValues] = field(default_factory=list)
    bars: list[CellRange] = field(default_factory=list)
    colour: str = ""

    def put(self, row: int, column: int, value: SheetValue, style: CellStyle = "plain") -> None:
        """Fill a cell; rows and columns are counted from 1."""
        self.rows.setdefault(row, {})[column] = (value, style)

    def put_row(self, row: int, values: Sequence[SheetValue], style: CellStyle = "plain") -> None:
        """Fill a row from its first column."""
        for column, value in enumerate(values, 1):
            self.put(row, column, value, style)


def column_letters(column: int) -> str:
    """The letters of a column, counted from 1.

    >>> column_letters(1), column_letters(26), column_letters(27), column_letters(16384)
    ('A', 'Z', 'AA', 'XFD')
    """
    letters = ""
    while column:
        column, place = divmod(column - 1, 26)
        letters = chr(65 + place) + letters
    return letters
