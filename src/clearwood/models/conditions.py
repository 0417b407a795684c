"""Conditions: what a branch or a rule asks of a row. The condition printed is the condition evaluated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clearwood.models.words import written
from clearwood.words.numbers import number


@dataclass(frozen=True, slots=True)
class Equals:
    """`Outlook = Sunny`"""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{written(self.name)} = {written(self.value)}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """`Outlook in {Sunny, Rainy}`, and with `or_missing` an empty cell too: `Outlook = Sunny or missing`."""

    name: str
    values: tuple[str, ...]
    or_missing: bool = False

    def __str__(self) -> str:
        if self.or_missing and len(self.values) == 1:
            return f"{written(self.name)} = {written(self.values[0])} or missing"
        values = ", ".join(map(written, self.values))
        return f"{written(self.name)} in {{{values}}}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class AtMost:
    """`Humidity ≤ 75`; with an infinite limit `Humidity is known`."""

    name: str
    limit: float
    or_missing: bool = False

    def __str__(self) -> str:
        test = "is known" if self.limit == math.inf else f"≤ {number(self.limit)}"
        return f"{written(self.name)} {test}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class Above:
    """`Humidity > 75`"""

    name: str
    limit: float
    or_missing: bool = False

    def __str__(self) -> str:
        return f"{written(self.name)} > {number(self.limit)}" + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class Between:
    """`23 < Age ≤ 31`"""

    name: str
    above: float
    at_most: float
    or_missing: bool = False

    def __str__(self) -> str:
        bounds = f"{number(self.above)} < {written(self.name)} ≤ {number(self.at_most)}"
        return bounds + _or_missing(self.or_missing)


@dataclass(frozen=True, slots=True)
class IsMissing:
    """`Humidity is missing`"""

    name: str

    def __str__(self) -> str:
        return f"{written(self.name)} is missing"


Condition: TypeAlias = Equals | OneOf | AtMost | Above | Between | IsMissing


def holds(condition: Condition, value: str | float | None) -> bool:
    """Does this cell satisfy the condition? None and NaN are missing.

    >>> holds(AtMost("Humidity", 75.0), 70.0), holds(OneOf("Wind", ("Weak",), or_missing=True), None)
    (True, True)
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return isinstance(condition, IsMissing) or getattr(condition, "or_missing", False)
    match condition:
        case IsMissing():
            return False
        case Equals(_, wanted):
            return value == wanted
        case OneOf(_, values, _):
            return value in values
        case AtMost(_, limit, _):
            return float(value) <= limit
        case Above(_, limit, _):
            return float(value) > limit
        case Between(_, above, at_most, _):
            return above < float(value) <= at_most


def all_of(conditions: Sequence[Condition]) -> str:
    """The conditions joined by AND, those with an alternative in brackets where there are several.

    >>> print(all_of((OneOf("Wind", ("Weak",), or_missing=True), Above("Humidity", 75.0))))
    (Wind = Weak or missing) AND Humidity > 75
    """
    if len(conditions) == 1:
        return str(conditions[0])
    return " AND ".join(
        f"({each})" if getattr(each, "or_missing", False) else str(each) for each in conditions
    )


def takes_missing(condition: Condition) -> bool:
    """Does an empty cell satisfy it?"""
    return isinstance(condition, IsMissing) or getattr(condition, "or_missing", False)


def values_of(condition: Condition) -> frozenset[str]:
    """The values that satisfy it; none for a condition on numbers."""
    match condition:
        case Equals(_, value):
            return frozenset((value,))
        case OneOf(_, values, _):
            return frozenset(values)
        case _:
            return frozenset()


def bounds_of(condition: Condition) -> tuple[float, float]:
    """The numbers low < x ≤ high that satisfy it; (inf, −inf) where there are none."""
    match condition:
        case AtMost(_, limit, _):
            return -math.inf, limit
        case Above(_, limit, _):
            return limit, math.inf
        case Between(_, above, at_most, _):
            return above, at_most
        case _:
            return math.inf, -math.inf


def never_holds(condition: Condition) -> bool:
    """Is there no cell that satisfies it? Two conditions that exclude each other merge to such a one.

    >>> never_holds(OneOf("Wind", ())), never_holds(Between("Age", 50.0, 30.0))
    (True, True)
    """
    if getattr(condition, "or_missing", False):
        return False
    match condition:
        case OneOf(_, values):
            return not values
        case Between(_, above, at_most):
            return above >= at_most
        case AtMost(_, limit):
            return limit == -math.inf
        case Above(_, limit):
            return limit == math.inf
        case Equals() | IsMissing():
            return False


def one_of(name: str, values: tuple[str, ...], or_missing: bool = False) -> Condition:
    """The condition for these values: one, several, or none but a missing cell."""
    if not values:
        return IsMissing(name)
    return Equals(name, values[0]) if len(values) == 1 and not or_missing else OneOf(name, values, or_missing)


def interval(name: str, low: float, high: float, or_missing: bool = False) -> Condition:
    """The condition low < x ≤ high, with an infinite bound left unsaid."""
    if low == math.inf:
        return IsMissing(name)
    if low == -math.inf:
        return AtMost(name, high, or_missing)
    return Above(name, low, or_missing) if high == math.inf else Between(name, low, high, or_missing)


def _or_missing(joined: bool) -> str:
    return " or missing" if joined else ""
