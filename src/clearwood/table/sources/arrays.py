"""NumPy arrays, lists of dicts, and dicts of columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood._native import survey
from clearwood.errors import ColumnError, SourceError
from clearwood.table.coding import EXACT, as_strings
from clearwood.table.raw import Codes, NumberCells, Raw, RawColumn, RawNumbers, RawStrings, notes_of
from clearwood.table.sources.objects import from_objects, infinite


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


# NumPy arrays as raw columns: floats as they lie in memory, everything else converted once.


Array: TypeAlias = npt.NDArray[Any]  # [row], or [row, column] for a matrix

_BLOCK: Final = 4096  # rows converted at a time


def raw_column(array: Array, name: str, where: str, missing: Collection[str] = ()) -> RawColumn:
    """An array of one dimension as a column.

    >>> raw_column(np.array([True, False]), "x", "the array").values
    ('False', 'True')
    """
    match array.dtype.kind:
        case "f" | "i" | "u":
            return raw_matrix(array[:, np.newaxis], (name,), where)[0]
        case "b":
            return RawStrings(array.astype(np.int32), ("False", "True"), declared=True)
        case "O":
            return from_objects(array, name, where, missing)
        case "U":
            return from_objects(array.astype(object), name, where, missing)
        case "S":
            return from_objects(_decoded(array, name, where), name, where, missing)
        case "M":
            return _dates(array)
    raise foreign(array.dtype, name, where)


def foreign(kind: object, name: str, where: str) -> SourceError:
    """The sentence for a type of values that no table holds."""
    return SourceError(
        f"{where}, column '{name}': values of type {kind} are neither numbers nor text. "
        "Convert the column, or leave it out."
    )


def raw_matrix(matrix: Array, names: Sequence[str], where: str) -> tuple[RawNumbers, ...]:
    """The columns of a table of numbers, as views of it where it holds floats."""
    floats = as_floats(matrix)
    if matrix.dtype.kind in "iu":
        return tuple(
            RawNumbers(floats[:, j], whole=True, texts=partial(_whole_texts, matrix[:, j], floats[:, j]))
            for j in range(len(names))
        )
    row, column, whole = survey(floats)
    if row >= 0:
        raise infinite(names[column], where, row + 1, floats[row, column])
    return tuple(RawNumbers(floats[:, j], whole[j]) for j in range(len(names)))


def _whole_texts(whole: Array, floats: NumberCells) -> RawStrings:
    """Whole numbers as values: by their floats, unless some are too large for those to tell them apart."""
    # The floats lie side by side, where the whole numbers may be strewn over a table stored by rows.
    large = len(floats) > 0 and max(float(floats.max()), -float(floats.min())) >= EXACT
    if large and (int(whole.max()) > EXACT or int(whole.min()) < -EXACT):
        distinct, codes = _by_appearance(whole)
        return RawStrings(codes, tuple(str(int(value)) for value in distinct))
    return as_strings(RawNumbers(floats, whole=True))


def as_floats(array: Array) -> NumberCells:
    """The same array if it holds floats of 32 or 64 bits; else a copy in the narrower one that is exact."""
    if array.dtype in (np.float32, np.float64) and array.dtype.isnative:
        aligned = all(stride % array.itemsize == 0 for stride in array.strides) and array.flags.aligned
        return array if aligned else np.ascontiguousarray(array)
    # Each column in one piece, as whoever reads it next wants it; block by block, for otherwise NumPy reads
    # the whole table once a column.
    floats = np.empty(array.shape, np.float32 if array.itemsize <= 2 else np.float64, order="F")
    for first in range(0, len(array), _BLOCK):
        floats[first : first + _BLOCK] = array[first : first + _BLOCK]
    return floats


def _dates(array: Array) -> RawStrings:
    distinct, codes = _by_appearance(array)
    texts = np.datetime_as_string(distinct, unit="auto")
    return RawStrings(codes, tuple(text.replace("T", " ") for text in texts.tolist()), dates=True)


def _decoded(array: Array, name: str, where: str) -> npt.NDArray[np.object_]:
    try:
        return np.char.decode(array, "utf-8").astype(object)
    except UnicodeDecodeError as wrong:
        raise SourceError(
            f"{where}, column '{name}': {wrong.object[:40]!r} is not UTF-8. Decode the column first."
        ) from None


def _by_appearance(array: Array) -> tuple[Array, Codes]:
    """The different values in order of first appearance, and the place of each cell's; −1 for NaT."""
    distinct, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    if array.dtype.kind == "M":
        by_appearance = by_appearance[~np.isnat(distinct[by_appearance])]
    place = np.full(len(distinct), -1, np.int32)
    place[by_appearance] = np.arange(len(by_appearance), dtype=np.int32)
    return distinct[by_appearance], place[inverse]
