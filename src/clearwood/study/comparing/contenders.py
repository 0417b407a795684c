"""Contenders: what is compared, each under a name of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from clearwood.errors import SettingError

T = TypeVar("T")


def named_contenders(what: str, given: Mapping[str, T] | Sequence[T], names: Sequence[str]) -> dict[str, T]:
    """By name: as given, or under these names, numbered where two are alike; a sentence if there are not two.

    >>> named_contenders("models", ["x", "y"], ["CART", "CART"])
    {'CART 1': 'x', 'CART 2': 'y'}
    """
    if isinstance(given, Mapping):
        named = dict(given)
    else:
        seen: dict[str, int] = {}
        named = {}
        for name, each in zip(names, given, strict=True):
            seen[name] = seen.get(name, 0) + 1
            named[f"{name} {seen[name]}" if names.count(name) > 1 else name] = each
    if len(named) < 2:
        raise SettingError(f"A comparison needs at least two {what}, and {len(named)} given. Add another.")
    return named


def contender_pairs(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every pair of names, in order."""
    yield from combinations(names, 2)
