"""How cells are read: by column, which value stands for which other, and which for a missing cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, Final, TypeAlias

from clearwood.errors import SettingError

ReadAs: TypeAlias = Mapping[str, Mapping[str, str | None]]  # by column: a value → another, or None: missing
EVERYWHERE: Final = ""  # the name under which values are read so in all columns
_BOOLEANS: Final = {"true": 1.0, "false": 0.0}
_PADDED: Final = re.compile(r"\s*[+-]?0\d")


def number_in(text: str) -> float | None:
    """The number a text says, if it says one; true is 1 and false 0."""
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return _BOOLEANS.get(text.casefold())


def is_padded(text: str) -> bool:
    """Is it written with a leading zero, as codes are and quantities are not?"""
    return _PADDED.match(text) is not None


def changes_of(name: str, read_as: ReadAs) -> dict[str, str | None]:
    """What is read as something else in a column."""
    return {**read_as.get(EVERYWHERE, {}), **read_as.get(name, {})}


def joined_readings(one: ReadAs, two: ReadAs) -> ReadAs:
    """Both; where they differ, the second decides."""
    if not one or not two:
        return one or two
    return {name: {**one.get(name, {}), **two.get(name, {})} for name in (*one, *two)}


def by_number(changes: Mapping[str, str | None]) -> dict[float, str | None]:
    """The values that are numbers, by the number: 0 and 0.0 are one; 007 is a code."""
    numbers = {
        old: number_in(old) for old in changes if old.casefold() not in _BOOLEANS and not is_padded(old)
    }
    return {number: changes[old] for old, number in numbers.items() if number is not None}


def reader_of(changes: Mapping[str, str | None]) -> Callable[[Any], Any]:
    """A function that gives a cell as it is read; one that is not named stays as it is.

    >>> read = reader_of({"M": "male", "-9": None})
    >>> [read(cell) for cell in ("M", " M", "male", "-9.0", -9, 9, None)]
    ['male', 'male', 'male', None, None, 9, None]
    """
    numbers = by_number(changes)

    def read(cell: Any) -> Any:
        if not isinstance(cell, str):
            is_number = isinstance(cell, Real) and not isinstance(cell, bool)
            return numbers.get(float(cell), cell) if numbers and is_number else cell
        for text in (cell, cell.strip()):
            if text in changes:
                return changes[text]
        if not numbers or is_padded(cell) or cell.casefold() in _BOOLEANS:
            return cell
        number = number_in(cell)
        return cell if number is None else numbers.get(number, cell)

    return read


def check_final(read_as: ReadAs) -> None:
    """Refuse a value that is read as one that is read as another: rows read twice must not change."""
    for name in read_as:
        changes = changes_of(name, read_as)
        read = reader_of(changes)
        for old, new in changes.items():
            then = read(new)
            if new is not None and then != new:
                column = f"of '{name}'" if name else "of any column"
                last = "missing" if then is None else f"'{then}'"
                raise SettingError(
                    f"The value '{old}' {column} is read as '{new}', and '{new}' as {last}. "
                    "Give it a name that is not read as another."
                )
