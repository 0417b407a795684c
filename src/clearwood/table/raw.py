"""A source's columns before anyone has decided what they are.

Every source ends in a `Raw`: numeric columns and columns of strings, as cheap as the source allows.
Whether numbers are quantities or codes, whether strings are values, text or dates, is for the guesser.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

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
