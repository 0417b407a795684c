"""Rows with answers beside them, as lines of a file: cells as they were, texts quoted where they must be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood._native import lines_of_columns, lines_of_text
from clearwood.table.raw import RawColumn, RawNumbers, RawStrings
from clearwood.table.sources.blocks import Block, RowTexts

AnswerColumns: TypeAlias = dict[str, RawColumn]  # column's name → its cells
KeptRows: TypeAlias = npt.NDArray[np.bool_]  # [row]


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


def output_lines(
    rows: Block, answers: Mapping[str, RawColumn], form: LineForm, kept: KeptRows | None
) -> memoryview:
    """The rows that are kept (None: all), each a line with its answers: as it stands in its source where that
    is text of the same form."""
    beside = [_column(each, form) for each in answers.values()]
    picked = None if kept is None else np.flatnonzero(kept).astype(np.int64)
    if rows.written is None:
        columns = [_column(each, form) for each in rows.raw.columns]
        return lines_of_columns(columns, len(rows.raw), beside, form.delimiter, picked).data
    written = _escaped(rows.written, form) if form.escape else rows.written
    return lines_of_text(
        written.text, written.spans, written.form.delimiter, beside, form.delimiter, picked
    ).data


def as_list(column: RawColumn) -> list[Any]:
    """The cells as JSON has them: None where there is nothing."""
    cells: list[Any]
    if isinstance(column, RawNumbers):
        cells = column.values.tolist()
    else:
        cells = np.array([*column.values, None], dtype=object)[column.codes].tolist()
    return cells


def _column(column: RawColumn, form: LineForm) -> Any:
    """As the native writer takes it: numbers, or codes and the texts of their values."""
    if isinstance(column, RawNumbers):
        if column.texts is None:
            return np.ascontiguousarray(column.values, np.float64)
        column = column.texts()
    values = tuple(map(escaped, column.values)) if form.escape else column.values
    return np.ascontiguousarray(column.codes), values


def _escaped(written: RowTexts, form: LineForm) -> RowTexts:
    """The same rows with texts that a spreadsheet would run escaped."""
    lines = [form.line(cells).encode() for cells in written.cells()]
    ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
    spans = np.column_stack([np.concatenate([[0], ends[:-1]]), ends]).astype(np.int64)
    text = np.frombuffer(b"".join(lines), np.uint8)
    return RowTexts(text, spans, replace(written.form, delimiter=form.delimiter))


def coded(codes: npt.NDArray[np.int32], values: Iterable[str]) -> RawStrings:
    """Answers that are positions in a list of values; −1 where there is none."""
    return RawStrings(np.asarray(codes, dtype=np.int32), tuple(values))


# Texts that a spreadsheet would run as formulas when it opens a file of rows.


_BEGIN: Final = ("=", "+", "-", "@", "\t", "\r")


def is_formula(text: str) -> bool:
    """Would a spreadsheet run this? A number with a sign is a number.

    >>> [text for text in ("=1+2", "-3.5", "- none", "a=b", "@SUM(A1)") if is_formula(text)]
    ['=1+2', '- none', '@SUM(A1)']
    """
    if not text.startswith(_BEGIN):
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def escaped(text: str) -> str:
    """The text with ' before it where it would be run, as spreadsheets have it."""
    return f"'{text}" if is_formula(text) else text


def formulas_in(texts: Iterable[Any]) -> list[str]:
    """Those of the texts that would be run, each once."""
    return sorted({text for text in texts if isinstance(text, str) and is_formula(text)})
