"""An importer: which sources it knows, and how it reads them."""

from __future__ import annotations

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
        return self.data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
