"""Python objects as a raw column: strings, numbers, truth values, dates; anything else is refused."""

import math
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood._native import object_codes
from clearwood.errors import SourceError
from clearwood.table.coding import EXACT, first_row
from clearwood.table.raw import Codes, RawColumn, RawNumbers, RawStrings

_MISSING_TYPES = (
    "NoneType",
    "NAType",
    "NaTType",
)  # the last two are pandas', known by name so as not to import it


def from_objects(
    cells: npt.NDArray[np.object_], name: str, where: str, missing: Collection[str] = ()
) -> RawColumn:
    """Numbers if every known object is a number, else strings. None, NaN and pandas' NA and NaT are missing.

    >>> from_objects(np.array([2, None, 0.5], object), "x", "the list").values.tolist()
    [2.0, nan, 0.5]
    >>> from_objects(np.array(["b", "a", None, 1, "b"], object), "x", "the list").values
    ('b', 'a', '1')
    """
    try:
        codes, objects = object_codes(cells)
    except UnicodeEncodeError as error:
        raise broken_text(cells, error, f"{where}, column '{name}'") from None
    if all(isinstance(each, str) for each in objects):
        return drop_marks(RawStrings(codes, tuple(map(str, objects))), missing)
    known = [each for each in objects if not is_missing(each)]
    if all(isinstance(each, Real | Decimal) and not isinstance(each, bool | np.bool_) for each in known):
        return _numbers(codes, objects, name, where)
    texts = [
        None if is_missing(each) else _text(each, codes, code, name, where)
        for code, each in enumerate(objects)
    ]
    if all(isinstance(each, bool | np.bool_) for each in known):
        return _merged(codes, texts, ("False", "True"), declared=True)
    dates = all(isinstance(each, date | time) for each in known)
    return replace(
        drop_marks(_merged(codes, texts, dates=dates), missing), note=_two_in_one(objects, texts, name)
    )


def _two_in_one(objects: Sequence[Any], texts: Sequence[str | None], name: str) -> str | None:
    """The sentence for a value that stands in the source both as text and as something else: '1' and 1."""
    written = {each for each in objects if isinstance(each, str)}
    for each, text in zip(objects, texts, strict=True):
        if not isinstance(each, str) and text in written:
            what = "truth value" if isinstance(each, bool | np.bool_) else "number"
            return (
                f"Column '{name}' holds the {what} {text} and the text '{text}', taken as one value. "
                "If they are two values, write one of them differently."
            )
    return None


def drop_marks(column: RawStrings, missing: Collection[str]) -> RawStrings:
    """The column with these values counted as missing."""
    if not any(value in missing for value in column.values):
        return column
    texts = [None if value in missing else value for value in column.values]
    return _merged(column.codes, texts, declared=column.declared, ordered=column.ordered, dates=column.dates)


def infinite(name: str, where: str, row: int, value: Any) -> SourceError:
    """The sentence for a number that is not finite; rows count from 1."""
    return SourceError(
        f"{where}, column '{name}', row {row}: {value} is infinite. Replace it by a number, or by NaN."
    )


def broken_text(cells: npt.NDArray[np.object_], error: UnicodeEncodeError, where: str) -> SourceError:
    """The sentence for a text that is no Unicode: half of a surrogate pair, as a wrong decoding leaves it."""
    row = next(
        i for i, cell in enumerate(cells.tolist(), 1) if isinstance(cell, str) and cell == error.object
    )
    return SourceError(
        f"{where}, row {row}: {error.object[:40]!a} is broken text (half of a surrogate pair). "
        "Correct the cell, or read the file with the right encoding."
    )


def is_missing(cell: Any) -> bool:
    """Is this None, NaN, or pandas' NA or NaT?"""
    if isinstance(cell, float | np.floating | Decimal):
        return bool(cell != cell)
    return type(cell).__name__ in _MISSING_TYPES or (isinstance(cell, np.datetime64) and bool(np.isnat(cell)))


def _numbers(codes: Codes, objects: Sequence[Any], name: str, where: str) -> RawNumbers:
    numbers = np.array([np.nan if is_missing(each) else _float(each) for each in objects], dtype=np.float64)
    if np.isinf(numbers).any():
        code = int(np.argmax(np.isinf(numbers)))
        raise infinite(name, where, first_row(codes, code), _named(objects[code]))
    known = numbers[~np.isnan(numbers)]
    large = [each for each in objects if isinstance(each, int) and abs(each) > EXACT]
    texts = partial(_whole_texts, codes, objects, name, where) if large else None
    return RawNumbers(numbers[codes], bool((known == np.trunc(known)).all()), texts=texts)


def _float(number: Any) -> float:
    try:
        return float(number) + 0.0  # −0 is 0
    except OverflowError:
        return math.inf


def _named(number: Any) -> str:
    """An infinite number, or a whole one too large for a float, in few words."""
    return (
        f"a whole number of over {sys.float_info.max_10_exp} digits"
        if isinstance(number, int)
        else str(number)
    )


def _whole_texts(codes: Codes, objects: Sequence[Any], name: str, where: str) -> RawStrings:
    """Numbers as values, where some are too large for floats to tell apart."""
    return _merged(
        codes,
        [None if is_missing(each) else _text(each, codes, i, name, where) for i, each in enumerate(objects)],
    )


def _text(cell: Any, codes: Codes, code: int, name: str, where: str) -> str:
    match cell:
        case str() | bool() | np.bool_():
            return str(cell)
        case datetime():
            return cell.isoformat(" ") if cell.time() != time() else cell.date().isoformat()
        case date() | time():
            return cell.isoformat()
        case Real() | Decimal():
            number = _float(cell)
            if isinstance(cell, int) and math.isinf(number):
                raise infinite(name, where, first_row(codes, code), _named(cell))
            return str(int(number)) if abs(number) < 1e15 and number.is_integer() else str(cell)
        case np.datetime64():
            return str(cell)
    if type(cell).__module__.partition(".")[0] == "pandas":  # periods and intervals print themselves well
        return str(cell)
    raise SourceError(
        f"{where}, column '{name}', row {first_row(codes, code)}: a {type(cell).__name__} is neither text "
        "nor a number. Convert the column, or leave it out."
    )


def _merged(
    codes: Codes,
    texts: Sequence[str | None],
    values: Sequence[str] = (),
    *,
    declared: bool = False,
    ordered: bool = False,
    dates: bool = False,
) -> RawStrings:
    """Codes of objects as codes of their texts: equal texts fall together, None is missing."""
    places = {value: place for place, value in enumerate(values)}
    table = [-1 if text is None else places.setdefault(text, len(places)) for text in texts]
    return RawStrings(np.array([*table, -1], np.int32)[codes], tuple(places), declared, ordered, dates)
