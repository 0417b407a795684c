"""Frames of pandas, polars and pyarrow, read through narwhals.

Floats stay where they are; strings and dictionaries are coded from Arrow's memory, all columns side by side;
categories keep their codes. A pandas category or polars Enum lists its values (`declared`); only one
that says so is ordered. An Arrow dictionary is no list: its values come in order of appearance.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood._native import arrow_strings
from clearwood.errors import ColumnError, SourceError
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings, notes_of
from clearwood.table.sources.arrays import Array, foreign, raw_column
from clearwood.table.sources.objects import drop_marks, from_objects, is_missing

if TYPE_CHECKING:
    import narwhals as nw


def is_frame(source: object) -> bool:
    """Is this a frame that narwhals reads? Answered without importing any frame library."""
    kind = type(source)
    return kind.__module__.partition(".")[0] in _LIBRARIES and kind.__name__ in _FRAMES


def read_frame(frame: Any, *, missing: Collection[str] = (), where: str = "") -> Raw:
    """The columns of a frame. Strings listed in `missing` count as missing, beside the frame's own nulls;
    `where` is what errors call it."""
    import narwhals as nw

    library = type(frame).__module__.partition(".")[0]
    where = where or f"the {library} frame"
    if type(frame).__name__ == "RecordBatch":
        frame = sys.modules["pyarrow"].Table.from_batches([frame])
    try:
        table = nw.from_native(frame)
    except nw.exceptions.DuplicateError:
        raise ColumnError(f"Two columns of {where} are called {_twice(frame)}. Rename one.") from None
    except TypeError:
        raise SourceError(
            f"A {type(frame).__name__} is not a table. Give a path, a pandas, polars or pyarrow frame, "
            "arrays, a dict of columns or a list of dicts."
        ) from None
    if isinstance(table, nw.LazyFrame):
        table = table.collect()
    columns: dict[str, RawColumn | None] = {}
    streams: dict[str, nw.Series[Any]] = {}
    for series in table.iter_columns():
        name = str(series.name)
        if name in columns:
            raise ColumnError(f"Two columns of {where} are called '{name}'. Rename one.")
        columns[name] = _column(series, name, where, missing)
        if columns[name] is None:
            streams[name] = series
    if not columns:
        raise SourceError(f"{where} has no columns.")
    coded = arrow_strings([series.__arrow_c_stream__() for series in streams.values()])
    for (name, series), column in zip(streams.items(), coded, strict=True):
        if column is None:
            columns[name] = from_objects(
                np.fromiter(series.to_list(), object, len(series)), name, where, missing
            )
            continue
        codes, values, ordered = column
        if not ordered and series.implementation.is_polars() and series.dtype == nw.Enum:
            # Before 2.0 polars hands out the values that occur, as they occur.
            declared = tuple(series.to_native().dtype.categories)
            places = np.array([*map(declared.index, values), -1], dtype=np.int32)
            codes, values, ordered = places[codes], declared, True
        listed = RawStrings(codes, values, ordered, ordered and series.dtype != nw.Enum)
        columns[name] = drop_marks(listed, missing)
    read = tuple(each for each in columns.values() if each is not None)
    return Raw(tuple(columns), read, where, notes_of(read))


def _column(series: nw.Series[Any], name: str, where: str, missing: Collection[str]) -> RawColumn | None:
    """The column; None for strings, which are coded all together afterwards."""
    import narwhals as nw

    native: Any = series.to_native()
    if series.implementation.is_pandas_like():
        if native.dtype == "category":
            return _category(native, missing)
        if native.dtype == object or getattr(native.dtype, "storage", None) == "python":
            return from_objects(native.to_numpy(dtype=object), name, where, missing)
    dtype = series.dtype
    if dtype.is_nested():
        raise foreign(dtype, name, where)
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return None
    if dtype == nw.Boolean:
        numbers = _as_numpy(series.cast(nw.Float64))
        return RawStrings(np.where(np.isnan(numbers), -1, numbers).astype(np.int32), ("False", "True"), True)
    if dtype == nw.Unknown and series.null_count() == len(series):
        return RawNumbers(np.full(len(series), np.nan), whole=True)
    if dtype == nw.Decimal or dtype in (nw.Int128, nw.UInt128):
        series = series.cast(nw.Float64)
    array = _as_numpy(series)
    if dtype.is_numeric() and array.dtype == object:
        array = _as_numpy(series.cast(nw.Float64))
    column = raw_column(array, name, where, missing)
    if dtype in (nw.Int64, nw.UInt64) and array.dtype.kind == "f" and isinstance(column, RawNumbers):
        return replace(column, texts=partial(_whole_numbers, series))  # floats, since some cell is missing
    return column


def _as_numpy(series: nw.Series[Any]) -> Array:
    if series.implementation.is_pyarrow():
        numbers = _arrow_numbers(series.to_native())
        if numbers is not None:
            return numbers
    return series.to_numpy()


def _arrow_numbers(column: Any) -> Array | None:
    """The numbers of an Arrow column, NaN where missing, in its own memory if none is; None: no such numbers.

    pyarrow's own way imports pandas, which takes longer than to read a small file.
    """
    pyarrow = sys.modules["pyarrow"]
    kind = column.type
    if not (pyarrow.types.is_integer(kind) or kind in (pyarrow.float32(), pyarrow.float64())):
        return None
    chunk = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(chunk, pyarrow.ChunkedArray):  # of no rows, in some versions
        return None
    dtype = np.dtype({"float": "float32", "double": "float64"}.get(str(kind), str(kind)))
    known, cells = chunk.buffers()
    if cells is None:
        return np.full(len(chunk), np.nan)
    numbers = np.frombuffer(cells, dtype, offset=chunk.offset * dtype.itemsize, count=len(chunk))
    if chunk.null_count:
        numbers = numbers.astype(np.float32 if dtype == np.float32 else np.float64)
        bits = np.unpackbits(np.frombuffer(known, np.uint8), bitorder="little")
        numbers[bits[chunk.offset : chunk.offset + len(chunk)] == 0] = np.nan
    return numbers


def _whole_numbers(series: nw.Series[Any]) -> RawStrings:
    cells = (None if is_missing(cell) else str(int(cell)) for cell in series.to_list())
    column = from_objects(np.fromiter(cells, object, len(series)), str(series.name), "")
    assert isinstance(column, RawStrings)
    return column


def _category(native: Any, missing: Collection[str]) -> RawStrings:
    values = tuple(str(each) for each in native.cat.categories)
    codes = native.cat.codes.to_numpy().astype(np.int32)
    return drop_marks(RawStrings(codes, values, True, bool(native.cat.ordered)), missing)


def _twice(frame: Any) -> str:
    names = [str(name) for name in getattr(frame, "column_names", None) or frame.columns]
    return ", ".join(sorted({f"'{name}'" for name in names if names.count(name) > 1}))


_LIBRARIES = {"pandas", "polars", "pyarrow", "modin", "cudf", "narwhals"}
_FRAMES = {"DataFrame", "LazyFrame", "Table", "RecordBatch"}
