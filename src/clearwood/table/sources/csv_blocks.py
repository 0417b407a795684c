"""Separated text in blocks of whole rows: a file of any length in the memory of one block.

How the file is written is guessed from the first block, and holds for the others.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from clearwood._native import csv_rows
from clearwood.errors import SourceError
from clearwood.table.raw import Raw
from clearwood.table.sources.csv import (
    MISSING_MARKS,
    Form,
    UnclosedQuoteError,
    announced_delimiter,
    check_settings,
    columns_of,
    form_of,
)
from clearwood.table.sources.opening import Bytes, Limit, limit_of
from clearwood.table.sources.spelled_numbers import with_spelled_numbers

_BLOCK: Final = 1 << 24
_SUFFIXES: Final = (".csv", ".tsv", ".txt")
_PLAIN: Final = (None, "utf-8", "utf8", "UTF-8")
_READ_WHOLE: Final = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\xff\xfe", b"\xfe\xff", b"PAR1", b"PK\3\4")
_MARK: Final = b"\xef\xbb\xbf"


class NotInBlocksError(Exception):
    """This file must be read whole: it is packed, in another encoding, or not a text at all."""


@dataclass(frozen=True, slots=True, eq=False)
class CsvBlock:
    """Some rows of a file: their columns, their text, and how many rows came before."""

    raw: Raw
    before: int
    form: Form
    text: Bytes

    def lines(self) -> list[str]:
        """Each row as it is written, without its line end."""
        written = self.text[self.form.begin :].tobytes().decode().split("\n")
        found = [line.removesuffix("\r") for line in written if line.strip(" \t\r")]
        if len(found) == len(self.raw):
            return found
        # A quoted cell goes over several lines, or a line of delimiters and blanks is a row.
        ends = csv_rows(self.text, self.form.delimiter, self.form.begin, len(self.raw))[1]
        starts = (self.form.begin, *ends[:-1])
        cut = (self.text[a:b].tobytes().decode() for a, b in zip(starts, ends, strict=True))
        return [line.strip("\r\n") for line in cut]

    def cells(self) -> list[list[str]]:
        """[row][column] what the cells say, as it is written."""
        rows = csv_rows(self.text, self.form.delimiter, self.form.begin, len(self.raw))[0]
        return [[cell.decode() for cell in row] for row in rows]


def comes_in_blocks(source: str, options: dict[str, Any]) -> bool:
    """Is this a plain text file, by its name and by how it is to be read?"""
    path = Path(source)
    plain = options.get("encoding") in _PLAIN and not {"query", "dates"} & set(options)
    return plain and path.suffix.lower() in _SUFFIXES and path.is_file()


def csv_blocks(
    path: Path,
    *,
    missing: str | Collection[str] = (),
    delimiter: str | None = None,
    encoding: str | None = None,  # UTF-8, as comes_in_blocks has it  # noqa: ARG001
    decimal: str | None = None,
    header: bool | None = None,
    thousands: str | None = None,
    max_bytes: Limit = None,
    size: int = _BLOCK,
) -> Iterator[CsvBlock]:
    """The rows of a file, some `size` bytes at a time; the settings are those of `read_csv`.

    A file that cannot be read so, or has no rows, is a `NotInBlocksError`: reading it whole has the sentence.
    """
    check_settings(delimiter, decimal, thousands)
    limit = limit_of(max_bytes)
    marks = (*MISSING_MARKS, *([missing] if isinstance(missing, str) else missing))
    form: Form | None = None
    rows = 0
    with path.open("rb") as file:
        before = os.fstat(file.fileno())
        if limit is not None and before.st_size > limit:
            raise NotInBlocksError
        for piece in _pieces(file, size):
            try:
                text = np.frombuffer(piece.data, np.uint8)
                if not piece.lines:
                    if _must_be_whole(piece.data):
                        raise NotInBlocksError
                    text, said = announced_delimiter(
                        text[len(_MARK) if piece.data.startswith(_MARK) else 0 :]
                    )
                    form = form_of(text, path.name, marks, delimiter or said, decimal, header)
                assert form is not None
                current = replace(form, begin=form.begin if not piece.lines else 0, lines_before=piece.lines)
                columns = columns_of(text, path.name, current, infinite="text")
            except UnclosedQuoteError:
                if piece.is_last:
                    raise
                piece.more = True
                continue
            except UnicodeDecodeError:
                raise NotInBlocksError from None
            if not columns or not len(columns[0]):
                continue
            columns, guesses = with_spelled_numbers(columns, form.names, form.decimal, thousands)
            raw = Raw(form.names, columns, path.name, form.notes, guesses=tuple(guesses))
            yield CsvBlock(raw, rows, current, text)
            rows += len(raw)
        after = os.fstat(file.fileno())
    if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
        raise SourceError(f"{path.name} changed while it was read. Try again when it is written.")
    if not rows:
        raise NotInBlocksError


def _must_be_whole(head: bytes) -> bool:
    return head.startswith(_READ_WHOLE) or b"\0" in head[:4096] or b"\n" not in head


@dataclass(slots=True, eq=False)
class _Piece:
    """The next bytes, up to a line end; who needs `more`, as a quote is open, gets a longer one."""

    data: bytes
    lines: int  # before it
    is_last: bool
    more: bool = False


def _pieces(file: BinaryIO, size: int) -> Iterator[_Piece]:
    held, lines, asked = b"", 0, size
    while True:
        read = file.read(asked)
        held, is_last = held + read, len(read) < asked
        cut = len(held) if is_last else held.rfind(b"\n") + 1
        asked = size
        if not cut and not is_last:
            asked = max(size, len(held))
            continue
        piece = _Piece(held[:cut], lines, is_last)
        if cut:
            yield piece
        if piece.more:
            asked = max(size, len(held))
            continue
        if is_last:
            return
        lines += held.count(b"\n", 0, cut)
        held = held[cut:]
