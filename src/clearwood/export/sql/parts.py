"""What a formula is made of: the formulas and tests within it, and the same with others in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, assert_never

from clearwood.formulas import expressions as f
from clearwood.models.program.program import ProgramStep

FormulaPart: TypeAlias = f.Expression | f.StepTest


def formulas_within(part: FormulaPart) -> tuple[FormulaPart, ...]:
    """The formulas and tests right within one."""
    match part:
        case f.Sum(inner) | f.Product(inner) | f.Extreme(_, inner):
            return inner
        case f.Quotient(left, right) | f.Compared(left, _, right):
            return (left, right)
        case f.Exp(of) | f.Log(of) | f.Absolute(of) | f.Floor(of) | f.Negative(of):
            return (of,)
        case f.Choose(cases, otherwise):
            return (*(each for case in cases for each in (case.when, case.then)), otherwise)
        case f.AllOf(tests) | f.AnyOf(tests):
            return tests
        case (
            f.Number()
            | f.CellNumber()
            | f.Earlier()
            | f.Lookup()
            | f.PlaceOfValue()
            | f.PlaceOfNumber()
            | f.LogOfBells()
            | f.LogOfWords()
            | f.Holds()
        ):
            return ()
        case f.ValueOf() | f.Symbol() | f.Power() | f.Root() | f.Binomial() | f.Applied() | f.Over():
            raise AssertionError(f"a program has no {type(part).__name__}")
        case _:
            assert_never(part)


def everything_in(part: FormulaPart) -> Iterator[FormulaPart]:
    """A formula and all that stands within it."""
    waiting = [part]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(formulas_within(one))


def steps_used(step: ProgramStep) -> set[str]:
    """The steps that a step is worked out from."""
    used = set()
    for root in (step.value, step.when):
        for part in () if root is None else everything_in(root):
            if isinstance(part, f.Earlier):
                used.add(part.step)
            elif isinstance(part, f.Lookup):
                used.add(part.at)
    return used


def cells_used(step: ProgramStep) -> set[str]:
    """The columns that a step asks for."""
    used = set()
    for root in (step.value, step.when):
        for part in () if root is None else everything_in(root):
            if isinstance(
                part, f.CellNumber | f.PlaceOfValue | f.PlaceOfNumber | f.LogOfBells | f.LogOfWords
            ):
                used.add(part.name)
            elif isinstance(part, f.Holds):
                used.add(part.condition.name)
    return used


def rewritten(formula: f.Expression, rewrite: Callable[[f.Expression], f.Expression]) -> f.Expression:
    """The formula from within: each formula in it is put through `rewrite`, the innermost first."""

    def each(inner: f.Expression) -> f.Expression:
        return rewritten(inner, rewrite)

    match formula:
        case f.Sum(terms):
            formula = f.Sum(tuple(map(each, terms)))
        case f.Product(factors):
            formula = f.Product(tuple(map(each, factors)))
        case f.Extreme(_, of):
            formula = f.Extreme("max", tuple(map(each, of)))
        case f.Negative(inner):
            formula = f.Negative(each(inner))
        case f.Quotient(over, under):
            formula = f.Quotient(each(over), each(under))
        case f.Exp(inner):
            formula = f.Exp(each(inner))
        case f.Log(inner):
            formula = f.Log(each(inner), "e")
        case f.Absolute(inner):
            formula = f.Absolute(each(inner))
        case f.Floor(inner):
            formula = f.Floor(each(inner))
        case f.Choose(cases, otherwise):
            formula = f.Choose(
                tuple(f.ChoiceCase(rewritten_test(case.when, rewrite), each(case.then)) for case in cases),
                each(otherwise),
            )
        case _:
            pass
    return rewrite(formula)


def rewritten_test(test: f.StepTest, rewrite: Callable[[f.Expression], f.Expression]) -> f.StepTest:
    """The test with each formula in it put through `rewrite`."""
    match test:
        case f.Compared(left, sign, right):
            return f.Compared(rewritten(left, rewrite), sign, rewritten(right, rewrite))
        case f.AllOf(tests):
            return f.AllOf(tuple(rewritten_test(each, rewrite) for each in tests))
        case f.AnyOf(tests):
            return f.AnyOf(tuple(rewritten_test(each, rewrite) for each in tests))
        case f.Holds():
            return test
        case _:
            assert_never(test)
