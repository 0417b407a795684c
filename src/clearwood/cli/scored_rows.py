"""Rows with answers beside them, as lines of a file: cells as they were, texts quoted where they must be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.cli.formulas import escaped
from clearwood.table.raw import Raw, RawColumn, RawNumbers
from clearwood.table.sources.csv_blocks import CsvBlock
from clearwood.words.numbers import number

Answers: TypeAlias = dict[str, list[Any]]  # column's name → its cells

_MANY: Final = 1 << 16  # lines that are joined at once


@dataclass(frozen=True, slots=True)
class LineForm:
    """What stands between cells, and whether texts that a spreadsheet would run are escaped."""

    delimiter: str
    escape: bool

    def cell(self, text: str) -> str:
        """The text as a cell of a line.

        >>> LineForm(",", escape=False).cell('5" pipe'), LineForm(",", escape=True).cell("=1+1")
        ('"5"" pipe"', "'=1+1")
        """
        text = escaped(text) if self.escape else text
        if self.delimiter in text or '"' in text or "\n" in text or "\r" in text:
            text = text.replace('"', '""')
            return f'"{text}"'
        return text

    def line(self, cells: Iterable[str]) -> str:
        return self.delimiter.join(map(self.cell, cells))


def lines_of(rows: Raw | CsvBlock, form: LineForm) -> list[str]:
    """Each row as a line, without its end: as it stands in the file where that has the same form."""
    if isinstance(rows, CsvBlock):
        if rows.form.delimiter == form.delimiter and not form.escape:
            return rows.lines()
        return [form.line(cells) for cells in rows.cells()]
    if not rows.columns:
        return [""] * len(rows)
    columns = [_texts(column, form) for column in rows.columns]
    return list(map(form.delimiter.join, zip(*columns, strict=True)))


def written(lines: Sequence[str], answers: Answers, form: LineForm) -> Iterable[str]:
    """The lines with their answers, many at a time."""
    columns = [_answer_texts(cells, form) for cells in answers.values()]
    for first in range(0, len(lines), _MANY):
        part = slice(first, first + _MANY)
        joined = zip(lines[part], *(column[part] for column in columns), strict=True)
        yield "\n".join(map(form.delimiter.join, joined)) + "\n"


def _texts(column: RawColumn, form: LineForm) -> list[str]:
    """The cells as they were written; nothing where nothing was. Each distinct text is quoted once."""
    if isinstance(column, RawNumbers):
        if column.texts is None:
            return _numbers(column)
        column = column.texts()
    values = np.array([*map(form.cell, column.values), ""], dtype=object)
    cells: list[str] = values[column.codes].tolist()
    return cells


def _numbers(column: RawNumbers) -> list[str]:
    """As `number` writes each; whole ones and empty cells are few calls, not one for every cell."""
    values = column.values.astype(np.float64)
    texts = np.array(list(map(repr, values.tolist())), dtype=object)
    whole = (values == np.floor(values)) & (np.abs(values) < 1e15)
    texts[whole] = list(map(str, values[whole].astype(np.int64).tolist()))
    texts[np.isnan(values)] = ""
    cells: list[str] = texts.tolist()
    return cells


def _answer_texts(cells: Sequence[str | float | None], form: LineForm) -> list[str]:
    """The answers as they are written; nothing where the model says nothing."""
    texts = {
        cell: ""
        if cell is None or cell != cell
        else form.cell(cell)
        if isinstance(cell, str)
        else number(cell)
        for cell in set(cells)
    }
    return ["" if cell != cell else texts[cell] for cell in cells]
