"""NumPy arrays as raw columns: floats as they lie in memory, everything else converted once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood._native import survey
from clearwood.errors import SourceError
from clearwood.table.coding import as_strings
from clearwood.table.raw import Codes, NumberCells, RawColumn, RawNumbers, RawStrings
from clearwood.table.recoding import EXACT
from clearwood.table.sources.objects import from_objects, infinite

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
