"""One raw column under one attribute: codes, floats or strings, as a `Table` holds them."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NoReturn, assert_never

import numpy as np
import numpy.typing as npt

from clearwood._native import number_codes
from clearwood.errors import Advice, NamedOption, Part, Place, SchemaError
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.describe import excerpt, listed
from clearwood.table.raw import Codes, NumberCells, RawColumn, RawNumbers, RawStrings, are_dates
from clearwood.table.schema import number_in
from clearwood.table.table import MISSING, UNSEEN, Column, Weights

_GROUPED: Final = re.compile(r"[+-]?[1-9]\d{0,2}(?:([,.' ])\d{3})+(?:[.,]\d*)?")  # 1,200.50


def code_column(column: RawColumn, attribute: Attribute, *, settled: bool = False, before: int = 0) -> Column:
    """The cells under this attribute: a value it doesn't list is UNSEEN, a cell that is no number refused.

    >>> code_column(RawStrings(np.array([0, 1, -1], np.int32), ("b", "c")), Nominal("x", ("a", "b"))).tolist()
    [1, -2, -1]
    """
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            strings = as_strings(column)
            return recoded(strings.codes, strings.values, values)
        case Numeric(name):
            return as_numbers(column, name, settled=settled, before=before)
        case Text():
            return _texts(as_strings(column))
        case Ignored(name):
            raise SchemaError(f"Column '{name}' is ignored, so its cells are not encoded.")
        case _:
            assert_never(attribute)


def as_strings(column: RawColumn) -> RawStrings:
    """The cells as values: as written where the source has text, else each number in its shortest form.

    >>> as_strings(RawNumbers(np.array([2.0, 1.0, np.nan, 2.0]), whole=True)).values
    ('2', '1')
    """
    if isinstance(column, RawStrings):
        return column
    if column.texts is not None:
        return column.texts()
    codes, distinct = number_codes(column.values)
    # In the column's own width, or the shortest text of a narrow float would be a long one.
    return RawStrings(codes, tuple(_shortest(value) for value in distinct.astype(column.values.dtype)))


def as_numbers(column: RawColumn, name: str, *, settled: bool = False, before: int = 0) -> NumberCells:
    """The cells as floats; the first one that isn't a finite number is refused with its row.

    Where a model or schema has settled what the column is, there is no advice to declare it again.
    Rows are counted from `before`.
    """
    if isinstance(column, RawNumbers):
        return column.values
    if column.values and are_dates(column):
        where = f" in row {before + first_row(column.codes, 0):,}" if before else ""
        raise SchemaError(
            f"Column '{name}' holds dates such as '{excerpt(column.values[0])}'{where}, not numbers. "
            "To take them as days since 1970-01-01: ",
            Advice("dates", "days"),
            ".",
            place=Place(column=name),
        )
    numbers = np.full(len(column.values) + 1, np.nan)  # the last place answers for code −1: missing
    for code, text in enumerate(column.values):
        number = number_in(text)
        if number is None or not np.isfinite(number):
            wrong = "is not a number" if number is None else "is not finite"
            _refuse_cell(column, code, name, wrong, settled=settled, before=before)
        numbers[code] = number
    return numbers[column.codes]


def as_weights(column: RawColumn, name: str, *, settled: bool = False, before: int | None = None) -> Weights:
    """The cells as row weights; the first that isn't a finite number is refused with its row.

    With `before` they are those of a block of rows, of which so many came earlier.
    """
    if isinstance(column, RawStrings):
        _refuse_texts_as_weights(column, name, settled=settled, before=before or 0)
    weights = np.asarray(as_numbers(column, name, settled=settled), dtype=np.float64)
    return check_weights(weights, f"The weight column '{name}'", before=before)


def _refuse_texts_as_weights(column: RawStrings, name: str, *, settled: bool, before: int) -> None:
    """No kind and no mark for missing cells would help: a weight is a known number."""
    for code, text in enumerate(column.values):
        number = number_in(text)
        if number is not None and np.isfinite(number):
            continue
        cell, row = excerpt(text), before + first_row(column.codes, code)
        wrong = "is not a number" if number is None else "is not finite"
        way: list[Part] = ["leave ", NamedOption("weight"), " out"]
        raise SchemaError(
            f"Column '{name}', row {row}: '{cell}' {wrong}, which a weight must be.",
            *thousands_hint(cell),
            " Correct the cell, or ",
            *(["leave the column out of these rows"] if settled else way),
            ".",
            place=Place(column=name, row=row),
        )


def check_weights(weights: Weights, what: str, *, before: int | None = None) -> Weights:
    """Weights are known, finite, not negative, and not all zero, unless they are those of a block of rows."""
    for bad, wrong in (
        (np.isnan(weights), "is missing"),
        (np.isinf(weights), "is infinite"),
        (weights < 0, "is negative"),
    ):
        if bad.any():
            first = int(np.argmax(bad))
            row = (before or 0) + first + 1
            value = "" if np.isnan(weights[first]) else f" ({_shortest(weights[first])})"
            raise SchemaError(
                f"{what} {wrong}{value} in row {row}. A weight is a finite number from 0 upward.",
                place=Place(row=row),
            )
    if before is None and len(weights) and not weights.any():
        raise SchemaError(f"{what} is zero in every row, so there is nothing to learn from.")
    return weights


def first_row(codes: Codes, code: int) -> int:
    """Where a code first occurs, counted from 1."""
    return int(np.argmax(codes == code)) + 1


def by_value(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Texts that are all numbers, from small to large; None if one isn't.

    >>> by_value(["10", "9", "01"]), by_value(["10", "few"])
    (('01', '9', '10'), None)
    """
    numbers = {text: number_in(text) for text in texts}
    if None in numbers.values():
        return None
    return tuple(sorted(texts, key=lambda text: (numbers[text], text)))


