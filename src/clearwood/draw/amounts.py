"""Amounts in few letters: shares in per cent, weights of rows, figures, how many of what."""

from __future__ import annotations


def percent(share: float) -> str:
    """Whole per cent, but never 0 or 100 for what is only close to it.

    >>> percent(0.643), percent(0.999), percent(1.0)
    ('64', '>99', '100')
    """
    text = f"{100 * share:.0f}"
    return "<1" if text == "0" and share > 0 else ">99" if text == "100" and share < 1 else text


def rows(weight: float) -> str:
    """A weight to one decimal, whole where it is whole.

    >>> rows(14.0), rows(2.57)
    ('14', '2.6')
    """
    return f"{weight:.1g}" if 0 < weight < 0.05 else f"{weight:.1f}".removesuffix(".0")


def figure(value: float) -> str:
    """A number to four places, whole where it is whole.

    >>> figure(23.0), figure(23.45678)
    ('23', '23.46')
    """
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e9 else f"{value:.4g}"


def many(count: int, one: str, several: str) -> str:
    """A number of things.

    >>> many(1, "leaf", "leaves"), many(1200, "leaf", "leaves")
    ('1 leaf', '1,200 leaves')
    """
    return f"{count:,} {one if count == 1 else several}"
