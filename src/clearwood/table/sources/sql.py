"""A SQL query over files, by way of duckdb: `SELECT age, class FROM 'credit.parquet' WHERE age > 30`.

A file of separated text that the query names is read as `read_table` reads it, since duckdb would take yes
and no for truth values and keep the marks of missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from clearwood.errors import MissingExtraError, SourceError
from clearwood.table.attributes import Text
from clearwood.table.coding import code_column
from clearwood.table.raw import Raw, RawNumbers


def read_query(
    query: str, source: Raw | None, read_text: Callable[[Path], Raw], missing: Collection[str] = ()
) -> Raw:
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
            query, files = _with_files_as_tables(query)
            tables = {name: read_text(path) for name, path in files.items()}
            tables |= {} if source is None else {"source": source}
            for name, table in tables.items():
                connection.register(name, _arrays(table))
            columns = {name: _plain(cells) for name, cells in connection.execute(query).fetchnumpy().items()}
        except duckdb.Error as error:
            raise SourceError(f"The query failed: {error}") from None
    notes = tuple(note for table in tables.values() for note in table.notes)
    return replace(read_columns(columns, missing=missing, where="the query"), notes=notes)


def _with_files_as_tables(query: str) -> tuple[str, dict[str, Path]]:
    """The query with each text file as the table of its stem, as duckdb calls it; and the file of each."""
    files: dict[str, Path] = {}

    def table(found: re.Match[str]) -> str:
        path = Path(found["path"])
        name = path.name.partition(".")[0]
        while files.get(name, path) != path or name == "source":
            name += "_"
        if not path.is_file() or '"' in name:
            return found[0]  # a pattern of many files, or none: for duckdb to answer
        files[name] = path
        return f'{found["before"]}temp.main."{name}"'

    return _TEXT_FILE.sub(table, query), files


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


_TEXT_FILE: Final = re.compile(
    r"(?P<before>\b(?:from|join)\s+)'(?P<path>[^'*?]+\.(?:csv|tsv)(?:\.(?:gz|bz2|xz))?)'", re.IGNORECASE
)


def _one_line(query: str) -> str:
    return " ".join(query.split())[:80]