def _texts(column: RawStrings) -> npt.NDArray[np.object_]:
    return np.array([*column.values, None], dtype=object)[column.codes]


def _shortest(value: Any) -> str:
    return str(int(value)) if value == np.floor(value) and abs(value) < 1e15 else str(value)


def thousands_hint(cell: str) -> list[Part]:
    """What to say of a cell that is a number only if it has a mark between thousands."""
    grouped = _GROUPED.fullmatch(cell.strip())
    if not grouped:
        return []
    return [f" If '{grouped[1]}' stands between thousands: ", Advice("thousands", grouped[1]), "."]


def _refuse_cell(
    column: RawStrings, code: int, name: str, wrong: str, *, settled: bool, before: int
) -> NoReturn:
    cell = excerpt(column.values[code])
    hint = thousands_hint(cell)
    row = before + first_row(column.codes, code)
    missing = Advice("missing", cell)
    ways: list[Part] = [" Correct the cell, or treat it as missing: ", missing, "."]
    if not settled:
        kind = Advice("kinds", {name: "nominal"})
        ways = [
            " Correct the cell, treat it as missing: ",
            missing,
            ", or take the column as nominal: ",
            kind,
            ".",
        ]
    raise SchemaError(
        f"Column '{name}', row {row}: '{cell}' {wrong}.", *hint, *ways, place=Place(column=name, row=row)
    )


# Codes under one list of values as codes under another.


EXACT: Final = 2**53  # whole numbers up to here differ as floats too


def recoded(
    codes: npt.NDArray[np.int32], theirs: tuple[str, ...], ours: tuple[str, ...]
) -> npt.NDArray[np.int32]:
    """Codes of `theirs` as codes of `ours`; one that isn't there, in no spelling of its number, is UNSEEN.

    >>> recoded(np.array([0, 1, 2, -1], np.int32), ("b", "2.0", "c"), ("2", "b")).tolist()
    [1, 0, -2, -1]
    """
    if theirs == ours:
        return codes
    positions = {value: code for code, value in enumerate(ours)}
    recoding = [positions.get(value, UNSEEN) for value in theirs]
    if UNSEEN in recoding:
        spellings = _spellings(ours)
        recoding = [
            spellings.get(_exactly(value), UNSEEN) if code == UNSEEN else code
            for code, value in zip(recoding, theirs, strict=True)
        ]
    # The two last places are what −2 and −1 pick.
    return np.array([*recoding, UNSEEN, MISSING], dtype=np.int32).take(codes, mode="wrap")


def check_listed(attribute: Nominal | Ordinal, column: RawStrings) -> None:
    """Refuse a column with a value its attribute doesn't list."""
    distinct = np.arange(len(column.values), dtype=np.int32)
    if not (recoded(distinct, column.values, attribute.values) == UNSEEN).any():
        return  # without a look at the cells: their values are all listed
    unlisted = code_column(column, attribute) == UNSEEN
    if unlisted.any():
        row = int(np.argmax(unlisted))
        value = column.values[column.codes[row]]
        raise SchemaError(
            f"Column '{attribute.name}', row {row + 1}: '{excerpt(value)}' is not among its values "
            f"({listed(attribute.values)}). Correct the cell, or add the value to the list."
        )


def _exactly(text: str) -> float | Decimal | None:
    """The number a text says, without the rounding that makes large ones equal."""
    number = number_in(text)
    if number is None or not math.isfinite(number) or abs(number) < EXACT:
        return number
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return number


def _spellings(values: tuple[str, ...]) -> dict[float | Decimal | None, int]:
    """Another spelling of the same number or truth value ('01' as 1, 'true' as True), if it is but one."""
    places: dict[float | Decimal | None, int] = {}
    for code, value in enumerate(values):
        number = _exactly(value)
        if number is not None:
            places[number] = UNSEEN if number in places else code
    return places
