"""A source's columns before anyone has decided what they are, and which of them are dates.

Every source ends in a `Raw`: numeric columns and columns of strings, as cheap as the source allows.
Whether numbers are quantities or codes, whether strings are values, text or dates, is for the guesser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from typing import Final, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.errors import Advice, Place, SchemaError
from clearwood.records import dataclass
from clearwood.table.schema import ReadAs, Schema

NumberCells: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]  # [row], NaN = missing
Codes: TypeAlias = npt.NDArray[np.int32]  # [row], −1 = missing


@dataclass(frozen=True, slots=True, eq=False)
class RawNumbers:
    """A column in which every known cell is a finite number; possibly a view of the caller's array.

    `whole`: every known value is a whole number. `padded`: some cell is written with a leading zero ('01'),
    so the numbers are probably codes. `distinct`: how many values, where that was free to know. `texts`:
    the cells as written, for a column that turns out to hold codes or classes; None where numbers are all
    the source has.
    """

    values: NumberCells
    whole: bool
    padded: bool = False
    distinct: int | None = None
    texts: Callable[[], RawStrings] | None = None

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class RawStrings:
    """A column of strings: each cell the position of its value in `values`, −1 where missing.

    Values come in order of first appearance. Where the source itself lists them (a categorical column),
    `declared` is true, the order is the source's, and some may not occur; `ordered` says they run from low
    to high. `dates`: the source's type is a date or time, written here as ISO text. `note`: what was done to
    make texts of the cells, where that may surprise.
    """

    codes: Codes
    values: tuple[str, ...]
    declared: bool = False
    ordered: bool = False
    dates: bool = False
    note: str | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def as_numbers(self, numbers: Sequence[float], *, padded: bool = False) -> RawNumbers:
        """The same cells as numbers: `numbers` are those of the values, NaN for a missing one."""
        whole = all(number.is_integer() for number in numbers if number == number)
        return RawNumbers(np.array([*numbers, np.nan])[self.codes], whole, padded, None, lambda: self)


RawColumn: TypeAlias = RawNumbers | RawStrings


def notes_of(columns: Iterable[RawColumn]) -> tuple[str, ...]:
    """What the columns have to say of how they were read."""
    return tuple(each.note for each in columns if isinstance(each, RawStrings) and each.note)


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """Named columns of one length, and where they came from.

    `where` names the source in sentences: 'credit.csv', 'the pandas frame'. `notes` is what was guessed
    while reading (delimiter, header, decimal comma), `guesses` what was taken for a column's kind, by its
    name: whoever has a schema needs none of them. `schema` is set by sources that declare their kinds
    (ARFF, C4.5 names). `read_as` is what was read as something else.
    """

    names: tuple[str, ...]
    columns: tuple[RawColumn, ...]
    where: str
    notes: tuple[str, ...] = ()
    schema: Schema | None = None
    guesses: tuple[tuple[str, str], ...] = ()  # (column, note)
    read_as: ReadAs = field(default_factory=dict)

    def notes_without(self, settled: Container[str] = ()) -> tuple[str, ...]:
        """The notes, and the guesses about columns but those that are settled."""
        return (*self.notes, *(note for name, note in self.guesses if name not in settled))

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0


# One row by itself: its cells by the names of their columns.


Cell: TypeAlias = str | float | None  # None: missing
Row: TypeAlias = Mapping[str, Cell]


def cell_number(cell: Cell) -> float | None:
    """The number in a cell of a numeric column; None where it is empty.

    >>> cell_number(70), cell_number("0.5"), cell_number(float("nan"))
    (70.0, 0.5, None)
    """
    return None if cell is None or cell != cell else float(cell)


# Dates: which texts and numbers are some, and how many days each lies after the first of January 1970.

_TIME: Final = r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
_DATE: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d{1,2}:\d{2}.*)?"  # 2024-01-31, with or without a time
    r"|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})( \d{1,2}:\d{2}.*)?"  # 31.01.2024, 1/31/24
    r"|\d{1,2}[- ][A-Za-z]{3,9}\.?,?[- ]\d{2,4}"  # 31 Jan 2024
    r"|[A-Za-z]{3,9}\.? \d{1,2}, ?\d{4}"  # January 31, 2024
    rf"|{_TIME}"  # 12:30
)
_PARTS: Final = re.compile(
    r"(?:(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})[-/.](?P<second>\d{1,2})[-/.](?P<last>\d{4})"
    r"|(?P<of>\d{1,2})[- ](?P<name>[A-Za-z]{3,9})\.?,?[- ](?P<in>\d{4})"
    r"|(?P<called>[A-Za-z]{3,9})\.? (?P<on>\d{1,2}), ?(?P<then>\d{4}))"
    r"(?:[T ](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<seconds>\d{2}(?:\.\d{1,9})?))?(?:Z|\+00:?00)?)?"
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH: Final = datetime(1970, 1, 1)
_SAMPLE: Final = 1000


def are_dates(column: RawStrings) -> bool:
    """Does the source's type say so, or does every text look like a date or a time of day?"""
    return column.dates or _all_like(column, _DATE)


