"""Several names in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def with_and(names: Iterable[str]) -> str:
    """Names with commas between, and "and" before the last.

    >>> with_and(["ID3", "CART", "CHAID"]), with_and(["CART"])
    ('ID3, CART and CHAID', 'CART')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def in_short(names: Sequence[str], joined: str = "and", most: int = 6) -> str:
    """The first of many names, and how many more there are.

    >>> in_short(["a", "b"], "or"), in_short("abcdefgh", most=3)
    ('a or b', 'a, b, c and 5 more')
    """
    left = len(names) - most
    if left > 0:
        return f"{', '.join(names[:most])} {joined} {left:,} more"
    return f" {joined} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
