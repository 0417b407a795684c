"""What a calculation adds to its value: nothing where it is the value itself, or the fraction as written."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Compared,
    Exp,
    Expression,
    Extreme,
    Log,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    ValueOf,
)


def is_value_itself(put_in: Expression) -> bool:
    """Is nothing left to calculate?"""
    match put_in:
        case Number() | ValueOf() | Symbol():
            return True
        case Sum((only,)) | Product((only,)):
            return is_value_itself(only)
        case Sum() | Product() | Negative() | Quotient() | Power() | Exp() | Log() | Root() | Binomial():
            return False
        case Extreme() | Applied() | Over() | Compared():
            return False
        case _:
            assert_never(put_in)


def is_written_so(put_in: Expression, exact: Fraction) -> bool:
    """Is the calculation this very fraction?"""
    return put_in == Quotient(Number(exact.numerator), Number(exact.denominator))
