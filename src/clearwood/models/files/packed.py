"""A packed column: many numbers in the narrowest type that holds them all, in base64 where they are many."""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from clearwood.models.files.forms import Finite, Form
from clearwood.models.files.places import refuse

Type: TypeAlias = Literal["u1", "u2", "u4", "i1", "i2", "i4", "f4", "f8"]
TYPES: Final[tuple[Type, ...]] = get_args(Type)
PackedArray: TypeAlias = npt.NDArray[Any]
_LISTED: Final = 32  # entries that still stand as a list


class PackedColumn(Form, frozen=True):
    """Numbers of one `type` (u, i: whole ones; f: others; then the bytes of each). `values` are a list; or
    one number, which all entries are; or base64 of the entries in turn, the least byte first."""

    type: Type
    values: str | tuple[Finite, ...] | Finite


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
