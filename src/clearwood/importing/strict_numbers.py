"""Model files of other programs as data: JSON and lists of numbers, each refused in a sentence with its
place."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from clearwood.errors import ModelFileError
from clearwood.importing.importer import Content


def json_in(content: Content) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        data = json.loads(content.data.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise ModelFileError(f"{content.where}: not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        raise ModelFileError(
            f"{content.where}: line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}. Is it "
            "cut off? Save the model again."
        ) from None
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{content.where}: this JSON cannot be read: {error}.") from None
    if not isinstance(data, dict):
        raise ModelFileError(f"{content.where}: the model must be a JSON object.")
    return data


def _no_constant(name: str) -> float:
    return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}[name]


class PartReader:
    """What a part of a file holds, asked for by name and kind; `where` names the part in sentences."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self.data, self.where = data, where

    def part(self, name: str) -> PartReader:
        """A part of its own."""
        value = self._get(name)
        if not isinstance(value, Mapping):
            self._refuse(name, "an object")
        return PartReader(value, f"{self.where}, {name}")

    def parts(self, name: str) -> list[PartReader]:
        """A list of parts."""
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
            self._refuse(name, "a list of objects")
        return [PartReader(each, f"{self.where}, {name}[{place}]") for place, each in enumerate(value)]

    def text(self, name: str, default: str | None = None) -> str:
        value = self.data.get(name, default)
        if not isinstance(value, str):
            self._refuse(name, "text")
        return value

    def whole(self, name: str, default: int | None = None) -> int:
        """A whole number, also where it is written as text."""
        value = self.data.get(name, default)
        try:
            if isinstance(value, bool):
                raise ValueError
            return int(value)
        except (TypeError, ValueError, OverflowError):
            self._refuse(name, "a whole number")

    def number(self, name: str) -> float:
        """A finite number."""
        return self._finite(name, self._get(name))

    def numbers(self, name: str, length: int | None = None) -> list[float]:
        """Finite numbers, as many as they must be."""
        values = self._list(name, length)
        return [self._finite(f"{name}[{place}]", each) for place, each in enumerate(values)]

    def wholes(self, name: str, length: int | None = None) -> list[int]:
        """Whole numbers, as many as they must be; true is 1."""
        values = self._list(name, length)
        if not all(isinstance(each, int) for each in values):
            self._refuse(name, "whole numbers")
        return [int(each) for each in values]

    def names(self, name: str) -> list[str]:
        """Texts, none where there is no such list."""
        values = self.data.get(name) or []
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            self._refuse(name, "a list of names")
        return values

    def _list(self, name: str, length: int | None) -> Sequence[Any]:
        values = self._get(name)
        if not isinstance(values, list):
            self._refuse(name, "a list")
        if length is not None and len(values) != length:
            self._refuse(name, f"{length} numbers, not {len(values)}")
        return values

    def _get(self, name: str) -> Any:
        if name not in self.data:
            raise ModelFileError(f"{self.where}: there is no '{name}'.")
        return self.data[name]

    def _finite(self, name: str, value: Any) -> float:
        try:
            if isinstance(value, bool | str):
                raise TypeError
            number = float(value)
        except (TypeError, OverflowError):
            self._refuse(name, "a number")
        if not math.isfinite(number):
            self._refuse(name, "a finite number")
        return number

    def _refuse(self, name: str, demand: str) -> NoReturn:
        raise ModelFileError(f"{self.where}: '{name}' must be {demand}.")
