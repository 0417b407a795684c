"""A condition on many values in few words: the first of them by name, the rest counted."""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.models.conditions import Condition, OneOf, all_of


def shortened(condition: Condition, most: int) -> Condition:
    """The condition with at most so many values named, the rest counted.

    >>> print(shortened(OneOf("Port", ("Cork", "Oslo", "Riga", "Pisa")), 3))
    Port in {Cork, Oslo, … 2 more}
    """
    if isinstance(condition, OneOf) and len(condition.values) > most:
        rest = len(condition.values) - most + 1
        named = (*condition.values[: most - 1], f"… {rest} more")
        return OneOf(condition.name, named, condition.or_missing)
    return condition


def all_of_shortened(conditions: Sequence[Condition], most: int) -> str:
    """The conditions joined by AND, each of them shortened."""
    return all_of([shortened(each, most) for each in conditions])
