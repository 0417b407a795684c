"""Expressions come to what arithmetic says, and exactly where it is exact."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    exact_of,
    value_of,
)

numbers = st.integers(-50, 50).map(Number)


def joined(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(parts, min_size=1, max_size=4).map(tuple)
    return st.one_of(
        several.map(Sum),
        several.map(Product),
        parts.map(Negative),
        st.tuples(parts, parts).map(lambda two: Quotient(*two)),
        several.map(lambda each: Extreme("max", each)),
    )


@given(st.recursive(numbers, joined, max_leaves=12))
def test_the_exact_value_is_the_value(expression: Expression) -> None:
    exact = exact_of(expression)
    if exact is not None:
        assert value_of(expression) == pytest.approx(float(exact), rel=1e-9, abs=1e-9)


def test_nothing_times_the_log_of_nothing_is_nothing() -> None:
    nothing = Quotient(Number(0), Number(4))
    assert value_of(Product((nothing, Log(nothing)))) == 0
    assert exact_of(Product((nothing, Log(nothing)))) == 0


@pytest.mark.parametrize(("of", "log"), [(Fraction(1), 0), (Fraction(1, 2), -1), (Fraction(8), 3)])
def test_logs_of_powers_of_two_are_exact(of: Fraction, log: int) -> None:
    assert exact_of(Log(Number(of))) == log


@pytest.mark.parametrize("of", [Fraction(9, 14), Fraction(0), Fraction(-2), Fraction(3)])
def test_other_logs_are_not(of: Fraction) -> None:
    assert exact_of(Log(Number(of))) is None


def test_a_number_that_is_not_whole_is_not_exact_unless_it_is_a_fraction() -> None:
    assert exact_of(Number(0.1)) is None
    assert exact_of(Number(3.0)) == 3
    assert exact_of(Number(Fraction(1, 10))) == Fraction(1, 10)


def test_a_formula_has_no_value() -> None:
    assert math.isnan(value_of(Sum((Symbol("p", "c"), Number(1)))))


def test_dividing_by_nothing_is_no_error() -> None:
    assert exact_of(Quotient(Number(1), Number(0))) is None
    assert value_of(Quotient(Number(1), Number(0))) == math.inf
    assert math.isnan(value_of(Quotient(Number(0), Number(0))))


def test_powers_roots_functions_and_comparisons() -> None:
    assert value_of(Root(Power(Number(3), Number(2)))) == 3
    assert exact_of(Power(Quotient(Number(2), Number(3)), Number(2))) == Fraction(4, 9)
    assert value_of(Applied("tail", (Number(7.99),), 0.0047)) == 0.0047
    assert value_of(Compared(Number(0.25), "≥", Number(0.2))) == 1
    assert value_of(Compared(Number(0.25), "<", Number(0.2))) == 0


def test_what_has_no_value_is_not_a_crash() -> None:
    endless = Quotient(Number(1), Number(0))
    for each in (
        Root(Number(-1)),
        Log(Number(-1)),
        Sum((endless, Negative(endless))),
        Compared(Symbol("p"), "<", Number(1)),
        Extreme("max", (Symbol("p"), Number(1))),
        Power(Number(-8), Quotient(Number(1), Number(3))),
    ):
        assert math.isnan(value_of(each))
    assert value_of(Exp(Number(1000))) == math.inf
    assert value_of(Power(Number(0), Number(-1))) == math.inf


def test_rounding_does_not_decide_a_comparison_of_fractions() -> None:
    tenth = Quotient(Number(1), Number(10))
    fifth = Quotient(Number(2), Number(10))
    assert value_of(Compared(Sum((tenth, fifth)), "=", Quotient(Number(3), Number(10)))) == 1


def test_an_entropy_of_nothing_is_not_negative() -> None:
    pure = Negative(Product((Quotient(Number(4), Number(4)), Log(Quotient(Number(4), Number(4))))))
    assert math.copysign(1, value_of(pure)) == 1


def test_ways_to_choose() -> None:
    assert value_of(Binomial(Number(9), Number(2))) == 36
    assert exact_of(Binomial(Number(9), Number(2))) == 36


def test_deep_products_are_not_slow() -> None:
    deep: Expression = Number(2)
    for _ in range(60):
        deep = Product((deep, Number(1)))
    assert exact_of(deep) == 2
