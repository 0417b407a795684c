"""`read_table`: any source to a coded table, with every guess announced in its notes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from clearwood.errors import SchemaError
from clearwood.table.making import Request, make_table
from clearwood.table.schema import Schema
from clearwood.table.schema_file import load_schema, schema_from_json
from clearwood.table.sources import read_raw
from clearwood.table.table import Table


def read_table(
    source: Any = None,
    *,
    target: str | None = None,
    weight: str | None = None,
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    ignore: str | Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    missing: str | Sequence[str] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    names: Sequence[str] | None = None,
    query: str | None = None,
) -> Table:
    """Read a file, a frame, an array, a list of records or a query.

    `source` is a path (`.csv`, `.tsv`, `.parquet`, `.arrow`, `.jsonl`, `.arff`, `.names`, … and `.gz`), `-`
    for standard input, bytes or an open file, a pandas, polars or pyarrow frame, a NumPy array (with
    `names`), a list of dicts, a dict of columns, or SQL over files. With `query`, the source is the table
    called `source` in it.

    What each column is, is guessed unless said: by `kinds` (nominal, ordinal, numeric, text, ignored),
    `ordered` (values from low to high), `ignore`, or a whole `schema`. Guesses that may surprise stand in
    the table's `notes`.

    In text files blanks, `?`, `NA`, `N/A`, `NaN` and `NULL` are missing, and so is what `missing` adds to
    them; `missing=[]` leaves blanks alone. In other sources only their own empty cells are, and `missing`.

    >>> rows = [{"wind": "weak", "play": "yes"}, {"wind": "strong", "play": "no"}]
    >>> read_table(rows, target="play").schema.target
    Nominal(name='play', values=('yes', 'no'))
    """
    request = Request(
        target=target,
        weight=weight,
        schema=_schema(schema),
        kinds=dict(kinds or {}),
        ignore=(ignore,) if isinstance(ignore, str) else tuple(ignore),
        ordered=_orders(ordered or {}),
    )
    raw = read_raw(
        source,
        names=names,
        query=query,
        missing=missing,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        header=header,
    )
    return make_table(raw, request)


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
