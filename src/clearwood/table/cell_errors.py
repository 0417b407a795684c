"""Cells that are no numbers where numbers belong: collected, so that they are reported together."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clearwood.advice import Advice, Place
from clearwood.errors import SchemaError
from clearwood.table.attributes import Numeric
from clearwood.table.coding import thousands_hint
from clearwood.table.dates import are_dates
from clearwood.table.describe import excerpt
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings
from clearwood.table.read_as import number_in
from clearwood.table.schema import Schema
from clearwood.table.sources.recoded import as_read
from clearwood.words.numbers import many


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell that cannot be used: its row, from 1, its column, what it says, and what is wrong."""

    row: int
    column: str
    cell: str
    wrong: str


def without_wrong_cells(
    raw: Raw, schema: Schema, only: Collection[str], before: int = 0
) -> tuple[Raw, list[CellError]]:
    """The rows with cells that are no numbers left empty, and those cells; `before` rows came earlier.

    >>> from clearwood.table.sources import read_raw
    >>> raw = read_raw({"age": ["31", "abc"]})
    >>> without_wrong_cells(raw, Schema((Numeric("age"),)), {"age"})[1]
    [CellError(row=2, column='age', cell='abc', wrong='is not a number')]
    """
    numeric = {each.name for each in schema.attributes if isinstance(each, Numeric) and each.name in only}
    if isinstance(schema.target, Numeric):
        numeric.add(schema.target.name)
    columns: list[RawColumn] = []
    errors: list[CellError] = []
    raw = as_read(raw, schema.read_as, settled=True)
    for name, column in zip(raw.names, raw.columns, strict=True):
        # A column of dates is declared wrongly as a whole, which has a sentence of its own.
        if name in numeric and isinstance(column, RawStrings) and not (column.values and are_dates(column)):
            column, wrong = _as_numbers(column, name, before)
            errors += wrong
        columns.append(column)
    return replace(raw, columns=tuple(columns)), sorted(errors, key=lambda each: each.row)


def _as_numbers(column: RawStrings, name: str, before: int) -> tuple[RawNumbers, list[CellError]]:
    numbers = np.full(len(column.values) + 1, np.nan)  # the last place answers for code −1: missing
    wrong: dict[int, str] = {}
    for code, text in enumerate(column.values):
        number = number_in(text)
        if number is None or not np.isfinite(number):
            wrong[code] = "is not a number" if number is None else "is infinite"
        else:
            numbers[code] = number
    rows = np.flatnonzero(np.isin(column.codes, list(wrong))).tolist() if wrong else []
    cells = [(row, int(column.codes[row])) for row in rows]
    errors = [CellError(before + row + 1, name, column.values[code], wrong[code]) for row, code in cells]
    return RawNumbers(numbers[column.codes], whole=False, texts=lambda: column), errors


def refusal_of(errors: Sequence[CellError]) -> SchemaError:
    """The sentence for cells that stop the work: the first, how many more, and the way out."""
    first, cell = errors[0], excerpt(errors[0].cell)
    more = ""
    if len(errors) > 1:
        shown = "; ".join(f"'{each.column}', row {each.row}: '{excerpt(each.cell)}'" for each in errors[1:5])
        more = f" So {'is' if len(errors) == 2 else 'are'} {many(len(errors) - 1, 'more cell')}: {shown}"
        more += "; …." if len(errors) > 5 else "."
    return SchemaError(
        f"Column '{first.column}', row {first.row}: '{cell}' {first.wrong}.",
        *thousands_hint(cell),
        " Correct the cell, or treat it as missing: ",
        Advice("missing", cell),
        f".{more}",
        place=Place(column=first.column, row=first.row),
    )
