"""What a calculation adds to its value: nothing where it is the value itself, or the fraction as written."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from clearwood.formulas import expressions as ex


def is_value_itself(put_in: ex.Expression) -> bool:
    """Is nothing left to calculate?"""
    match put_in:
        case ex.Number() | ex.ValueOf() | ex.Symbol():
            return True
        case ex.Sum((only,)) | ex.Product((only,)):
            return is_value_itself(only)
        case ex.Sum() | ex.Product() | ex.Negative() | ex.Quotient() | ex.Power() | ex.Exp() | ex.Log():
            return False
        case ex.Root() | ex.Binomial() | ex.Extreme() | ex.Applied() | ex.Over() | ex.Compared():
            return False
        case _:
            assert_never(put_in)


def is_written_so(put_in: ex.Expression, exact: Fraction) -> bool:
    """Is the calculation this very fraction?"""
    return put_in == ex.Quotient(ex.Number(exact.numerator), ex.Number(exact.denominator))
