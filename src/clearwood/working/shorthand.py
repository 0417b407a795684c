"""Shorthand: the few phrases of which most figures' expressions are put together."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from clearwood.formulas.expressions import Expression, Negative, Number, Sum, ValueOf
from clearwood.working.figures import Figure

_LARGEST_DENOMINATOR: Final = 1000
_LARGEST_TO_CARRY_ON: Final = 10**12


def named(figure: Figure) -> ValueOf:
    """A figure's value inside another's expression, as a fraction where it is one."""
    assert isinstance(figure.value, int | float)
    exact = figure.exact
    if exact is not None and exact.denominator <= _LARGEST_TO_CARRY_ON:
        return ValueOf(figure.name, exact)
    return ValueOf(figure.name, figure.value)


def plain(value: int | float | Fraction) -> Number:
    """A number as a person has it: whole if it is, a fraction if its denominator is small.

    >>> plain(2.0), plain(Fraction(1, 2)), plain(Fraction(0.1))
    (Number(value=2), Number(value=Fraction(1, 2)), Number(value=0.1))
    """
    if isinstance(value, float) and not math.isfinite(value):
        return Number(value)
    if value == int(value):
        return Number(int(value))
    if isinstance(value, Fraction) and value.denominator <= _LARGEST_DENOMINATOR:
        return Number(value)
    return Number(float(value))


def less(one: Expression, other: Expression) -> Sum:
    """one − other"""
    return Sum((one, Negative(other)))
