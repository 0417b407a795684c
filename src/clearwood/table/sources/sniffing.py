"""How a separated file is written: delimiter, header and decimal mark, guessed from its first rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from clearwood._native import csv_rows
from clearwood.table.sources.opening import Bytes

DELIMITERS: Final = (",", ";", "\t", "|")
_SAMPLE_ROWS: Final = 100
_SAMPLE_BYTES: Final = 1 << 16

_GROUPS = rb"[1-9]\d{0,2}(?:[., ']\d{3})+(?:[.,]\d+)?"  # 1,200.00
_NUMBER = re.compile(rb"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+|" + _GROUPS + rb")(?:[eE][+-]?\d+)?(?:\s*%)?")
_COMMA = re.compile(rb"[+-]?\d*,\d+(?:[eE][+-]?\d+)?(?:\s*%)?")
_POINT = re.compile(rb"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?(?:\s*%)?")
_THOUSANDS = re.compile(rb"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\s*%)?")
_POINTS_THEN_COMMA = re.compile(rb"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?P<comma>,\d+)?(?:\s*%)?")  # 8.120,57


def first_rows(text: Bytes, delimiter: str) -> list[list[bytes]]:
    """The cells of up to a hundred whole rows from the file's head."""
    size = _SAMPLE_BYTES
    while True:
        cut = size < len(text)
        rows, _ = csv_rows(text[:size], delimiter, 0, _SAMPLE_ROWS)
        if cut and len(rows) < _SAMPLE_ROWS:
            rows = rows[:-1]  # the sample ends in the midst of a row
        if rows or not cut:
            return rows
        size *= 8


def guess_delimiter(text: Bytes) -> str:
    """The delimiter that gives most rows the same number of cells; then the most numbers, the most cells."""
    best, score = ",", (0.0, 0.0, 0)
    for delimiter in DELIMITERS:
        rows = first_rows(text, delimiter)
        if not rows:
            continue
        width, agreeing = Counter(len(row) for row in rows).most_common(1)[0]
        if width == 1:
            continue
        cells = [cell for row in rows for cell in row]
        numbers = sum(_NUMBER.fullmatch(cell) is not None for cell in cells) / len(cells)
        this = (agreeing / len(rows), numbers, width)
        if this > score:
            best, score = delimiter, this
    return best


def guess_header(rows: Sequence[Sequence[bytes]], missing: Collection[bytes]) -> bool:
    """Is the first row names?

    It is data if it has a number and no column where text stands over numbers, or if every one of its cells
    occurs again below in its own column.

    >>> guess_header([[b"a", b"2020"], [b"1", b"5"]], [b""]), guess_header([[b"5.1", b"setosa"]], [b""])
    (True, False)
    """
    first, below = rows[0], rows[1:]
    columns = [[row[j] for row in below if j < len(row) and row[j] not in missing] for j in range(len(first))]
    texts = [j for j, cell in enumerate(first) if cell not in missing and not _NUMBER.fullmatch(cell)]
    if any(columns[j] and all(map(_NUMBER.fullmatch, columns[j])) for j in texts):
        return True
    if len(texts) < sum(cell not in missing for cell in first):
        return False
    return not (texts and all(first[j] in columns[j] for j in texts))


def guess_decimal(rows: Sequence[Sequence[bytes]], delimiter: str) -> str:
    """A comma if some cells read like 1,5 (not only like 1,000) or 8.120,57, and none like 1.5."""
    if delimiter == ",":
        return "."
    cells = [cell for row in rows for cell in row]
    grouped = [match for cell in cells if (match := _POINTS_THEN_COMMA.fullmatch(cell))]
    sure = any(match["comma"] for match in grouped)
    if any(_POINT.fullmatch(cell) and not (sure and _POINTS_THEN_COMMA.fullmatch(cell)) for cell in cells):
        return "."
    commas = [cell for cell in cells if _COMMA.fullmatch(cell)]
    return "," if sure or any(not _THOUSANDS.fullmatch(cell) for cell in commas) else "."
