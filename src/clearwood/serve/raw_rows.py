"""Rows of a CSV or Arrow body as a model codes them, with what is wrong in them by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from clearwood.errors import ClearwoodError
from clearwood.explain.one_row import never_met
from clearwood.serve.bodies import RawRows
from clearwood.serve.exchange import RefusalError
from clearwood.serve.row_reading import RowReader, refusal_by_column
from clearwood.table import encode
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.cell_errors import CellError, without_wrong_cells
from clearwood.table.dates import are_dates
from clearwood.table.excerpts import excerpt
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings
from clearwood.table.table import UNSEEN, Table
from clearwood.words.numbers import many

_WAY: Final = "Send it with empty cells if its values are not known."
_OTHER_MARKS: Final = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True, slots=True)
class CodedRows:
    """The rows as a table, and sentences on values never met, by row (from 0) and column."""

    table: Table
    unseen: Mapping[int, Mapping[str, str]]


def coded_rows(reader: RowReader, body: RawRows, *, ignore_unknown: bool = False) -> CodedRows:
    """The columns that the model asks about; all that is wrong is named in one refusal."""
    raw = _checked(reader, body, ignore_unknown=ignore_unknown)
    try:
        table = encode(raw, reader.model.schema, only=reader.needed)
    except ClearwoodError as error:
        raise RefusalError(error.sentence, status=422, because="columns") from None
    unseen: dict[int, dict[str, str]] = {}
    for attribute in reader.columns:
        if isinstance(attribute, Nominal | Ordinal):
            column = raw.columns[raw.names.index(attribute.name)]
            for row in np.flatnonzero(table.columns[attribute.name] == UNSEEN).tolist():
                sentence = never_met(attribute, _cell(column, row, numeric=False))
                unseen.setdefault(row, {})[attribute.name] = sentence
    return CodedRows(table, unseen)


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
    wrong = {**unknown, **reader.absent(names, _WAY)}
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
                status=400,
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
