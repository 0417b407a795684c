"""A SQL query over files, by way of duckdb: `SELECT age, class FROM 'credit.parquet' WHERE age > 30`.

A file of separated text that the query names is read as `read_table` reads it, since duckdb would take yes
and no for truth values and keep the marks of missing.

A query may read the files it names and nothing else: its tree is checked beforehand, and the connection is
locked, so that it writes no file, opens no other, fetches no code and changes no setting.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any, Final

import numpy as np

from clearwood.errors import Advice, NamedOption, SettingError, SourceError
from clearwood.records import dataclass
from clearwood.registry import imported_extra
from clearwood.table.attributes import Text
from clearwood.table.coding import code_column
from clearwood.table.describe import excerpt
from clearwood.table.raw import Raw, RawNumbers
from clearwood.table.sources.opening import SizeLimit, is_file, limit_of, no_file


def read_query(
    query: str,
    source: Raw | None,
    read_text: Callable[[Path], Raw],
    missing: Collection[str] = (),
    *,
    max_bytes: SizeLimit = None,
    seconds: float | None = None,
) -> Raw:
    """The rows a query gives. Where there is a source too, the query knows it as the table `source`.

    It may take so many `seconds` (300), and its work and its rows `max_bytes` each (4 GiB).
    """
    from clearwood.table.sources.arrays import read_columns

    duckdb = imported_extra("duckdb", "sql", "To read by SQL")
    if not query.strip():
        raise SourceError("The query is empty. Give one SELECT.")
    renamed: dict[str, str] = {}
    most, allowed = limit_of(max_bytes) or _MOST_BYTES, _seconds(seconds)
    config = {**_OFFLINE, "memory_limit": f"{max(most, _LEAST_BYTES)}B", "temp_directory": ""}
    with duckdb.connect(config=config) as connection:
        ending = Timer(allowed, connection.interrupt)
        ending.daemon = True
        ending.start()
        try:
            named = files_named(connection, query)
            paths = {file: _paths(file) for file in named}
            query, texts, renamed = _with_files_as_tables(query, paths)
            tables = {name: read_text(path) for name, path in texts.items()}
            tables |= {} if source is None else {"source": source}
            for name, table in tables.items():
                connection.register(name, _arrays(table))
            _lock(connection, [path for each in paths.values() for path in each])
            columns = {name: _plain(cells) for name, cells in _fetched(connection, query, most).items()}
        except duckdb.InterruptException:
            raise SourceError(
                f"The query failed: it took more than {allowed:g} seconds. Give it more: ",
                Advice("query_seconds", 2 * allowed),
                ", or ask for less.",
            ) from None
        except (duckdb.OutOfMemoryException, MemoryError):
            raise _too_large(most) from None
        except (duckdb.Error, RuntimeError) as error:
            raise SourceError(f"The query failed: {_in_our_names(str(error), renamed)}") from None
        finally:
            ending.cancel()
    notes = tuple(note for table in tables.values() for note in table.notes_without())
    raw = read_columns(columns, missing=missing, where="the query")
    return replace(raw, notes=(*notes, *raw.notes))


def _fetched(connection: Any, query: str, most: int) -> dict[str, Any]:
    """The columns of the result, whose rows are bounded: they are not part of what duckdb counts."""
    relation = connection.sql(query)
    if relation is None:
        raise SourceError("The query failed: it gives no rows. Give one SELECT.")
    rows = max(1, most // (_BYTES_OF_CELL * len(relation.columns)))
    columns: dict[str, Any] = relation.limit(rows + 1).fetchnumpy()
    if any(len(cells) > rows for cells in columns.values()):
        raise _too_large(most)
    return columns


def _too_large(most: int) -> SourceError:
    return SourceError(
        f"The query failed: it needs more than {most:,} bytes. Allow more: ",
        Advice("max_bytes", f"{2 * most // 1_000_000 or 1}MB"),
        ", or ask for less.",
    )


def _seconds(given: float | None) -> float:
    if given is None:
        return _MOST_SECONDS
    if not 0 < given <= threading.TIMEOUT_MAX:
        raise SettingError(NamedOption("query_seconds"), f" must be a number above 0, not {given!r}.")
    return float(given)


_MOST_BYTES: Final = 4 << 30
_LEAST_BYTES: Final = 50_000_000  # with less duckdb does not begin
_BYTES_OF_CELL: Final = 16
_MOST_SECONDS: Final = 300.0
_OFFLINE: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,  # or a table's name would be looked up among our variables
}


def _lock(connection: Any, paths: Collection[str]) -> None:
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    connection.execute(f"SET allowed_paths = [{listed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _paths(file: NamedFile) -> list[str]:
    """The files of this machine that a name or a pattern such as data/*.parquet stands for."""
    if re.match(r"\w+://", file.name):
        raise SourceError(
            f"The query failed: it reads files of this machine, not '{file.name}'. Fetch it, name the copy."
        )
    if is_file(Path(file.name)):
        if file.is_table and not _AS_TABLES.search(file.name):
            raise SourceError(
                f"The query failed: as a table it reads {_NAMED} files, and '{excerpt(file.name)}' is none "
                "of them. Give that file as the source, and query it by that name: ",
                Advice("query", "SELECT * FROM source"),
                ".",
            )
        return [file.name]
    root = Path(Path(file.name).anchor)
    pattern = file.name[len(root.anchor) :]
    try:
        matching = root.glob(pattern) if any(mark in pattern for mark in "*?[") else ()
        paths = sorted(str(path) for path in matching if path.is_file())
    except (OSError, ValueError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(
            f"The query failed: no files can be looked for by '{excerpt(file.name)}': {reason}."
        ) from None
    if not paths:
        raise SourceError(f"The query failed: {no_file(Path(file.name))}")
    return paths


def _with_files_as_tables(
    query: str, paths: dict[NamedFile, list[str]]
) -> tuple[str, dict[str, Path], dict[str, str]]:
    """The query with each text file as the table of its stem, as duckdb calls it, and each pattern as a list.

    Also the file of each such table, and what stands in the query for what was written.
    """
    texts: dict[str, Path] = {}
    renamed: dict[str, str] = {}
    parts, done, written = [], 0, query.encode()
    for file, matches in paths.items():
        path = Path(file.name)
        stem = path.name.partition(".")[0]
        while texts.get(stem, path) != path or stem == "source":
            stem += "_"
        is_list = matches != [file.name]
        if file.is_table and not is_list and _TEXT.search(path.name):
            texts[stem] = path
            new = 'temp.main."' + stem.replace('"', '""') + '"'
        elif is_list:
            listed = ", ".join("'" + each.replace("'", "''") + "'" for each in matches)
            new = f"{_reader(path)}([{listed}])" if file.is_table else f"[{listed}]"
        else:
            continue
        renamed[new] = f"'{file.name}'"
        parts += [written[done : file.begin], new.encode()]
        done = file.end
    return b"".join([*parts, written[done:]]).decode(), texts, renamed


def _reader(path: Path) -> str:
    if _TEXT.search(path.name):
        return "read_csv"
    return "read_json" if path.suffix.lower() in (".json", ".jsonl", ".ndjson") else "read_parquet"


def _in_our_names(message: str, renamed: dict[str, str]) -> str:
    """duckdb's own sentence, without the excerpt of a text that is no longer the one that was written."""
    for new, old in renamed.items():
        message = message.replace(new, old)
    sentence = " ".join(message.partition("\n\nLINE ")[0].split())
    return sentence if len(sentence) <= 500 else f"{sentence[:499]}…"


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


_TEXT: Final = re.compile(r"\.(?:csv|tsv)(?:\.(?:gz|bz2|xz))?$", re.IGNORECASE)
_SUFFIXES: Final = ("csv", "tsv", "parquet", "json", "jsonl", "ndjson")  # that make a name a table of duckdb
_NAMED: Final = f".{', .'.join(_SUFFIXES[:-1])} and .{_SUFFIXES[-1]}"
_AS_TABLES: Final = re.compile(rf"\.(?:{'|'.join(_SUFFIXES)})(?:\.(?:gz|bz2|xz|zst))?$", re.IGNORECASE)


# What a query is made of: that it only reads, and which files it names.
#
# The type of a statement proves nothing: duckdb takes a COPY inside WITH for a SELECT. So the tree that
# duckdb itself makes of the text is walked, and only what is known to read is let through.


_NODES: Final = ("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE", "STATEMENT_NODE")
_READERS: Final = (
    *("read_csv", "read_csv_auto", "read_parquet", "parquet_scan", "read_text"),
    *("read_json", "read_json_auto", "read_json_objects", "read_json_objects_auto"),
    *("read_ndjson", "read_ndjson_auto", "read_ndjson_objects"),
)
_MAKERS: Final = ("range", "generate_series", "unnest", "repeat", "json_each", "json_tree")
_LOOKS_LIKE_A_FILE: Final = re.compile(r"[/\\]|\.\w+$")


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file in the query: its name, the bytes of the text where it stands in quotes, and in which role."""

    name: str
    begin: int
    end: int
    is_table: bool  # as a table, FROM 'x.csv'; else as what a function reads, read_csv('x.csv')


def files_named(connection: Any, query: str) -> list[NamedFile]:
    """The files that one SELECT names, in the order of the text; anything that may write is refused."""
    ((answer,),) = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [query]).fetchall()
    tree = json.loads(answer)
    if tree["error"] or len(tree["statements"]) != 1:
        if tree.get("error_type") == "parser":
            raise SourceError(f"The query failed: {tree['error_message'].splitlines()[0]}")
        raise _refusal(query)
    text = query.encode()
    files: list[NamedFile] = []
    for node in _nodes(tree):
        kind = node.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _NODES:
            raise _refusal(query)
        if kind == "BASE_TABLE" and _LOOKS_LIKE_A_FILE.search(node["table_name"]):
            files += _quoted(text, node["table_name"], node["query_location"], is_table=True)
        elif kind == "TABLE_FUNCTION":
            files += _read_by(node["function"], text)
    return sorted(files, key=lambda each: each.begin)


def _read_by(function: dict[str, Any], text: bytes) -> Iterator[NamedFile]:
    name = function["function_name"].lower()
    if name in _MAKERS:
        return
    if name not in _READERS:
        raise SourceError(
            f"A query may not call {excerpt(name)} in FROM. It may read files with read_csv, read_parquet or "
            "read_json."
        )
    for node in _constants((function.get("arguments") or function.get("children") or [{}])[0]):
        value = node.get("literal", {}).get("text") or node.get("value", {}).get("value")
        if node.get("type") != "VALUE_CONSTANT" or not isinstance(value, str):
            raise SourceError(f"A query names its files in quotes: {name}('data.csv'), not a computed name.")
        yield from _quoted(text, value, node["query_location"], is_table=False)


def _constants(argument: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What an argument names: itself, or each element if it is a list."""
    argument = argument.get("expression", argument)
    if argument.get("function_name") == "list_value":
        for each in argument.get("arguments") or argument.get("children") or []:
            yield from _constants(each)
    else:
        yield argument


def _quoted(text: bytes, name: str, begin: int, *, is_table: bool) -> Iterator[NamedFile]:
    """The file where it stands in quotes; without them it is a table of that name."""
    quote = text[begin : begin + 1] if begin < len(text) else b""
    if quote in (b"'", b'"'):
        written = quote + name.encode().replace(quote, quote * 2) + quote
        if text.startswith(written, begin):
            yield NamedFile(name, begin, begin + len(written), is_table)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            yield node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def _refusal(query: str) -> SourceError:
    return SourceError(f"A query must be one SELECT, not: {' '.join(query.split())[:80]}")
