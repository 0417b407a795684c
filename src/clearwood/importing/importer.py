"""An importer: which sources it knows, and how it reads them."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clearwood.importing.given import GivenNames
from clearwood.models.model import Model


@dataclass(frozen=True, slots=True)
class Importer:
    """`knows` says of an object, or of the `Content` of a file, whether it is of this origin; `read` makes a
    model of it. `about` says what it reads."""

    knows: Callable[[Any], bool]
    read: Callable[[Any, GivenNames], Model]
    about: str


@dataclass(frozen=True, slots=True)
class Content:
    """A model file of another program: its bytes, and its name for sentences."""

    data: bytes
    where: str

    @property
    def start(self) -> bytes:
        """Its beginning, without a byte-order mark and white space."""
        return self.first(4096).lstrip()

    def first(self, count: int) -> bytes:
        """Its first bytes, as UTF-8 where a byte-order mark says that they are UTF-16."""
        data = self.data[:count]
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return data.decode("utf-16", "ignore").encode("utf-8", "ignore")
        return data.removeprefix(codecs.BOM_UTF8)
