"""Rows of JSON as a model codes them: all cells that are not of their column's kind are named, by column."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

import msgspec
import numpy as np

from clearwood.errors import ClearwoodError, no_such
from clearwood.explaining.one_row import never_met
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.row import as_value
from clearwood.serving.bodies import RawRows
from clearwood.serving.exchange import RefusalError
from clearwood.table import encode
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.describe import excerpt
from clearwood.table.encoding import CellError, without_wrong_cells
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings, are_dates
from clearwood.table.table import MISSING, UNSEEN, Column, Table
from clearwood.words.numbers import many

JsonRow: TypeAlias = Mapping[str, Any]
RowCodes: TypeAlias = list[Any]  # by column used: a value's code, a number (NaN where missing), or a text

_MOST_COLUMNS: Final = 50  # named in a refusal
_TYPES_REMEMBERED: Final = 1000
_WAY: Final = "Send null if its value is not known."


class RowRead(NamedTuple):
    """A row whose cells are of the right kinds: every input's cell, and the codes of those that are used."""

    cells: list[Any]
    codes: RowCodes


class RowReader:
    """Reads rows for one model: `columns` are those that it asks about, in the schema's order."""

    def __init__(self, model: Model) -> None:
        schema = model.schema
        used = columns_used(model)
        self.model = model
        self.names = tuple(each.name for each in schema.inputs)
        self.columns: tuple[Attribute, ...] = tuple(each for each in schema.inputs if each.name in used)
        self.needed = frozenset(used)
        self.known = frozenset(self.names)
        others = (schema.weight, None if schema.target is None else schema.target.name)
        self._others = {*(each.name for each in schema.attributes), *filter(None, others)} - self.known
        places = {name: place for place, name in enumerate(self.names)}
        self._kinds = [(places[each.name], each, _by_value(each)) for each in self.columns]
        self._bare = replace(schema, target=None, weight=None)
        self._read_as = schema.cell if schema.read_as else None
        self._fine: set[tuple[type, ...]] = set()

    def read(self, row: JsonRow, *, ignore_unknown: bool = False, number: int | None = None) -> RowRead:
        """The row, or a refusal that names all that is wrong; `number` is the row's, from 1, among many."""
        if self._read_as:
            row = {name: self._read_as(name, cell) for name, cell in row.items()}
        names = row.keys()
        if not names <= self.known or not self.needed <= names:
            self._check(row, ignore_unknown=ignore_unknown, number=number)
        cells = [row.get(name) for name in self.names]
        # Most rows hold the same types in the same places: look once, then remember.
        types = tuple(map(type, cells))
        if types not in self._fine:
            self._check(row, ignore_unknown=ignore_unknown, number=number)
            if len(self._fine) < _TYPES_REMEMBERED:
                self._fine.add(types)
        codes: RowCodes = []
        for place, attribute, by_value in self._kinds:
            cell = cells[place]
            if by_value is not None:
                code = by_value.get(cell)
                codes.append(_spelled_otherwise(attribute, by_value, cell) if code is None else code)
            elif type(attribute) is Text:
                codes.append(None if cell is None else str(cell))
            else:
                value = math.nan if cell is None else _as_float(cell)
                if math.isinf(value):
                    self._check(row, ignore_unknown=ignore_unknown, number=number)
                codes.append(value)
        return RowRead(cells, codes)

    def table(self, rows: Sequence[RowCodes]) -> Table:
        """The coded rows as a table of the columns that the model asks about."""
        columns: dict[str, Column] = {}
        for place, (_, attribute, by_value) in enumerate(self._kinds):
            cells = [row[place] for row in rows]
            if isinstance(attribute, Text):
                column = np.empty(len(cells), dtype=object)
                column[:] = cells
            else:
                column = np.array(cells, dtype=np.float64 if by_value is None else np.int32)
            columns[attribute.name] = column
        return Table(self._bare, columns, rows=len(rows), checked=True)

    def unseen(self, read: RowRead) -> dict[str, str]:
        """A sentence by column for each value that the model has never met."""
        if UNSEEN not in read.codes:
            return {}
        return {
            attribute.name: never_met(attribute, read.cells[place])
            for (place, attribute, by_value), code in zip(self._kinds, read.codes, strict=True)
            if by_value is not None and code == UNSEEN
        }

    def unknown(self, names: Sequence[str]) -> dict[str, str]:
        """A sentence by name for each column that the model's schema does not have."""
        unknown = [name for name in names if name not in self.known and name not in self._others]
        # The nearest name takes time, and a client may send a million: those that are not shown get none.
        first = [excerpt(name) for name in unknown[:_MOST_COLUMNS]]
        shown = {name: no_such("column", name, self.names) for name in first}
        return shown | dict.fromkeys(unknown[_MOST_COLUMNS:], "The model does not know it.")

    def absent(self, names: Sequence[str], way: str = _WAY) -> dict[str, str]:
        """A sentence by name for each column that the model needs and the rows lack."""
        lacking = self.needed.difference(names)
        return {
            each.name: f"The column '{each.name}' is needed, and is not there. {way}"
            for each in self.columns
            if each.name in lacking
        }

    def _check(self, row: JsonRow, *, ignore_unknown: bool, number: int | None) -> None:
        unknown = {} if ignore_unknown else self.unknown(list(row))
        wrong = {**unknown, **self.absent(list(row))}
        for name in self.names:
            if sentence := _mistake(self.model.schema[name], row.get(name)):
                wrong[name] = sentence
        if wrong:
            raise refusal_by_column(wrong, unknown=bool(unknown), number=number)


