"""Expressions and numbers as JSON: arrays that begin with what they are, short for there are thousands."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final, assert_never

from clearwood.formulas import expressions as ex

_LARGEST: Final = 2**53  # from here on, a reader of JSON may hold another number


def number_to_json(value: int | float | Fraction) -> Any:
    """A number; a fraction as [top, bottom], what JSON has no number for as [text].

    >>> [number_to_json(x) for x in (14.0, 0.25, Fraction(9, 14), math.inf, math.nan, 2**60)]
    [14, 0.25, [9, 14], ['inf'], ['nan'], ['1152921504606846976']]
    """
    if isinstance(value, float) and not math.isfinite(value):
        return [str(value)]
    if value == int(value):
        return int(value) if -_LARGEST < value < _LARGEST else [str(int(value))]
    if isinstance(value, Fraction):
        parts = value.numerator, value.denominator
        return list(parts) if max(map(abs, parts)) < _LARGEST else list(map(str, parts))
    return value


def expression_to_json(expression: ex.Expression) -> Any:
    """The expression as an array; a plain number as itself.

    >>> part = ex.Quotient(ex.Number(9), ex.Number(14))
    >>> expression_to_json(ex.Product((part, ex.Log(ex.Symbol("p", "c")))))
    ['*', ['/', 9, 14], ['log', '2', ['symbol', 'p', 'c']]]
    """
    match expression:
        case ex.Number(value):
            written = number_to_json(value)
            return ["number", written] if isinstance(written, list) else written
        case ex.ValueOf(name, value):
            return ["named", name, number_to_json(value)]
        case ex.Symbol(name, below):
            return ["symbol", name, below] if below else ["symbol", name]
        case ex.Sum(terms):
            return ["+", *map(expression_to_json, terms)]
        case ex.Negative(of):
            return ["neg", expression_to_json(of)]
        case ex.Product(factors):
            return ["*", *map(expression_to_json, factors)]
        case ex.Quotient(top, bottom):
            return ["/", expression_to_json(top), expression_to_json(bottom)]
        case ex.Power(base, exponent):
            return ["^", expression_to_json(base), expression_to_json(exponent)]
        case ex.Exp(of):
            return ["exp", expression_to_json(of)]
        case ex.Log(of, base):
            return ["log", base, expression_to_json(of)]
        case ex.Root(of):
            return ["root", expression_to_json(of)]
        case ex.Binomial(of, taken):
            return ["binomial", expression_to_json(of), expression_to_json(taken)]
        case ex.Extreme(which, of):
            return [which, *map(expression_to_json, of)]
        case ex.Applied(function, to, value):
            value_json = [] if value is None else [number_to_json(value)]
            return ["call", function, [expression_to_json(each) for each in to], *value_json]
        case ex.Over(sign, index, of):
            return ["over", sign, index, expression_to_json(of)]
        case ex.Compared(left, sign, right):
            return ["compare", sign, expression_to_json(left), expression_to_json(right)]
        case _:
            assert_never(expression)
