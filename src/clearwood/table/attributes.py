"""What a column is: nominal, ordinal, numeric, text, or ignored."""

import re
from collections.abc import Iterable
from typing import ClassVar, Final, Literal, TypeAlias

from clearwood.records import dataclass

AttributeKind: TypeAlias = Literal["nominal", "ordinal", "numeric", "text", "ignored"]

_BEGINNING: Final = re.compile(
    r"\s*[\[(]?\s*(?P<side><=?|>=?|≤|≥)?\s*"
    r"(?P<number>-inf(?![a-z])|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
)
_SIDES: Final = {"<": -2, "<=": -1, "≤": -1, None: 0, ">=": 1, "≥": 1, ">": 2}
_DIGITS: Final = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Nominal:
    """Values without an order. The cells of the column are positions in `values`."""

    kind: ClassVar[AttributeKind] = "nominal"

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ordinal:
    """Values from low to high."""

    kind: ClassVar[AttributeKind] = "ordinal"

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numeric:
    """Numbers; `cuts`, if given, are the only thresholds that a learner may use."""

    kind: ClassVar[AttributeKind] = "numeric"

    name: str
    cuts: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """Free text, one string per row."""

    kind: ClassVar[AttributeKind] = "text"

    name: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """A column that no learner sees, and the reason."""

    kind: ClassVar[AttributeKind] = "ignored"

    name: str
    because: str = "left out by hand"


Attribute: TypeAlias = Nominal | Ordinal | Numeric | Text | Ignored


def natural_order(values: Iterable[str]) -> tuple[str, ...]:
    """Values for which the source declares no order, in one that the order of rows has no part in.

    Those that begin with a number come first, by that number, and of equal ones what lies below it before
    what lies above; the others follow as texts, the numbers within them compared as numbers.

    >>> natural_order(["no checking", ">=200", "0<=X<200", "<0"])
    ('<0', '0<=X<200', '>=200', 'no checking')
    >>> natural_order(["Q10", "Q9", "10", "-9"])
    ('-9', '10', 'Q9', 'Q10')
    """
    return tuple(sorted(values, key=_natural))


def joined_values(ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """The values of two lists: in natural order if both lists are, else ours and then those that are new.

    >>> joined_values(("b", "d"), ("a", "b")), joined_values(("low", "high"), ("high", "extreme"))
    (('a', 'b', 'd'), ('low', 'high', 'extreme'))
    """
    joined = tuple(dict.fromkeys((*ours, *theirs)))
    natural = natural_order(ours) == ours and natural_order(theirs) == theirs
    return natural_order(joined) if natural else joined


def _natural(value: str) -> tuple[object, ...]:
    beginning = _BEGINNING.match(value)
    number, side = (0.0, 0) if beginning is None else (float(beginning["number"]), _SIDES[beginning["side"]])
    # Digits as they are, behind their length: whole numbers of thousands of digits are slow to make.
    parts = [
        part if place % 2 == 0 else (len(part.lstrip("0")), part.lstrip("0"))
        for place, part in enumerate(_DIGITS.split(value))
    ]
    return (beginning is None, number, side, parts, value)
