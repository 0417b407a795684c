"""What a column is: nominal, ordinal, numeric, text, or ignored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

AttributeKind: TypeAlias = Literal["nominal", "ordinal", "numeric", "text", "ignored"]


@dataclass(frozen=True, slots=True)
class Nominal:
    """Values without an order. The cells of the column are positions in `values`."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ordinal:
    """Values from low to high."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numeric:
    """Numbers; `cuts`, if given, are the only thresholds that a learner may use."""

    name: str
    cuts: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """Free text, one string per row."""

    name: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """A column that no learner sees, and the reason."""

    name: str
    because: str = "left out by hand"


Attribute: TypeAlias = Nominal | Ordinal | Numeric | Text | Ignored


def kind_of(attribute: Attribute) -> AttributeKind:
    """The word for an attribute's type, as the command line and the schema file write it."""
    match attribute:
        case Nominal():
            return "nominal"
        case Ordinal():
            return "ordinal"
        case Numeric():
            return "numeric"
        case Text():
            return "text"
        case Ignored():
            return "ignored"
        case _:
            assert_never(attribute)
