"""What a test knows of a type and mypy cannot: results of one kind, and values given wrongly on purpose."""

from __future__ import annotations

from typing import Any, TypeVar

from clearwood.table.attributes import Attribute, Nominal, Ordinal

T = TypeVar("T")


def sure(kind: type[T], thing: object) -> T:
    """The same thing, whose kind the test knows."""
    assert isinstance(thing, kind), f"{type(thing).__name__} is no {kind.__name__}"
    return thing


def mistyped(value: object) -> Any:
    """A value that its place does not take by type, as a user may give it all the same."""
    return value


def values_of(attribute: Attribute) -> tuple[str, ...]:
    """The values of a column that has some."""
    assert isinstance(attribute, Nominal | Ordinal)
    return attribute.values
