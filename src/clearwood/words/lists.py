"""Several names in a sentence."""

from __future__ import annotations

from collections.abc import Iterable


def with_and(names: Iterable[str]) -> str:
    """Names with commas between, and "and" before the last.

    >>> with_and(["ID3", "CART", "CHAID"]), with_and(["CART"])
    ('ID3, CART and CHAID', 'CART')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
