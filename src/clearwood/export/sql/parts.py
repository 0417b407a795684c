"""What a formula is made of: the formulas and tests within it, and the same with others in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, assert_never

from clearwood.models.program import formula as f
from clearwood.models.program.program import ProgramStep

FormulaPart: TypeAlias = f.StepFormula | f.StepTest


def formulas_within(part: FormulaPart) -> tuple[FormulaPart, ...]:
    """The formulas and tests right within one."""
    match part:
        case f.Total(inner) | f.Multiplied(inner) | f.Largest(inner):
            return inner
        case f.Minus(left, right) | f.Divided(left, right) | f.Compare(left, _, right):
            return (left, right)
        case f.ExpOf(of) | f.LogOf(of) | f.Absolute(of) | f.FloorOf(of):
            return (of,)
        case f.Choose(cases, otherwise):
            return (*(each for case in cases for each in (case.when, case.then)), otherwise)
        case f.AllOf(tests) | f.AnyOf(tests):
            return tests
        case (
            f.Constant()
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


def rewritten(formula: f.StepFormula, rewrite: Callable[[f.StepFormula], f.StepFormula]) -> f.StepFormula:
    """The formula from within: each formula in it is put through `rewrite`, the innermost first."""

    def each(inner: f.StepFormula) -> f.StepFormula:
        return rewritten(inner, rewrite)

    match formula:
        case f.Total(terms):
            formula = f.Total(tuple(map(each, terms)))
        case f.Multiplied(factors):
            formula = f.Multiplied(tuple(map(each, factors)))
        case f.Largest(of):
            formula = f.Largest(tuple(map(each, of)))
        case f.Minus(left, right):
            formula = f.Minus(each(left), each(right))
        case f.Divided(over, under):
            formula = f.Divided(each(over), each(under))
        case f.ExpOf(inner):
            formula = f.ExpOf(each(inner))
        case f.LogOf(inner):
            formula = f.LogOf(each(inner))
        case f.Absolute(inner):
            formula = f.Absolute(each(inner))
        case f.FloorOf(inner):
            formula = f.FloorOf(each(inner))
        case f.Choose(cases, otherwise):
            formula = f.Choose(
                tuple(f.ChoiceCase(rewritten_test(case.when, rewrite), each(case.then)) for case in cases),
                each(otherwise),
            )
        case _:
            pass
    return rewrite(formula)


def rewritten_test(test: f.StepTest, rewrite: Callable[[f.StepFormula], f.StepFormula]) -> f.StepTest:
    """The test with each formula in it put through `rewrite`."""
    match test:
        case f.Compare(left, sign, right):
            return f.Compare(rewritten(left, rewrite), sign, rewritten(right, rewrite))
        case f.AllOf(tests):
            return f.AllOf(tuple(rewritten_test(each, rewrite) for each in tests))
        case f.AnyOf(tests):
            return f.AnyOf(tuple(rewritten_test(each, rewrite) for each in tests))
        case f.Holds():
            return test
        case _:
            assert_never(test)
