"""NumPy arrays, lists of dicts, and dicts of columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from clearwood.errors import ColumnError, SourceError
from clearwood.table.raw import Raw, RawColumn, notes_of
from clearwood.table.sources.columns import Array, raw_column, raw_matrix
from clearwood.table.sources.objects import from_objects


def read_array(array: Array, names: Sequence[str] | None = None, *, missing: Collection[str] = ()) -> Raw:
    """An array of one dimension is one column, of two [row, column]; a structured array names its own.

    Floats are not copied: the columns are views of the array. Columns without names are x0, x1, ….

    >>> raw = read_array(np.array([[1.0, 2.5], [3.0, 4.5]]))
    >>> raw.names, raw.columns[1].values.tolist()
    (('x0', 'x1'), [2.5, 4.5])
    """
    where = "the array"
    if array.dtype.names is not None:
        fields = {field: np.ascontiguousarray(array[field]) for field in array.dtype.names}
        return read_columns(fields, missing=missing, where=where)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2 or array.shape[1] == 0:
        raise SourceError(
            f"{where} has the shape {array.shape}. A table is an array of rows and columns: [row, column]."
        )
    labels = tuple(f"x{j}" for j in range(array.shape[1])) if names is None else tuple(map(str, names))
    if len(labels) != array.shape[1]:
        raise ColumnError(f"{where} has {array.shape[1]} columns, but {len(labels)} names were given.")
    if len(set(labels)) != len(labels):
        twice = next(name for name in labels if labels.count(name) > 1)
        raise ColumnError(f"Two columns of {where} are called '{twice}'. Rename one.")
    columns: tuple[RawColumn, ...]
    if array.dtype.kind in "fiu":
        columns = raw_matrix(array, labels, where)
    else:
        columns = tuple(raw_column(array[:, j], name, where, missing) for j, name in enumerate(labels))
    return Raw(labels, columns, where, notes_of(columns))


def read_columns(
    columns: Mapping[str, Any], *, missing: Collection[str] = (), where: str = "the dict"
) -> Raw:
    """A dict of columns, each an array or a sequence.

    >>> read_columns({"size": [1, None], "shoe": ["left", "right"]}).columns[0].values.tolist()
    [1.0, nan]
    """
    if not columns:
        raise SourceError(f"{where} has no columns.")
    raw: dict[str, RawColumn] = {}
    for name, cells in columns.items():
        array = cells if isinstance(cells, np.ndarray) else _objects(cells, str(name), where)
        if array.ndim != 1:
            raise SourceError(
                f"{where}, column '{name}' has the shape {array.shape}. A column has one dimension."
            )
        if str(name) in raw:
            raise ColumnError(f"Two columns of {where} are called '{name}'. Rename one.")
        raw[str(name)] = raw_column(array, str(name), where, missing)
    lengths = {name: len(column) for name, column in raw.items()}
    if len(set(lengths.values())) > 1:
        first, other = next((a, b) for a in lengths for b in lengths if lengths[a] != lengths[b])
        raise SourceError(
            f"{where}: column '{first}' has {lengths[first]} rows, but '{other}' has {lengths[other]}. "
            "Columns must be equally long."
        )
    return Raw(tuple(raw), tuple(raw.values()), where, notes_of(raw.values()))


def read_records(
    rows: Sequence[Mapping[str, Any]], *, missing: Collection[str] = (), where: str = "the list"
) -> Raw:
    """A list of dicts, one a row; a key that a row doesn't have is missing there.

    >>> raw = read_records([{"a": 1}, {"a": 2, "b": "x"}])
    >>> raw.names, raw.columns[1].codes.tolist()
    (('a', 'b'), [-1, 0])
    """
    if not rows:
        raise SourceError(f"{where} is empty. It needs at least one row.")
    cells: dict[str, Array] = {}
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise SourceError(
                f"{where}, row {i + 1} is a {type(row).__name__}. Each row is a dict from column to value."
            )
        for name, value in row.items():
            if name not in cells:
                cells[name] = np.full(len(rows), None, dtype=object)
            cells[name][i] = value
    if not cells:
        raise SourceError(f"{where} has no columns: every row is empty.")
    columns = tuple(from_objects(column, str(name), where, missing) for name, column in cells.items())
    return Raw(tuple(map(str, cells)), columns, where, notes_of(columns))


def _objects(cells: Any, name: str, where: str) -> Array:
    if isinstance(cells, str | bytes | Mapping) or not hasattr(cells, "__len__"):
        raise SourceError(
            f"{where}, column '{name}' is a {type(cells).__name__}. "
            "Give a list or an array with one value per row."
        )
    return np.fromiter(cells, dtype=object, count=len(cells))
