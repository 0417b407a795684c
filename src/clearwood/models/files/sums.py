"""Exact sums as JSON: a number where JSON holds it exactly, else the text of its fraction, "1/3"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from clearwood.models.exact import Exact, exact
from clearwood.models.files.places import Misplaced, at, wrong

_DEMAND: Final = "must be a finite number or the text of a fraction"
_FRACTION: Final = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")
_HELD_BY_JSON: Final = 1 << 53

SUM: TypeAlias = Annotated[
    int | float | Annotated[str, Meta(pattern=r"^-?[0-9]+(/[0-9]+)?$")],
    Meta(
        description="An exact sum: a number, or a fraction as text where no number holds it.",
        extra={"demand": _DEMAND},
    ),
]


def sum_to_json(value: Exact) -> int | float | str:
    """A sum as JSON holds it without loss.

    >>> sum_to_json(3), sum_to_json(Fraction(5, 2)), sum_to_json(Fraction(1, 3))
    (3, 2.5, '1/3')
    """
    if isinstance(value, int) and abs(value) <= _HELD_BY_JSON:
        return value
    try:
        near = float(value)
    except OverflowError:
        return str(value)
    return near if Fraction(near) == value else str(value)


def sum_from_json(value: int | float | str) -> Exact:
    """What `sum_to_json` wrote.

    >>> sum_from_json("1/3"), sum_from_json(2.5)
    (Fraction(1, 3), Fraction(5, 2))
    """
    if type(value) is int:
        return value
    if type(value) is float and math.isfinite(value):
        return int(value) if value.is_integer() else Fraction(*value.as_integer_ratio())
    if isinstance(value, str) and not _FRACTION.fullmatch(value):
        raise wrong(_DEMAND, value)
    try:
        return exact(Fraction(value))
    except (ZeroDivisionError, OverflowError, ValueError):
        raise wrong(_DEMAND, value) from None


def row_to_json(row: tuple[Exact, ...]) -> Sequence[int | float | str]:
    """The sums of a row."""
    if {*map(type, row)} <= {int} and -_HELD_BY_JSON <= min(row, default=0) <= max(
        row, default=0
    ) <= _HELD_BY_JSON:
        return row  # type: ignore[return-value]
    return [sum_to_json(each) for each in row]


def row_from_json(values: tuple[Any, ...]) -> tuple[Exact, ...]:
    """The sums of a row; refused if no float can hold what they add up to."""
    if {*map(type, values)} <= {int}:  # nearly always; a vocabulary has a million of them
        check_reach((sum(map(abs, values)),))
        return values
    row = tuple(at(i, sum_from_json, each) for i, each in enumerate(values))
    check_reach(row)
    return row


def check_reach(row: Iterable[Exact]) -> None:
    """Refuse exact numbers whose sum no float can hold."""
    try:
        math.fsum(map(abs, map(float, row)))
    except OverflowError:
        raise Misplaced(" holds a number that is too large.") from None
