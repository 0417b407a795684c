"""Numbers in derivations: counts as they are put in, and what a sentence says of a number."""

from __future__ import annotations

import math
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


def short(value: float) -> str:
    """A number as a sentence says it: three decimals, or three digits where those would say nothing.

    >>> short(0.24674981977443933), short(1.0), short(0.0000123456), short(0.0)
    ('0.247', '1', '1.23×10⁻⁵', '0')
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    if abs(value) >= 0.001 or not math.isfinite(value):
        return f"{value:.3f}"
    digits, _, tens = f"{value:.3g}".partition("e")
    return digits if not tens else f"{digits}×10{str(int(tens)).translate(_UP)}"


def rows_said(weight: float) -> str:
    """5 rows, 1 row, rows of weight 2.5."""
    if weight != int(weight):
        return f"rows of weight {short(weight)}"
    return "1 row" if weight == 1 else f"{int(weight):,} rows"
