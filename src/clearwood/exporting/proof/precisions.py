"""What the precision of a target lets be compared, and which rows are beyond it."""

import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final, assert_never

import numpy as np

from clearwood.exporting.exported import Precision
from clearwood.table.raw import Cell, Row

_RELATIVE: Final[Mapping[Precision, float]] = {  # numbers that are nearer to each other may be taken as equal
    "double": 0.0,
    "single": 2.0**-23,
    "fifteen digits": 1e-14,
}


def share_bound(precision: Precision) -> float:
    """How far a share may be from ours, or a number, in parts of it where it is above 1."""
    match precision:
        case "double" | "fifteen digits":
            return 1e-12
        case "single":
            return 1e-5
        case _:
            assert_never(precision)


def beyond(precision: Precision, row: Row, jumps: Mapping[str, Sequence[float]]) -> str | None:
    """Why a target of this precision need not tell a row as we do; None: it must.

    >>> beyond("fifteen digits", {"age": 30.000000000000004}, {"age": (30.0,)})
    'nearer to a cut than fifteen digits tell apart'
    >>> beyond("double", {"age": 30.000000000000004}, {"age": (30.0,)}) is None
    True
    """
    if precision == "double":
        return None
    least, largest = _range(precision)
    for name, cell in row.items():
        if cell == "" and precision == "fifteen digits":
            return "an empty text, which is an empty cell in a spreadsheet"
        if not isinstance(cell, float):
            continue
        if abs(cell) > largest or 0 < abs(cell) < least:
            return "numbers larger or smaller than the target holds"
        if _is_near(cell, jumps.get(name, ()), precision):
            return f"nearer to a cut than {_digits(precision)} tell apart"
    return None


def row_as_held(precision: Precision, row: Row) -> Row | None:
    """The row as a target of this precision holds it; None: just as it is.

    Single precision rounds a number, and a spreadsheet has an empty cell for an empty text.

    >>> row_as_held("single", {"a": 2.0**53 + 2, "b": "x"})
    {'a': 9007199254740992.0, 'b': 'x'}
    >>> row_as_held("fifteen digits", {"a": 0.1, "b": ""})
    {'a': 0.1, 'b': None}
    """
    held = {name: _cell_as_held(precision, cell) for name, cell in row.items()}
    return None if all(held[name] is cell or held[name] == cell for name, cell in row.items()) else held


def _cell_as_held(precision: Precision, cell: Cell) -> Cell:
    match precision:
        case "double":
            return cell
        case "fifteen digits":
            return None if cell == "" else cell
        case "single":
            if not isinstance(cell, float) or not abs(cell) <= _range(precision)[1]:
                return cell
            return float(np.float32(cell))
        case _:
            assert_never(precision)


def _is_near(cell: float, cuts: Sequence[float], precision: Precision) -> bool:
    place = bisect_left(cuts, cell)
    for cut in cuts[max(0, place - 1) : place + 2]:
        # In single precision a number on a cut is rounded, and so may be the cut.
        apart = cell != cut or precision == "single"
        if apart and abs(cell - cut) <= _RELATIVE[precision] * max(abs(cell), abs(cut)):
            return True
    return False


def _range(precision: Precision) -> tuple[float, float]:
    if precision == "single":
        return 2.0**-126, (2 - 2.0**-23) * 2.0**127
    return sys.float_info.min, 9.99999999999999e307  # what spreadsheets hold


def _digits(precision: Precision) -> str:
    return "single precision can" if precision == "single" else "fifteen digits"
