"""Codes under one list of values as codes under another."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.table.read_as import number_in
from clearwood.table.table import MISSING, UNSEEN

EXACT: Final = 2**53  # whole numbers up to here differ as floats too


def recoded(
    codes: npt.NDArray[np.int32], theirs: tuple[str, ...], ours: tuple[str, ...]
) -> npt.NDArray[np.int32]:
    """Codes of `theirs` as codes of `ours`; one that isn't there, in no spelling of its number, is UNSEEN.

    >>> recoded(np.array([0, 1, 2, -1], np.int32), ("b", "2.0", "c"), ("2", "b")).tolist()
    [1, 0, -2, -1]
    """
    if theirs == ours:
        return codes
    positions = {value: code for code, value in enumerate(ours)}
    recoding = [positions.get(value, UNSEEN) for value in theirs]
    if UNSEEN in recoding:
        spellings = _spellings(ours)
        recoding = [
            spellings.get(_exactly(value), UNSEEN) if code == UNSEEN else code
            for code, value in zip(recoding, theirs, strict=True)
        ]
    # The two last places are what −2 and −1 pick.
    return np.array([*recoding, UNSEEN, MISSING], dtype=np.int32)[codes]


def _exactly(text: str) -> float | Decimal | None:
    """The number a text says, without the rounding that makes large ones equal."""
    number = number_in(text)
    if number is None or not math.isfinite(number) or abs(number) < EXACT:
        return number
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return number


def _spellings(values: tuple[str, ...]) -> dict[float | Decimal | None, int]:
    """Another spelling of the same number or truth value ('01' as 1, 'true' as True), if it is but one."""
    places: dict[float | Decimal | None, int] = {}
    for code, value in enumerate(values):
        number = _exactly(value)
        if number is not None:
            places[number] = UNSEEN if number in places else code
    return places
