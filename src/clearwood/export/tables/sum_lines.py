"""The lines of a table of sums as texts, and read back: column, cell, and what it adds to each sum; then, in
a file that stands alone, how the sums are to be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from clearwood.errors import SettingError
from clearwood.explain.curve_groups import AnotherValue
from clearwood.export.tables.cells import condition_of_cell, words_of_condition
from clearwood.export.tables.sum_reading import reading_from, statements_of
from clearwood.export.tables.sum_table import EachUnit, SumCell, SumRow, SumTable
from clearwood.table.attributes import Attribute

START: Final = "start"
EACH_UNIT: Final = "each unit"
ANOTHER: Final = "another value"
HOW: Final = "how to add up"


def head_of_sums(table: SumTable) -> list[str]:
    """The names of the columns."""
    beside = ["and column", "and cell"] if table.has_pairs else []
    return ["column", "cell", *beside, *table.names]


def lines_of_sums(table: SumTable, *, name: Callable[[str], str] = str) -> list[list[str]]:
    """The lines, the first with what the sums begin with; numbers without loss. `name` writes a column's."""
    more = [""] * (2 * table.has_pairs)
    lines = [["", START, *more, *map(figure_text, table.start)]]
    for row in table.rows:
        cells = [text for cell in row.cells for text in (name(cell.name), _words(cell))]
        cells += more if len(row.cells) == 1 else []
        lines.append([*cells, *map(figure_text, row.amounts)])
    return lines


def lines_of_reading(table: SumTable, how: str) -> list[list[str]]:
    """How the sums are to be read: in the sentences `how`, then each thing by its name."""
    more, rest = [""] * (2 * table.has_pairs), [""] * (len(table.names) - 1)
    stated = [
        (name, value if isinstance(value, str) else figure_text(value))
        for name, value in statements_of(table.reading)
    ]
    return [["", name, *more, value, *rest] for name, value in ((HOW, how), *stated)]


@dataclass(frozen=True, slots=True)
class SumsWithReading:
    """A table read back from a file that stands alone, and the sentences of it."""

    table: SumTable
    how: str


def sums_with_reading(table: SumTable, lines: Sequence[Sequence[str]]) -> SumsWithReading:
    """The table of lines behind which its reading is stated."""
    wide = 4 if table.has_pairs else 2
    end = next((at for at, line in enumerate(lines) if list(line[:2]) == ["", HOW]), None)
    if end is None:
        raise SettingError(f"The table does not say how it is added up: a line '{HOW}'.")
    stated = {line[1]: line[wide] for line in lines[end + 1 :]}
    read = sums_from_lines(table, lines[:end])
    return SumsWithReading(replace(read, reading=reading_from(stated, table.reading)), lines[end][wide])


def sums_from_lines(
    table: SumTable, lines: Sequence[Sequence[str]], *, name: Callable[[str], str] = str
) -> SumTable:
    """The same table with what such lines say in place of its own; `name` reads a column's."""
    wide = 4 if table.has_pairs else 2
    first, *rest = lines
    if first[1] != START:
        raise SettingError(f"The first line must be what the sums start with, not '{first[1]}'.")
    rows = []
    for line in rows_of_cells(rest, wide):
        pairs = [(line[at], line[at + 1]) for at in range(0, wide, 2) if line[at] or line[at + 1]]
        cells = tuple(_cell(table.schema[name(column)], words) for column, words in pairs)
        rows.append(SumRow(cells, tuple(map(float, line[wide:]))))
    return replace(table, start=tuple(map(float, first[wide:])), rows=tuple(rows))


def rows_of_cells(lines: Sequence[Sequence[str]], wide: int) -> list[Sequence[str]]:
    """The lines, refused where one has no number."""
    for line in lines:
        if len(line) <= wide:
            raise SettingError(f"A line without a number: {', '.join(line)}.")
    return list(lines)


def figure_text(number: float) -> str:
    """A number without loss, whole ones without a point.

    >>> figure_text(-38.0), figure_text(0.1 + 0.2)
    ('-38', '0.30000000000000004')
    """
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _words(cell: SumCell) -> str:
    match cell:
        case EachUnit():
            return EACH_UNIT
        case AnotherValue():
            return ANOTHER
        case _:
            words = words_of_condition(cell)
            return f'"{words}"' if words in (EACH_UNIT, ANOTHER, START, HOW) else words


def _cell(attribute: Attribute, words: str) -> SumCell:
    if words == EACH_UNIT:
        return EachUnit(attribute.name)
    if words == ANOTHER:
        return AnotherValue(attribute.name)
    condition = condition_of_cell(words, attribute)
    if condition is None:
        raise SettingError(f"A line of '{attribute.name}' says nothing of its cell.")
    return condition