def refusal_by_column(
    wrong: Mapping[str, str], *, unknown: bool = False, number: int | None = None
) -> RefusalError:
    """One refusal of all that is wrong, by column."""
    first, rest = next(iter(wrong.values())), len(wrong) - 1
    where = "" if number is None else f"Row {number}: "
    more = f" {many(rest, 'more column is', 'more columns are')} wrong." if rest else ""
    way = " To have columns that the model does not know left out: ?unknown=ignore." if unknown else ""
    listed = dict(list(wrong.items())[:_MOST_COLUMNS])
    return RefusalError(f"{where}{first}{more}{way}", because="columns", columns=listed)


def _mistake(attribute: Attribute, cell: Any) -> str:
    """What is wrong with a cell; empty where nothing is."""
    if cell is None:
        return ""
    name, plain = attribute.name, isinstance(cell, str | Real)
    match attribute:
        case Numeric():
            if not plain or isinstance(cell, str | bool):
                cell = _written(cell)
                return f"The column '{name}' is numeric, but its cell is {cell}. Send a number, or null."
            return (
                "" if math.isfinite(_as_float(cell)) else f"The number of the column '{name}' is too large."
            )
        case Nominal() | Ordinal() | Text():
            if plain:
                return ""
            kind = attribute.kind
            return f"The column '{name}' is {kind}, but its cell is {_written(cell)}. Send text, or null."
        case Ignored():
            return ""
        case _:
            assert_never(attribute)


def _written(cell: Any) -> str:
    return excerpt(msgspec.json.encode(cell).decode())


def _as_float(cell: Any) -> float:
    try:
        return float(cell)
    except OverflowError:  # a whole number of hundreds of digits
        return math.inf


def _spelled_otherwise(attribute: Attribute, by_value: Mapping[str | None, int], cell: Any) -> int:
    """The code of a cell that is not spelled as in the schema: 1, 1.0 and '01' are its '1'."""
    return by_value.get(as_value(attribute, cell), UNSEEN)


def _by_value(attribute: Attribute) -> dict[str | None, int] | None:
    """The code of each value, where a column has values."""
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            return {None: MISSING, **{value: code for code, value in enumerate(values)}}
        case Numeric() | Text() | Ignored():
            return None
        case _:
            assert_never(attribute)


# Rows of a CSV or Arrow body as a model codes them, with what is wrong in them by column.


_TABLE_WAY: Final = "Send it with empty cells if its values are not known."
_OTHER_MARKS: Final = {";": "semicolons", "\t": "tabs", "|": "bars"}


