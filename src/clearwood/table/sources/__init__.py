"""From any source to raw columns: which reader takes it, by its type, its file's suffix or first bytes.

A new kind of file is a file with its reader, and a line in `SOURCES` (`table/formats.py`).
"""

import re
from collections.abc import Collection, Mapping, Sequence
from inspect import signature
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.errors import NamedOption, SettingError, SourceError
from clearwood.table.formats import SOURCES, Source
from clearwood.table.raw import Raw
from clearwood.table.sources.c45_names import names_of
from clearwood.table.sources.opening import PACKED_SUFFIXES, Held, is_file, read_bytes
from clearwood.table.sources.recoded import as_read, marks_by_column, readings_of, with_dates_as_numbers


def read_raw(
    source: Any,
    *,
    names: Sequence[str] | None = None,
    query: str | None = None,
    dates: str | None = None,
    recode: Mapping[str, Mapping[str, str]] | None = None,
    **how_written: Any,
) -> Raw:
    """The columns of a source.

    `how_written` (delimiter, encoding, decimal, thousands, header, missing, max_bytes) is for files, and
    `query_seconds` for a query. Marks in
    `missing` count beside the usual ones of a text file; an empty list leaves blanks alone; by column they
    count in that alone. `recode` says by column which value is read as which other. With `dates='days'`
    columns of dates are numbers.
    """
    if dates is not None:
        how_written |= {"recode": recode}
        return with_dates_as_numbers(read_raw(source, names=names, query=query, **how_written), dates)
    read_as = readings_of(recode, how_written.get("missing"))
    how_written["missing"], _ = marks_by_column(how_written.get("missing"))
    return as_read(_read(source, names, query, how_written), read_as)


def _read(source: Any, names: Sequence[str] | None, query: str | None, how_written: dict[str, Any]) -> Raw:
    seconds = how_written.pop("query_seconds", None)
    options = {option: value for option, value in how_written.items() if value is not None}
    if query is None and isinstance(source, str) and _SQL.match(source):
        source, query = None, source
    if query is not None:
        inner = None if source is None else read_raw(source, names=names, **options)
        marks = _listed(options.get("missing", ()))
        most = options.get("max_bytes")
        from clearwood.table.sources.sql import read_query  # late: files do not need it

        return read_query(
            query, inner, lambda path: _read_csv(path, options), marks, max_bytes=most, seconds=seconds
        )
    if seconds is not None:
        raise SettingError(NamedOption("query_seconds"), " is for a query, and there is none.")
    if source is None:
        raise SourceError(
            "There is nothing to read. Give a path, a frame, an array, a list of records or a query."
        )
    if isinstance(source, str) and not source.strip():
        raise SourceError("The name of the file is empty. Give a path, or - for standard input.")
    if names is not None and not is_array(source):
        raise SourceError("names is only for arrays, whose columns have no names; this source has its own.")
    if isinstance(source, str | PathLike) and str(source) != "-":
        return _read_path(Path(source), options)
    if isinstance(source, str | bytes | bytearray | memoryview | Held) or hasattr(source, "read"):
        return _read_stream(
            BytesIO(source) if isinstance(source, bytes | bytearray | memoryview) else source, options
        )
    missing = options.pop("missing", ())
    options.pop("max_bytes", None)
    _no_options(options, "a table in memory")
    return _read_memory(source, names, _listed(missing))


def is_array(source: object) -> bool:
    """Is this a plain array or a list of lists, whose columns have no names of their own?"""
    if isinstance(source, list | tuple):
        return bool(source) and isinstance(source[0], list | tuple | np.ndarray)
    return isinstance(source, np.ndarray) and source.dtype.names is None


