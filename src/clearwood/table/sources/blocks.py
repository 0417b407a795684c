"""A source's rows in blocks, so that one of any length is read in the memory of a few.

Separated text, packed or not, from a file, a pipe or standard input comes so, and Parquet and Arrow files do.
Any other source is one block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from clearwood._native import csv_rows
from clearwood.table.formats import SOURCES
from clearwood.table.raw import Raw
from clearwood.table.sources import read_raw, source_beginning, suffix_of
from clearwood.table.sources.csv import (
    Dialect,
    Spans,
    UnclosedQuoteError,
    announced_delimiter,
    check_settings,
    columns_and_spans,
    dialect_of,
    marks_of,
    notes_on_points,
)
from clearwood.table.sources.opening import Bytes, ByteStream, is_pipe
from clearwood.table.sources.recoded import as_read, marks_by_column, readings_of
from clearwood.table.sources.spelled_numbers import PointsInDoubt, with_spelled_numbers

BYTES: Final = 1 << 23  # of text in a block
ROWS: Final = 1 << 15  # of a Parquet or Arrow file in a block
_UTF_8: Final = (None, "utf-8", "utf8", "UTF-8")
_OF_TEXT: Final = ("missing", "delimiter", "decimal", "header", "thousands")


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some rows of a source, how many came before them, and their text where that is what the source is."""

    raw: Raw
    before: int = 0
    written: RowTexts | None = None


class LaterNotUtf8Error(Exception):
    """A text that began as UTF-8 goes on as something else: only reading it whole can say what it is."""


def blocks_of(
    source: str, options: dict[str, Any], *, size: int = BYTES, rows: int = ROWS
) -> Iterator[Block]:
    """The rows of a file, or of standard input for '-', in order; `options` are those of `read_raw`."""
    options = {option: value for option, value in options.items() if value is not None}
    read_as = readings_of(options.pop("recode", None), options.get("missing"))
    marks, _ = marks_by_column(options.pop("missing", None))
    options |= {} if marks is None else {"missing": marks}
    for block in _blocks(source, options, size, rows):
        yield replace(block, raw=as_read(block.raw, read_as))


def _blocks(source: str, options: dict[str, Any], size: int, rows: int) -> Iterator[Block]:
    if {"query", "query_seconds", "dates"} & set(options):  # what a date is takes all cells of a column
        yield Block(read_raw(source, **options))
    elif _is_text(source, options):
        yield from _text_blocks(source, options, size)
    elif _is_arrow(source, options):
        from clearwood.table.sources.arrow import arrow_blocks

        before = 0
        for raw in arrow_blocks(Path(source), rows, **options):
            yield Block(raw, before)
            before += len(raw)
        if not before:
            yield Block(read_raw(source, **options))
    else:
        yield Block(read_raw(source, **options))


def _text_blocks(source: str, options: dict[str, Any], size: int) -> Iterator[Block]:
    stream = ByteStream(source, options.get("max_bytes"), size)
    settings = {option: options[option] for option in _OF_TEXT if option in options}
    before = 0
    try:
        pieces = _unless_known(stream.pieces()) if stream.is_stream else stream.pieces()
        for raw, written in csv_blocks(pieces, stream.where, **settings):
            stream.settled = True
            yield Block(raw, before, written)
            before += len(raw)
    except NotInBlocksError:
        if before:
            raise LaterNotUtf8Error from None
        yield Block(read_raw(stream.whole(), **options))