def coded_rows(
    reader: RowReader, body: RawRows, *, ignore_unknown: bool = False
) -> tuple[Table, dict[int, dict[str, str]]]:
    """The columns that the model asks about, and sentences on values never met, by row (from 0) and column;
    all that is wrong is named in one refusal."""
    raw = _checked(reader, body, ignore_unknown=ignore_unknown)
    try:
        table = encode(raw, reader.model.schema, only=reader.needed)
    except ClearwoodError as error:
        raise RefusalError(error.sentence, because="columns") from None
    unseen: dict[int, dict[str, str]] = {}
    for attribute in reader.columns:
        if isinstance(attribute, Nominal | Ordinal):
            column = raw.columns[raw.names.index(attribute.name)]
            for row in np.flatnonzero(table.columns[attribute.name] == UNSEEN).tolist():
                sentence = never_met(attribute, _cell(column, row, numeric=False))
                unseen.setdefault(row, {})[attribute.name] = sentence
    return table, unseen


def json_rows(reader: RowReader, body: RawRows, *, ignore_unknown: bool = False) -> list[dict[str, Any]]:
    """The same rows as JSON would give them, one by one."""
    raw = _checked(reader, body, ignore_unknown=ignore_unknown)
    columns = [
        (name, column, isinstance(reader.model.schema[name], Numeric))
        for name, column in zip(raw.names, raw.columns, strict=True)
        if name in reader.known
    ]
    return [
        {name: _cell(column, row, numeric=numeric) for name, column, numeric in columns}
        for row in range(len(raw))
    ]


def _checked(reader: RowReader, body: RawRows, *, ignore_unknown: bool) -> Raw:
    names = [*body.raw.names, *body.unreadable]
    _check_delimiter(reader, names)
    unknown = {} if ignore_unknown else reader.unknown(names)
    wrong = {**unknown, **reader.absent(names, _TABLE_WAY)}
    wrong |= {name: sentence for name, sentence in body.unreadable.items() if name in reader.known}
    wrong |= _dates(reader, body.raw)
    raw, errors = without_wrong_cells(body.raw, reader.model.schema, reader.needed)
    by_column: dict[str, list[CellError]] = {}
    for each in errors:
        by_column.setdefault(each.column, []).append(each)
    for name, cells in by_column.items():
        first, rest = cells[0], len(cells) - 1
        more = f" So {'is' if rest == 1 else 'are'} {many(rest, 'more cell')} of it." if rest else ""
        wrong[name] = f"Column '{name}', row {first.row}: '{excerpt(first.cell)}' {first.wrong}.{more}"
    if wrong:
        raise refusal_by_column(wrong, unknown=bool(unknown))
    return raw


def _check_delimiter(reader: RowReader, names: Sequence[str]) -> None:
    """Refuse a header that has other marks between its names."""
    if len(names) != 1 or names[0] in reader.known:
        return
    for mark, word in _OTHER_MARKS.items():
        if mark in names[0]:
            raise RefusalError(
                f"The body, line 1: {word} stand between the names of columns. Send commas between cells.",
                because="malformed",
            )


def _dates(reader: RowReader, raw: Raw) -> dict[str, str]:
    """A sentence by name for each column of dates where numbers belong."""
    numeric = {each.name for each in reader.columns if isinstance(each, Numeric)}
    return {
        name: f"Column '{name}' holds dates such as '{column.values[0]}', not numbers."
        for name, column in zip(raw.names, raw.columns, strict=True)
        if name in numeric and isinstance(column, RawStrings) and column.values and are_dates(column)
    }


def _cell(column: RawColumn, row: int, *, numeric: bool) -> Any:
    """A cell as it is written: a number where numbers belong, None where it is empty."""
    if isinstance(column, RawNumbers):
        if numeric or column.texts is None:
            value = float(column.values[row])
            if value != value:
                return None
            return int(value) if column.whole and not numeric else value
        column = column.texts()
    code = int(column.codes[row])
    return None if code < 0 else column.values[code]
