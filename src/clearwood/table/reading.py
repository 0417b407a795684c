"""`read_table`: any source to a coded table, with every guess announced in its notes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from clearwood.errors import ColumnError, SchemaError, SettingError
from clearwood.table.making import Request, make_table
from clearwood.table.schema import Schema, WeightsAre, check_meaning
from clearwood.table.schema_file import load_schema, schema_from_json
from clearwood.table.sources import is_array, read_raw
from clearwood.table.table import Table


def read_table(
    source: Any = None,
    *,
    target: str | int | None = None,
    weight: str | int | None = None,
    weights_are: str | None = None,
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    ignore: str | Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    missing: str | Sequence[str] | Mapping[str, str | Sequence[str]] | None = None,
    recode: Mapping[str, Mapping[str, str]] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    header: bool | None = None,
    names: Sequence[str] | None = None,
    query: str | None = None,
    query_seconds: float | None = None,
    dates: str | None = None,
    max_bytes: int | str | None = None,
) -> Table:
    """Read a file, a frame, an array, a list of records or a query.

    `source` is a path (of a kind of file in `clearwood.catalogue.SOURCES`, by its suffix, or of delimited
    text, as any other file is; packed or not), `-` for standard input, bytes or an open file, a pandas,
    polars or pyarrow frame, a NumPy array (with `names`), a list of dicts, a dict of columns, or SQL over
    files. With `query`, the source is the table called `source` in it.

    The kind of each column is guessed, unless it is given by `kinds` (nominal, ordinal, numeric, text,
    ignored), `ordered` (values from low to high), `ignore`, or a whole `schema`. The table's `notes` list the
    guesses that may surprise. A target or weight given as a number is a position in an array, a label in a
    frame.

    `weights_are` says what the column `weight` holds: "counts" (w equal rows, the default), "sampling"
    (scaled so that they add up to Kish's effective number of rows) or "importance" (scaled to the number of
    rows); "guess" decides by the cells and says so in a note.

    In text files blanks, `?`, `NA`, `N/A`, `NaN` and `NULL` are missing; `missing` adds other marks, and
    `missing=[]` leaves only blanks. In other sources only their own missing cells are, and the marks in
    `missing`. A dict gives marks by column, such as `{"insulin": "0"}`; those under `""` count in all.
    `recode` says by column which value is read as which other: `{"sex": {"M": "male"}}`. `decimal` and
    `thousands` are the marks in numbers such as 1,200.50; `thousands='none'` leaves such cells unchanged.
    With `dates='days'` dates are numbers: days since 1970-01-01. A compressed file or a
    stream may have 4 GiB, or `max_bytes` (a number, or '8GB'), and so may a query, which ends after 300
    seconds, or `query_seconds`.

    >>> rows = [{"wind": "weak", "play": "yes"}, {"wind": "strong", "play": "no"}]
    >>> read_table(rows, target="play").schema.target
    Nominal(name='play', values=('no', 'yes'))
    """
    request = Request(
        weights_are=None if weights_are is None else _meaning(weights_are),
        schema=_schema(schema),
        kinds=dict(_mapping("kinds", kinds, "{'age': 'numeric'}")),
        ignore=(ignore,) if isinstance(ignore, str) else tuple(ignore),
        ordered=_orders(_mapping("ordered", ordered, "{'size': ['S', 'M', 'L']}")),
    )
    raw = read_raw(
        source,
        names=names,
        query=query,
        query_seconds=query_seconds,
        missing=missing,
        recode=_mapping("recode", recode, "{'sex': {'M': 'male'}}") or None,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        thousands=thousands,
        header=header,
        dates=dates,
        max_bytes=max_bytes,
    )
    by_place = is_array(source)
    request = replace(
        request, target=_name(target, raw.names, by_place), weight=_name(weight, raw.names, by_place)
    )
    return make_table(raw, request)


def _name(column: str | int | None, names: Sequence[str], by_place: bool) -> str | None:
    """A number is a place in an array, whose columns have no names, and a label in any other source."""
    if column is None or isinstance(column, str):
        return column
    if not by_place:
        return str(column)
    if not -len(names) <= column < len(names):
        raise ColumnError(f"No column {column}: the array has {len(names)}, counted from 0.")
    return names[column]


def _meaning(weights_are: str) -> WeightsAre | Literal["guess"]:
    return "guess" if weights_are == "guess" else check_meaning(weights_are)


def _mapping(setting: str, given: Any, example: str) -> Mapping[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise SettingError(f"{setting} must be a dict such as {example}, not {given!r}.")
    return given or {}


def _schema(given: Schema | Mapping[str, Any] | str | os.PathLike[str] | None) -> Schema | None:
    if given is None or isinstance(given, Schema):
        return given
    return schema_from_json(dict(given)) if isinstance(given, Mapping) else load_schema(given)


def _orders(ordered: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    for name, values in ordered.items():
        if isinstance(values, str):
            raise SchemaError(
                f"ordered={{'{name}': …}} must be a list of values from low to high, not {values!r}."
            )
    return {name: tuple(str(value) for value in values) for name, values in ordered.items()}
