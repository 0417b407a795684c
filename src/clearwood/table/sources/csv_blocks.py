"""Separated text in blocks of whole rows: a source of any length in the memory of one block.

How the text is written is guessed from the first block, and holds for the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood._native import csv_rows
from clearwood.table.raw import Raw
from clearwood.table.sources.csv import (
    MISSING_MARKS,
    Dialect,
    Spans,
    UnclosedQuoteError,
    announced_delimiter,
    check_settings,
    columns_and_spans,
    dialect_of,
    notes_on_points,
)
from clearwood.table.sources.opening import Bytes
from clearwood.table.sources.points_in_doubt import PointsInDoubt
from clearwood.table.sources.spelled_numbers import with_spelled_numbers

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


def marks_of(missing: str | Collection[str] | None) -> tuple[str, ...]:
    """The cells that count as missing: the usual marks and those given; an empty list leaves but blanks."""
    if missing is None:
        return MISSING_MARKS
    given = (missing,) if isinstance(missing, str) else tuple(missing)
    return (*MISSING_MARKS, *given) if given else ("",)


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
