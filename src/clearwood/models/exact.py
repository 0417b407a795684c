"""Exact sums: whole numbers, or fractions where weights are none, so that adding has no order."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

Exact: TypeAlias = int | Fraction

_BITS_KEPT: Final = 256


def exact(value: float | Exact) -> Exact:
    """A number without loss: every float is a fraction whose denominator is a power of two.

    >>> exact(2.0), exact(0.5), exact(0.1) * 10 == 1
    (2, Fraction(1, 2), False)
    """
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def scaled(number: int, exponent: int) -> Exact:
    """number × 2^exponent.

    >>> scaled(12, -2), scaled(3, -1)
    (3, Fraction(3, 2))
    """
    if exponent >= 0 or not number:
        return number << max(exponent, 0)
    twos = min((number & -number).bit_length() - 1, -exponent)
    number, exponent = number >> twos, exponent + twos
    return Fraction(number, 1 << -exponent) if exponent else number


def total(values: Iterable[Exact]) -> Exact:
    """The sum."""
    return exact(sum(values, start=Fraction(0)))


def faded(value: Exact, decay: float, *, up: bool = False) -> Exact:
    """value × decay, to 256 bits, toward zero or `up`: fading often must not make numbers of a thousand
    digits.

    >>> faded(8, 0.5), faded(3, 0.5)
    (4, Fraction(3, 2))
    """
    product = Fraction(value) * Fraction(decay)
    if product.denominator.bit_length() <= _BITS_KEPT:
        return exact(product)
    unit = Fraction(2) ** (product.numerator.bit_length() - product.denominator.bit_length() - _BITS_KEPT)
    return exact((math.ceil if up else math.trunc)(product / unit) * unit)
