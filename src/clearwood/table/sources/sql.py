"""A SQL query over files, by way of duckdb: `SELECT age, class FROM 'credit.parquet' WHERE age > 30`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.errors import MissingExtraError, SourceError
from clearwood.table.attributes import Text
from clearwood.table.coding import code_column
from clearwood.table.raw import Raw, RawNumbers


def read_query(query: str, source: Raw | None = None) -> Raw:
    """The rows a query gives. Where there is a source too, the query knows it as the table `source`."""
    from clearwood.table.sources.arrays import read_columns

    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("To read by SQL, install duckdb: pip install 'clearwood[sql]'") from None
    # A query may read files, but neither write any nor fetch code from elsewhere.
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with duckdb.connect(config=offline) as connection:
        try:
            statements = connection.extract_statements(query)
            if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                raise SourceError(f"A query must be one SELECT, not: {_one_line(query)}")
            if source is not None:
                connection.register("source", _arrays(source))
            columns = {name: _plain(cells) for name, cells in connection.execute(query).fetchnumpy().items()}
        except duckdb.Error as error:
            raise SourceError(f"The query failed: {error}") from None
    return replace(read_columns(columns, where="the query"), notes=source.notes if source else ())


def _arrays(source: Raw) -> dict[str, Any]:
    return {
        name: column.values if isinstance(column, RawNumbers) else code_column(column, Text(name))
        for name, column in zip(source.names, source.columns, strict=True)
    }


def _plain(cells: Any) -> Any:
    """duckdb masks what is NULL; a missing cell here is NaN, NaT or None."""
    if not isinstance(cells, np.ma.MaskedArray):
        return cells
    plain, empty = np.ma.getdata(cells), np.ma.getmaskarray(cells)
    nothing: Any = None
    if plain.dtype.kind in "iuf":
        nothing = np.nan
    elif plain.dtype.kind in "mM":
        nothing = np.array("NaT", plain.dtype)
    return np.where(empty, nothing, plain)


def _one_line(query: str) -> str:
    return " ".join(query.split())[:80]