def _read_memory(source: Any, names: Sequence[str] | None, missing: Collection[str]) -> Raw:
    from clearwood.table.sources.arrays import read_array, read_columns, read_records
    from clearwood.table.sources.frames import is_frame, read_frame

    if isinstance(source, Raw):
        return source
    if isinstance(source, np.ndarray):
        return read_array(source, names=names, missing=missing)
    if isinstance(source, Mapping):
        return read_columns(source, missing=missing)
    if isinstance(source, list | tuple):
        if source and not all(isinstance(row, Mapping) for row in source):
            return read_array(_rectangle(source), names=names, missing=missing)
        return read_records(source, missing=missing)
    if is_frame(source):
        return read_frame(source, missing=missing)
    raise SourceError(
        f"A {type(source).__name__} is not a table. Give a path, a pandas, polars or pyarrow frame, "
        "a NumPy array, a list of dicts or a dict of columns."
    )


def _rectangle(rows: Sequence[Any]) -> npt.NDArray[Any]:
    """A list of lists as an array: of numbers if all are, else of objects, so that no number becomes text."""
    widths = {len(row) if isinstance(row, list | tuple | np.ndarray) else -1 for row in rows}
    if len(widths) != 1 or -1 in widths:
        raise SourceError("A list must hold dicts, or rows of one length.")
    numbers = all(isinstance(cell, int | float | np.number) for row in rows for cell in row)
    return np.array(rows, dtype=float if numbers else object)


def suffix_of(path: Path, *, beside: bool = True) -> str:
    """By which the reader of a file is chosen: its last but for those of packing, and that of the `.names`
    file which describes it, if that is looked for beside it."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in PACKED_SUFFIXES]
    suffix = suffixes[-1] if suffixes else ""
    return ".names" if beside and suffix in (".data", ".test") and is_file(names_of(path)) else suffix


def source_beginning(head: bytes) -> Source | None:
    """The kind of file that begins with these bytes; None for delimited text.

    >>> head = b'{"wind": "weak"}'
    >>> source_beginning(head) is SOURCES[".json"], source_beginning(b"wind,play")
    (True, None)
    """
    head = head[:4096]
    return next((each for each in SOURCES.values() if each.begins and re.match(each.begins, head)), None)


def _read_path(path: Path, options: dict[str, Any]) -> Raw:
    suffix = suffix_of(path)
    if not is_file(path) or suffix not in SOURCES:
        return _read_csv(path, options)  # which also has the sentence for a file that isn't there
    return _read_by(SOURCES[suffix], path, path.name, options)


def _read_stream(source: Any, options: dict[str, Any]) -> Raw:
    """An open file is known by its name's suffix, else by its first bytes."""
    held = Held(*read_bytes(source, options.pop("max_bytes", None)))
    by_name = SOURCES.get(suffix_of(Path(held.where), beside=False))
    kind = by_name or source_beginning(held.data[:4096].tobytes())
    if kind is None:
        return _read_csv(held, options)
    if kind.of_paths:
        raise SourceError(
            f"{held.where} describes another file beside it. Give its path instead of the open file."
        )
    return _read_by(kind, held, held.where, options)


def _read_by(kind: Source, source: Any, what: str, options: dict[str, Any]) -> Raw:
    """The columns, with the options that this reader has parameters for."""
    read = kind.load(what)
    takes = list(signature(read).parameters)[1:]
    _no_options({option: value for option, value in options.items() if option not in takes}, what)
    return read(source, **options)


def _read_csv(source: Any, options: dict[str, Any]) -> Raw:
    from clearwood.table.sources.csv import marks_of, read_csv

    return read_csv(source, **{**options, "missing": marks_of(options.get("missing"))})


def _listed(missing: str | Collection[str]) -> tuple[str, ...]:
    return (missing,) if isinstance(missing, str) else tuple(missing)


def _no_options(options: Mapping[str, Any], what: str) -> None:
    for option in options:
        raise SourceError(NamedOption(option), f" is for delimited text; {what} needs none. Leave it out.")


_SQL: Final = re.compile(r"\s*(select|with\s.*\sselect)\s.*\S", re.IGNORECASE | re.DOTALL)
