"""Model files of other programs as data, read strictly: JSON, lists of numbers, and Universal Binary JSON."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

import numpy as np

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


_DEEPEST: Final = 64
_MOST_PARTS: Final = 20_000_000
_WHOLES: Final = {b"i": ">b", b"U": ">B", b"I": ">h", b"l": ">i", b"L": ">q"}
_NUMBERS: Final = {**_WHOLES, b"d": ">f", b"D": ">d"}
_ARRAYS: Final = {b"i": ">i1", b"U": ">u1", b"I": ">i2", b"l": ">i4", b"L": ">i8", b"d": ">f4", b"D": ">f8"}
_CONSTANTS: Final = {b"Z": None, b"T": True, b"F": False}


def is_ubjson(content: Content) -> bool:
    """An object whose first key has its length in front, as no JSON does?"""
    return content.data[:1] == b"{" and content.data[1:2] in _WHOLES


def ubjson_in(content: Content) -> dict[str, Any]:
    """The object in a file.

    >>> ubjson_in(Content(b"{i\\x01a[$U#i\\x02\\x07\\x08i\\x01bSi\\x02hi}", "here"))
    {'a': [7, 8], 'b': 'hi'}
    """
    reader = _Reader(content)
    data = reader.value(reader.taken(1), 0)
    if not isinstance(data, dict):
        raise ModelFileError(f"{content.where}: the model must be an object.")
    if reader.at != len(content.data):
        raise reader.refusal(f"the model ends here, but {len(content.data) - reader.at:,} bytes follow")
    return data


class _Reader:
    """The bytes, and the place where reading is."""

    def __init__(self, content: Content) -> None:
        self.data, self.where, self.at, self.parts = content.data, content.where, 0, 0

    def refusal(self, because: str) -> ModelFileError:
        return ModelFileError(f"{self.where}: byte {self.at:,}: {because}.")

    def taken(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise self.refusal("the file is cut off. Save the model again")
        self.at += count
        return self.data[self.at - count : self.at]

    def value(self, marker: bytes, depth: int) -> Any:
        self.parts += 1
        if depth > _DEEPEST or self.parts > _MOST_PARTS:
            raise self.refusal(f"nested deeper than {_DEEPEST}, or more than {_MOST_PARTS:,} values")
        if marker in _NUMBERS:
            return self._number(marker)
        if marker in _CONSTANTS:
            return _CONSTANTS[marker]
        match marker:
            case b"S":
                return self._text()
            case b"{":
                return self._object(depth)
            case b"[":
                return self._array(depth)
        raise self.refusal(f"no value begins with {marker!r} in UBJSON")

    def _number(self, marker: bytes) -> int | float:
        form = _NUMBERS[marker]
        number: int | float = struct.unpack(form, self.taken(struct.calcsize(form)))[0]
        return number

    def _length(self) -> int:
        marker = self.taken(1)
        if marker not in _WHOLES:
            raise self.refusal(f"a length is a whole number, not {marker!r}")
        length = int(self._number(marker))
        if length < 0:
            raise self.refusal(f"a length is at least 0, not {length}")
        return length

    def _text(self) -> str:
        try:
            return self.taken(self._length()).decode()
        except UnicodeDecodeError:
            raise self.refusal("a text is not UTF-8") from None

    def _object(self, depth: int) -> dict[str, Any]:
        if self.data[self.at : self.at + 1] in (b"$", b"#"):
            raise self.refusal("an object with a type or a count is not read here")
        made: dict[str, Any] = {}
        while self.data[self.at : self.at + 1] != b"}":
            name = self._text()
            if name in made:
                raise self.refusal(f"'{name}' is there twice")
            made[name] = self.value(self.taken(1), depth + 1)
        self.at += 1
        return made

    def _array(self, depth: int) -> Sequence[Any]:
        kind = self.taken(2)[1:] if self.data[self.at : self.at + 1] == b"$" else b""
        if self.data[self.at : self.at + 1] == b"#":
            self.at += 1
            length = self._length()
            if kind:
                return self._typed(kind, length)
            return [self.value(self.taken(1), depth + 1) for _ in range(length)]
        if kind:
            raise self.refusal("an array of one type has a count")
        made = []
        while (marker := self.taken(1)) != b"]":
            made.append(self.value(marker, depth + 1))
        return made

    def _typed(self, kind: bytes, length: int) -> Sequence[Any]:
        if kind not in _ARRAYS:
            raise self.refusal(f"an array of {kind!r} is not read here")
        form = np.dtype(_ARRAYS[kind])
        numbers: list[Any] = np.frombuffer(self.taken(length * form.itemsize), form).tolist()
        self.parts += length
        return numbers
