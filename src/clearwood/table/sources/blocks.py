"""A source's rows in blocks, so that one of any length is read in the memory of a few.

Separated text, packed or not, from a file, a pipe or standard input comes so, and Parquet and Arrow files do.
Any other source is one block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from clearwood.table.formats import SOURCES
from clearwood.table.raw import Raw
from clearwood.table.sources import is_json, read_raw, suffix_of
from clearwood.table.sources.csv_blocks import NotInBlocksError, RowTexts, csv_blocks
from clearwood.table.sources.recoded import as_read, marks_by_column, readings_of
from clearwood.table.sources.streaming import ByteStream, is_pipe

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
        from clearwood.table.sources.arrow_blocks import arrow_blocks

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
        pieces = _unless_json(stream.pieces()) if stream.is_stream else stream.pieces()
        for raw, written in csv_blocks(pieces, stream.where, **settings):
            stream.settled = True
            yield Block(raw, before, written)
            before += len(raw)
    except NotInBlocksError:
        if before:
            raise LaterNotUtf8Error from None
        yield Block(read_raw(stream.whole(), **options))


def _unless_json(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces of a stream, which has no suffix: records of JSON are known by how they begin."""
    for place, piece in enumerate(pieces):
        if not place and is_json(piece):
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
    from clearwood.table.sources.arrow_blocks import has_arrow_blocks

    path = Path(source)
    # An option that such files have no use for is refused where they are read whole.
    return _is_file(path) and has_arrow_blocks(path) and not set(options) - {"max_bytes"}


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a query, say, is too long for a name
        return False