def are_times(column: RawStrings) -> bool:
    """Is every text a time of day, which belongs to no date?"""
    return _all_like(column, re.compile(_TIME))


def are_calendar(known: NumberCells) -> bool:
    """Are these all dates written as one number, 20240131?"""
    if not ((known >= 18000101) & (known <= 21991231)).all():
        return False
    month, day = known.astype(np.int64) // 100 % 100, known.astype(np.int64) % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def days_of(name: str, texts: Sequence[str]) -> list[float]:
    """Days since 1970-01-01, a time of day as their fraction.

    Where day and month are both numbers and the year comes last, a day above 12 anywhere in the column tells
    which is which; without one it is refused.

    >>> days_of("day", ["1970-01-02", "31 Jan 1970", "1970-01-01 18:00"])
    [1.0, 30.0, 0.75]
    """
    parts = [_PARTS.fullmatch(text.strip()) for text in texts]
    numbered = [(int(each["first"]), int(each["second"])) for each in parts if each and each["first"]]
    day_first = any(first > 12 for first, _ in numbered)
    if numbered and day_first == any(second > 12 for _, second in numbered):
        example = next(text for text, each in zip(texts, parts, strict=True) if each and each["first"])
        raise SchemaError(
            f"Column '{name}': it is not clear which is the day and which the month in dates such as "
            f"'{example}'. Write them as 2024-01-31."
        )
    return [_days(each, day_first, text, name) for text, each in zip(texts, parts, strict=True)]


def _days(parts: re.Match[str] | None, day_first: bool, text: str, name: str) -> float:
    if parts is None:
        _refuse(text, name)
    if parts["first"]:
        one, two = int(parts["first"]), int(parts["second"])
        year, (day, month) = int(parts["last"]), (one, two) if day_first else (two, one)
    elif parts["year"]:
        year, month, day = int(parts["year"]), int(parts["month"]), int(parts["day"])
    else:
        word = (parts["name"] or parts["called"])[:3].lower()
        month = _MONTHS.index(word) + 1 if word in _MONTHS else 0
        year, day = int(parts["in"] or parts["then"]), int(parts["of"] or parts["on"])
    clock = timedelta(
        hours=int(parts["hour"] or 0), minutes=int(parts["minute"] or 0), seconds=float(parts["seconds"] or 0)
    )
    try:
        return (datetime(year, month, day) - _EPOCH + clock) / timedelta(days=1)
    except ValueError:
        _refuse(text, name)


def _refuse(text: str, name: str) -> NoReturn:
    raise SchemaError(
        f"Column '{name}': '{text[:40]}' cannot be read as a date. Write it as 2024-01-31 or "
        "2024-01-31 12:30, or leave the column out: ",
        Advice("ignore", [name]),
        ".",
        place=Place(column=name),
    )


def _all_like(column: RawStrings, pattern: re.Pattern[str]) -> bool:
    sample = column.values[:: max(1, len(column.values) // _SAMPLE)]
    return bool(sample) and all(pattern.fullmatch(value.strip()) for value in sample)
