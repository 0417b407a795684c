"""A packed column: many numbers in the narrowest type that holds them all, in base64 where they are many."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from clearwood.errors import ModelFileError
from clearwood.models.files.forms import Finite, Form, refuse

Type: TypeAlias = Literal["u1", "u2", "u4", "i1", "i2", "i4", "f4", "f8"]
TYPES: Final[tuple[Type, ...]] = get_args(Type)
PackedArray: TypeAlias = npt.NDArray[Any]
_LISTED: Final = 32  # entries that still stand as a list
# A number that stands for many is read as many: so many in any file, and for each of its letters.
_ANYWHERE: Final = 1_000_000
_BY_LETTER: Final = 64


class PackedColumn(Form, frozen=True):
    """Numbers of one `type` (u, i: whole ones; f: others; then the bytes of each). `values` are a list; or
    one number, which all entries are; or base64 of the entries in turn, the least byte first."""

    type: Type
    values: str | tuple[Finite, ...] | Finite


class _Allowance:
    """How many entries a file may still have that it does not hold itself."""

    def __init__(self, letters: int) -> None:
        self.letters = letters
        self.left = _ANYWHERE + _BY_LETTER * letters


_allowance: ContextVar[_Allowance | None] = ContextVar("_allowance", default=None)


@contextmanager
def reading_file_of(letters: int) -> Iterator[None]:
    """While a file of so many letters is read, what it claims is bounded by what it holds."""
    token = _allowance.set(_Allowance(letters))
    try:
        yield
    finally:
        _allowance.reset(token)


def claim(entries: int, where: str) -> None:
    """Refuse entries that one number, or a size alone, stands for, where they are too many for the file."""
    allowance = _allowance.get()
    if allowance is None:
        return
    allowance.left -= entries
    if allowance.left < 0:
        raise ModelFileError(
            f"{where}: {entries:,} entries are claimed by a file of {allowance.letters:,} characters, "
            "which no "
            "model has. Copy the file again, or save the model again with clearwood.save."
        )


def packed_column(array: PackedArray) -> PackedColumn:
    """The form of a column, which `unpacked` reads back exactly.

    >>> packed_column(np.array([3, 3, 3])), packed_column(np.array([1.5, 0.25])).values
    (PackedColumn(type='u1', values=3), (1.5, 0.25))
    """
    array = np.ascontiguousarray(array)
    kind = _narrowest(array)
    narrow = array.astype(f"<{kind}")
    exact = kind[0] != "f" or bool(np.isfinite(narrow).all() and not _has_minus_zero(narrow))
    if exact and len(array) and (narrow == narrow[0]).all():  # not all readers of JSON keep −0
        return PackedColumn(type=kind, values=narrow[0].item())
    if exact and len(array) <= _LISTED:
        return PackedColumn(type=kind, values=tuple(narrow.tolist()))
    return PackedColumn(type=kind, values=base64.b64encode(narrow.tobytes()).decode("ascii"))


def unpacked(form: PackedColumn, size: int, where: str, *, whole: bool = False) -> PackedArray:
    """[size] the column; refused where it is not exactly that."""
    if whole and form.type[0] == "f":
        refuse(f"{where}.type", "must be one of whole numbers", form.type)
    kind, values = np.dtype(f"<{form.type}"), form.values
    if isinstance(values, str):
        try:
            content = base64.b64decode(values, validate=True)
        except (binascii.Error, ValueError):
            refuse(f"{where}.values", "must be base64", values)
        if len(content) != size * kind.itemsize:
            demand = f"must hold {size:,} entries of {kind.itemsize} bytes"
            refuse(f"{where}.values", demand, f"{len(content):,} bytes")
        return np.frombuffer(content, dtype=kind)
    if isinstance(values, tuple) and len(values) != size:
        refuse(f"{where}.values", f"must be {size:,} numbers", len(values))
    if not isinstance(values, tuple):
        claim(size, where)
    wide = np.full(size, values) if not isinstance(values, tuple) else np.array(values, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        narrow = wide.astype(kind)
    if not np.array_equal(narrow.astype(np.float64), wide.astype(np.float64)):
        refuse(f"{where}.values", f"must fit the type {form.type}", values)
    return narrow


def _narrowest(array: PackedArray) -> Type:
    """Whole numbers in whole types, others as float32 where that is exact."""
    if array.dtype.kind in "biu":
        low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
        for kind in TYPES[:6]:
            limits = np.iinfo(kind)
            if limits.min <= low and high <= limits.max:
                return kind
        raise OverflowError(f"No column holds {low} to {high}.")
    known = array[~np.isnan(array)]
    small = np.isfinite(array).all() and np.abs(array).max(initial=0) < 2**31
    if small and not _has_minus_zero(array):
        whole = array.astype(np.int64)
        if (whole == array).all():
            return _narrowest(whole)
    with np.errstate(over="ignore"):
        return "f4" if np.array_equal(known.astype(np.float32).astype(np.float64), known) else "f8"


def _has_minus_zero(array: PackedArray) -> bool:
    return bool((np.signbit(array) & (array == 0)).any())
