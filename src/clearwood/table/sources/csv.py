"""Separated text (CSV, TSV and their kin): cells exactly as written, coded in one native pass.

A cell keeps what it says: 'TRUE', '01' and '1e5' stay as they are. Blanks around an unquoted cell are not
part of it; a quoted cell keeps its blanks, and counts as a number or as missing like any other. Empty lines
are stepped over. A column is numeric if every known cell is a number, or is consistently spelled as people
write one (`1,200.00`, `0.5 %`); else its cells are strings.

Memory beyond the result (8 bytes a number, 4 a string cell, each distinct string once): the file itself; the
columns are joined from pieces, each freed as it is joined, so at most twice the result.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood._native import csv_columns, csv_rows
from clearwood.errors import (
    Advice,
    ColumnError,
    NamedOption,
    Place,
    Sentence,
    SettingError,
    SourceError,
    WayOut,
)
from clearwood.records import dataclass
from clearwood.table.describe import excerpt
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings
from clearwood.table.sources.decoding import from_windows, in_utf8, line_of
from clearwood.table.sources.opening import Bytes, Openable, SizeLimit, read_bytes
from clearwood.table.sources.spelled_numbers import FEW, PointsInDoubt, check_thousands, with_spelled_numbers
from clearwood.words.numbers import many

# 'None', 'none' and '-' are not among them: in too many tables they are values.
MISSING_MARKS: Final = ("", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null")

InfiniteCells: TypeAlias = Literal["refuse", "text"]
Spans: TypeAlias = npt.NDArray[np.int64]  # [row, 2] where in the text it begins and ends, less its line end

_SEP_LINE: Final = re.compile(rb'"?sep=([^\r\n"\w\x80-\xff])"?(?=\r?\n)', re.IGNORECASE)
_NAMED_DELIMITERS: Final = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";"}


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """How the file is written, given or guessed."""

    delimiter: str
    decimal: str
    missing: tuple[str, ...]
    names: tuple[str, ...]
    begin: int  # offset of the first row of data
    notes: tuple[str, ...]
    is_in_doubt: bool = False  # may its points stand between thousands?
    lines_before: int = 0  # where the text is not the beginning of the file

    def line(self, text: Bytes, offset: int) -> int:
        """The line of the file, from 1, in which a byte of the text stands."""
        return self.lines_before + line_of(text, offset)


class UnclosedQuoteError(SourceError):
    """A quote that opens a cell, and no other that closes it."""


def read_csv(
    source: Openable,
    *,
    missing: str | Collection[str] = MISSING_MARKS,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    thousands: str | None = None,
    max_bytes: SizeLimit = None,
    infinite: InfiniteCells = "refuse",
) -> Raw:
    """The columns of a separated file; what isn't given is guessed from its first rows. A column with
    infinite cells is refused, or read as texts.

    >>> from io import StringIO
    >>> raw = read_csv(StringIO("size;shoe\\n1,5;left\\n?;right\\n"))
    >>> raw.names, raw.columns[0].values.tolist(), raw.columns[1].values
    (('size', 'shoe'), [1.5, nan], ('left', 'right'))
    >>> raw.notes
    ("the open file: numbers have a decimal comma. If not: decimal='.'.",)
    """
    check_settings(delimiter, decimal, thousands)
    marks = (missing,) if isinstance(missing, str) else tuple(missing)
    data, where = read_bytes(source, max_bytes)
    text, announced = announced_delimiter(_with_newlines(in_utf8(data, where, encoding)))
    notes: list[str] = []
    try:
        form = dialect_of(text, where, marks, delimiter or announced, decimal, header, thousands)
        columns, _ = _parsed(text, where, form, infinite)
    except UnicodeDecodeError:
        text, note = from_windows(text, where, encoding)
        notes.append(note)
        form = dialect_of(text, where, marks, delimiter or announced, decimal, header, thousands)
        columns, _ = _parsed(text, where, form, infinite)
    if not columns or len(columns[0]) == 0:
        raise SourceError(
            f"{where} has a header and no rows.",
            WayOut(" If its first line is data, say so: ", Advice("header", False), "."),
            place=Place(source=where),
        )
    notes += [*form.notes, *notes_on_points(PointsInDoubt(), text, where, form, columns)]
    columns, spelled = with_spelled_numbers(columns, form.names, form.decimal, thousands)
    return Raw(form.names, columns, where, tuple(notes), guesses=tuple(spelled))


def announced_delimiter(text: Bytes) -> tuple[Bytes, str | None]:
    """The delimiter of a first line `sep=;`, as Excel writes it, and the text with that line blanked."""
    match = _SEP_LINE.match(text[:16].tobytes())
    if match is None:
        return text, None
    text = text.copy()
    text[: match.end()] = ord(" ")  # the reader steps over blank lines, and lines keep their numbers
    return text, match[1].decode()


def _with_newlines(text: Bytes) -> Bytes:
    """Old Macintosh files end their lines with a carriage return alone."""
    head = text[: 1 << 16]
    if (head == ord("\n")).any() or not (head == ord("\r")).any():
        return text
    return np.frombuffer(text.tobytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n"), np.uint8)


def dialect_of(
    text: Bytes,
    where: str,
    marks: tuple[str, ...],
    delimiter: str | None,
    decimal: str | None,
    header: bool | None,
    thousands: str | None,
) -> Dialect:
    delimiter = _NAMED_DELIMITERS.get(delimiter, delimiter) if delimiter else guess_delimiter(text)
    rows = first_rows(text, delimiter)
    if not rows:
        if (text != ord("\n")).any() and text.tobytes().strip():
            raise _unclosed(text, where, 0)
        raise SourceError(f"{where} is empty. It needs a line of column names and at least one row.")
    notes: list[str] = []
    is_in_doubt = False
    if decimal is None and thousands == ".":
        decimal = ","
    elif decimal is None:
        decimal = guess_decimal(rows, delimiter)
        is_in_doubt = delimiter == ";" and decimal == "." and thousands is None
        if decimal == ",":
            point = Advice("decimal", ".")
            notes.append(Sentence(f"{where}: numbers have a decimal comma. If not: ", point, "."))
    elif decimal == delimiter and guess_decimal(rows, ";") != decimal:  # else in quotes: "1,5"
        raise SettingError(
            NamedOption("decimal"),
            " and ",
            NamedOption("delimiter"),
            f" are both '{decimal}'. Give another delimiter.",
        )
    named = guess_header(rows, {mark.encode() for mark in marks}) if header is None else header
    if not named and header is None:
        notes.append(
            Sentence(
                f"{where} seems to have no header line: columns are called column_1, column_2, …. "
                "If its first line is a header: ",
                Advice("header", True),
                ".",
            )
        )
    if not named:
        names = tuple(f"column_{j + 1}" for j in range(len(rows[0])))
        return Dialect(delimiter, decimal, marks, names, 0, tuple(notes), is_in_doubt)
    _, (begin, *_) = csv_rows(text, delimiter, 0, 1)
    names = _names(rows[0], where)
    unnamed = [j for j, name in enumerate(rows[0]) if not name.strip()]
    notes += [f"{where}: column {j + 1} has no name: called {names[j]}." for j in unnamed]
    return Dialect(delimiter, decimal, marks, names, begin, tuple(notes), is_in_doubt)


def notes_on_points(
    doubts: PointsInDoubt, text: Bytes, where: str, form: Dialect, columns: Sequence[RawColumn]
) -> tuple[str, ...]:
    """What is to be said of points that may stand between thousands."""
    if not form.is_in_doubt:
        return ()
    first = csv_rows(text, form.delimiter, form.begin, FEW)[0]
    return doubts.notes(where, form.names, columns, first, form.missing)


def marks_of(missing: str | Collection[str] | None) -> tuple[str, ...]:
    """The cells that count as missing: the usual marks and those given; an empty list leaves but blanks."""
    if missing is None:
        return MISSING_MARKS
    given = (missing,) if isinstance(missing, str) else tuple(missing)
    return (*MISSING_MARKS, *given) if given else ("",)


def check_settings(delimiter: str | None, decimal: str | None, thousands: str | None) -> None:
    """Refuse what no file can be written with."""
    check_thousands(thousands, decimal)
    if delimiter is not None and delimiter not in _NAMED_DELIMITERS:
        if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\n\r':
            raise SettingError(
                NamedOption("delimiter"),
                f" must be one plain character such as ',' or ';', not {delimiter!r}.",
            )
        if delimiter.isalnum():
            raise SettingError(NamedOption("delimiter"), f" cannot be a letter or digit: {delimiter!r}.")
    if decimal not in (None, ".", ","):
        raise SettingError(NamedOption("decimal"), f" must be '.' or ',', not {decimal!r}.")


def _names(cells: Sequence[bytes], where: str) -> tuple[str, ...]:
    names = tuple(cell.decode().strip() or f"column_{j + 1}" for j, cell in enumerate(cells))
    first: dict[str, int] = {}
    for j, name in enumerate(names):
        if first.setdefault(name, j) != j:
            raise ColumnError(
                f"{where}: columns {first[name] + 1} and {j + 1} are both called '{name}'. Rename one",
                WayOut("; or if the first line is data, say so: ", Advice("header", False)),
                ".",
                place=Place(source=where, line=1, column=name),
            )
    return names


def parsed_columns(text: Bytes, where: str, form: Dialect, only: int = -1) -> tuple[RawColumn, ...]:
    return _parsed(text, where, form, "refuse", only)[0]


def columns_and_spans(text: Bytes, where: str, form: Dialect) -> tuple[tuple[RawColumn, ...], Spans]:
    """The columns, one with infinite cells as texts, and where each row begins and ends in the text."""
    columns, spans = _parsed(text, where, form, "text", with_spans=True)
    assert spans is not None
    return columns, spans


def _parsed(
    text: Bytes,
    where: str,
    form: Dialect,
    infinite: InfiniteCells,
    only: int = -1,
    *,
    with_spans: bool = False,
) -> tuple[tuple[RawColumn, ...], Spans | None]:
    fault, offset, cells, columns, spans = csv_columns(
        text, form.delimiter, form.decimal, list(form.missing), form.begin, len(form.names), only, with_spans
    )
    match fault:
        case "ragged":
            line = form.line(text, offset)
            raise SourceError(
                f"{where}, line {line}: {many(cells, 'cell')} where "
                f"{many(len(form.names), 'is', 'are')} expected (separated by {form.delimiter!r}). "
                "Correct the row, or put quotes around a cell that contains the delimiter",
                WayOut("; or give ", Advice("delimiter")),
                ".",
                place=Place(source=where, line=line),
            )
        case "unclosed":
            raise _unclosed(text, where, offset, form.lines_before)
        case "too long":
            line = form.line(text, offset)
            raise SourceError(
                f"{where}, line {line}: a row of over 4 GB. A quote may be missing in it.",
                place=Place(source=where, line=line),
            )
    read = tuple(
        _column(text, where, form, infinite, j, *column)
        for j, column in enumerate(columns)
        if column is not None
    )
    return read, spans


def _column(
    text: Bytes, where: str, form: Dialect, infinite: str, j: int, values: Any, *encoded: Any
) -> RawColumn:
    if len(encoded) == 1:
        return RawStrings(values, encoded[0])
    whole, plain, padded, infinite_at, distinct = encoded
    if infinite_at >= 0 and infinite == "text":
        return _texts(text, where, form, j)
    if infinite_at >= 0:
        cell = excerpt(csv_rows(text, form.delimiter, infinite_at, 1)[0][0][j].decode())
        name, line = form.names[j], form.line(text, infinite_at)
        raise SourceError(
            f"{where}, line {line}: '{cell}' in column '{name}' is infinite. Correct the cell",
            WayOut(", or treat it as missing: ", Advice("missing", cell)),
            ".",
            place=Place(source=where, line=line, column=name),
        )
    # Whole numbers written plainly can be printed again; anything else is read once more when asked for.
    texts = None if plain else partial(_texts, text, where, form, j)
    return RawNumbers(values, whole, padded, distinct if distinct >= 0 else None, texts)


def _texts(text: Bytes, where: str, form: Dialect, j: int) -> RawStrings:
    (column,) = parsed_columns(text, where, form, j)
    assert isinstance(column, RawStrings)
    return column


def _unclosed(text: Bytes, where: str, offset: int, before: int = 0) -> SourceError:
    return UnclosedQuoteError(
        f"{where}, line {before + line_of(text, offset)}: a quote opens here or soon after and never closes. "
        'Close it; a quote inside a quoted cell is written twice: "".'
    )


# How a separated file is written: delimiter, header and decimal mark, guessed from its first rows.


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