def _unless_known(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces of a stream, which has no suffix: what is no delimited text is known by how it begins."""
    for place, piece in enumerate(pieces):
        if not place and source_beginning(piece) is not None:
            raise NotInBlocksError
        yield piece


def _is_text(source: str, options: dict[str, Any]) -> bool:
    if options.get("encoding") not in _UTF_8:
        return False
    path = Path(source)
    if source == "-" or is_pipe(path):
        return True
    return _is_file(path) and suffix_of(path) not in SOURCES


def _is_arrow(source: str, options: dict[str, Any]) -> bool:
    from clearwood.table.sources.arrow import has_arrow_blocks

    path = Path(source)
    # An option that such files have no use for is refused where they are read whole.
    return _is_file(path) and has_arrow_blocks(path) and not set(options) - {"max_bytes"}


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a query, say, is too long for a name
        return False


# Separated text in blocks of whole rows: a source of any length in the memory of one block.
#
# How the text is written is guessed from the first block, and holds for the others.


_FOREIGN: Final = (b"\xff\xfe", b"\xfe\xff", b"PAR1", b"ARROW1", b"PK\3\4", b"\xd0\xcf\x11\xe0")
_MARK: Final = b"\xef\xbb\xbf"


class NotInBlocksError(Exception):
    """This source must be read whole: it is in another encoding, not a text at all, or has no rows."""


@dataclass(frozen=True, slots=True, eq=False)
class RowTexts:
    """The text that rows stand in, and where each of them does."""

    text: Bytes
    spans: Spans
    form: Dialect

    def cells(self) -> list[list[str]]:
        """[row][column] what the cells say, as it is written."""
        rows = csv_rows(self.text, self.form.delimiter, self.form.begin, len(self.spans))[0]
        return [[cell.decode() for cell in row] for row in rows]


def csv_blocks(
    pieces: Iterable[bytes],
    where: str,
    *,
    missing: str | Collection[str] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    thousands: str | None = None,
) -> Iterator[tuple[Raw, RowTexts]]:
    """The rows of pieces of text, one block for each; the settings are those of `read_csv`.

    What cannot be read so, or has no rows, is a `NotInBlocksError`: reading it whole has the sentence.
    """
    check_settings(delimiter, decimal, thousands)
    marks = marks_of(missing)
    form: Dialect | None = None
    doubts = PointsInDoubt()
    rows = 0
    for piece in _whole_rows(pieces):
        try:
            text = np.frombuffer(piece.data, np.uint8)
            if not piece.lines:
                if _must_be_whole(piece.data):
                    raise NotInBlocksError
                text, announced = announced_delimiter(
                    text[len(_MARK) if piece.data.startswith(_MARK) else 0 :]
                )
                form = dialect_of(text, where, marks, delimiter or announced, decimal, header, thousands)
            assert form is not None
            current = replace(form, begin=form.begin if not piece.lines else 0, lines_before=piece.lines)
            columns, spans = columns_and_spans(text, where, current)
        except UnclosedQuoteError:
            if piece.is_last:
                raise
            piece.more = True
            continue
        except UnicodeDecodeError:
            raise NotInBlocksError from None
        if not len(spans):
            continue
        notes = (*form.notes, *notes_on_points(doubts, text, where, current, columns))
        columns, guesses = with_spelled_numbers(columns, form.names, form.decimal, thousands)
        raw = Raw(form.names, columns, where, notes, guesses=tuple(guesses))
        yield raw, RowTexts(text, spans, current)
        rows += len(raw)
    if not rows:
        raise NotInBlocksError


def _must_be_whole(head: bytes) -> bool:
    return head.startswith(_FOREIGN) or b"\0" in head[:4096] or b"\n" not in head


@dataclass(slots=True, eq=False)
class _Piece:
    """The next bytes, up to a line end; who needs `more`, as a quote is open, gets a longer one."""

    data: bytes
    lines: int  # before it
    is_last: bool
    more: bool = False


def _whole_rows(pieces: Iterable[bytes]) -> Iterator[_Piece]:
    held: list[bytes] = []  # what the next piece begins with
    lines = 0
    coming = iter(pieces)
    following = next(coming, b"")
    while following:
        read, following = following, next(coming, b"")
        cut = len(read) if not following else read.rfind(b"\n") + 1
        if not cut:
            held.append(read)
            continue
        piece = _Piece(b"".join([*held, memoryview(read)[:cut]]), lines, is_last=not following)
        yield piece
        held = [read[cut:]]
        if piece.more:
            held.insert(0, piece.data)
        else:
            lines += piece.data.count(b"\n")
