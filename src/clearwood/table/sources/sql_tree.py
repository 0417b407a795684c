"""What a query is made of: that it only reads, and which files it names.

The type of a statement proves nothing: duckdb takes a COPY inside WITH for a SELECT. So the tree that duckdb
itself makes of the text is walked, and only what is known to read is let through.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from clearwood.errors import SourceError
from clearwood.table.excerpts import excerpt

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
