"""JSON read strictly: what is not as it must be is refused with its place.

A file of models, a schema: each has its own error, with which a `Strict` is made.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, NoReturn

from clearwood.errors import ClearwoodError, no_such


@dataclass(frozen=True, slots=True)
class Strict:
    """Checks of fields; what they refuse is raised as `error`."""

    error: type[ClearwoodError]

    def refuse(self, where: str, demand: str, given: object) -> NoReturn:
        """One sentence: the place, what should be there, and what is."""
        shown = repr(given)
        raise self.error(f"{where} {demand}, not {shown if len(shown) <= 60 else shown[:57] + '…'}.")

    def fields(
        self, data: Any, where: str, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """An object with just these fields."""
        if not isinstance(data, dict):
            self.refuse(where, "must be an object", data)
        for key in required:
            if key not in data:
                raise self.error(f"{where}: '{key}' is missing.")
        for key in data:
            if key not in required and key not in optional:
                raise self.error(f"{where}: {no_such('field', str(key), (*required, *optional))}")
        return data

    def as_list(self, data: Any, where: str) -> list[Any]:
        """A list."""
        if type(data) is not list:
            self.refuse(where, "must be a list", data)
        return data

    def as_number(
        self,
        value: Any,
        where: str,
        key: str,
        low: float = -sys.float_info.max,
        high: float = sys.float_info.max,
    ) -> float:
        """A number in these bounds."""
        if type(value) not in (int, float) or not low <= value <= high:
            span = f" from {low:g} to {high:g}" if high == 1.0 else " ≥ 0" if low == 0.0 else ""
            self.refuse(f"{where}.{key}", f"must be a finite number{span}", value)
        return float(value)
