"""Numbers in derivations: counts as they are put in, and numbers as a sentence writes them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from clearwood.formulas.expressions import Number, Quotient

_UP: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@lru_cache(maxsize=1 << 14)
def count(weight: float) -> Number:
    """A weight as it is put in: 9, not 9.0.

    >>> count(9.0), count(2.5)
    (Number(value=9), Number(value=2.5))
    """
    return Number(int(weight)) if weight == int(weight) else Number(weight)


@lru_cache(maxsize=1 << 14)
def part(weight: float, total: float) -> Quotient:
    """9/14"""
    return Quotient(count(weight), count(total))
