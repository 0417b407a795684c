"""The fields of a model file, read strictly: what is not as it must be is refused with its place."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from clearwood.errors import ModelFileError, no_such


def refuse(where: str, demand: str, found: object) -> NoReturn:
    """One sentence: the place, what should be there, and what is."""
    shown = repr(found)
    raise ModelFileError(f"{where} {demand}, not {shown if len(shown) <= 60 else shown[:57] + '…'}.")


def fields(data: Any, where: str, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> None:
    """Refuse what is not an object with just these fields."""
    if not isinstance(data, dict):
        refuse(where, "must be an object", data)
    for key in required:
        if key not in data:
            raise ModelFileError(f"{where}: '{key}' is missing.")
    for key in data:
        if key not in required and key not in optional:
            raise ModelFileError(f"{where}: {no_such('field', key, (*required, *optional))}")


def as_list(data: Any, where: str) -> list[Any]:
    """Refuse what is not a list."""
    if type(data) is not list:
        refuse(where, "must be a list", data)
    return data


def as_number(
    value: Any, where: str, key: str, low: float = -sys.float_info.max, high: float = sys.float_info.max
) -> float:
    """Refuse what is not a number in these bounds."""
    if type(value) not in (int, float) or not low <= value <= high:
        span = f" from {low:g} to {high:g}" if high == 1.0 else " ≥ 0" if low == 0.0 else ""
        refuse(f"{where}.{key}", f"must be a finite number{span}", value)
    return float(value)
