"""What a formula is made of: the formulas and tests within it, and the same with others in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, assert_never

from clearwood.export.program.formula import (
    Absolute,
    AllOf,
    AnyOf,
    CellNumber,
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Divided,
    Earlier,
    ExpOf,
    FloorOf,
    Holds,
    Largest,
    LogOf,
    LogOfBells,
    LogOfWords,
    Lookup,
    Minus,
    Multiplied,
    PlaceOfNumber,
    PlaceOfValue,
    StepFormula,
    StepTest,
    Total,
)
from clearwood.export.program.program import ProgramStep

FormulaPart: TypeAlias = StepFormula | StepTest


def formulas_within(part: FormulaPart) -> tuple[FormulaPart, ...]:
    """The formulas and tests right within one."""
    match part:
        case Total(inner) | Multiplied(inner) | Largest(inner):
            return inner
        case Minus(left, right) | Divided(left, right) | Compare(left, _, right):
            return (left, right)
        case ExpOf(of) | LogOf(of) | Absolute(of) | FloorOf(of):
            return (of,)
        case Choose(cases, otherwise):
            return (*(each for case in cases for each in (case.when, case.then)), otherwise)
        case AllOf(tests) | AnyOf(tests):
            return tests
        case (
            Constant()
            | CellNumber()
            | Earlier()
            | Lookup()
            | PlaceOfValue()
            | PlaceOfNumber()
            | LogOfBells()
            | LogOfWords()
            | Holds()
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
            if isinstance(part, Earlier):
                used.add(part.step)
            elif isinstance(part, Lookup):
                used.add(part.at)
    return used


def cells_used(step: ProgramStep) -> set[str]:
    """The columns that a step asks for."""
    used = set()
    for root in (step.value, step.when):
        for part in () if root is None else everything_in(root):
            if isinstance(part, CellNumber | PlaceOfValue | PlaceOfNumber | LogOfBells | LogOfWords):
                used.add(part.name)
            elif isinstance(part, Holds):
                used.add(part.condition.name)
    return used


def rewritten(formula: StepFormula, rewrite: Callable[[StepFormula], StepFormula]) -> StepFormula:
    """The formula from within: each formula in it is put through `rewrite`, the innermost first."""

    def each(inner: StepFormula) -> StepFormula:
        return rewritten(inner, rewrite)

    match formula:
        case Total(terms):
            formula = Total(tuple(map(each, terms)))
        case Multiplied(factors):
            formula = Multiplied(tuple(map(each, factors)))
        case Largest(of):
            formula = Largest(tuple(map(each, of)))
        case Minus(left, right):
            formula = Minus(each(left), each(right))
        case Divided(over, under):
            formula = Divided(each(over), each(under))
        case ExpOf(inner):
            formula = ExpOf(each(inner))
        case LogOf(inner):
            formula = LogOf(each(inner))
        case Absolute(inner):
            formula = Absolute(each(inner))
        case FloorOf(inner):
            formula = FloorOf(each(inner))
        case Choose(cases, otherwise):
            formula = Choose(
                tuple(ChoiceCase(rewritten_test(case.when, rewrite), each(case.then)) for case in cases),
                each(otherwise),
            )
        case _:
            pass
    return rewrite(formula)


def rewritten_test(test: StepTest, rewrite: Callable[[StepFormula], StepFormula]) -> StepTest:
    """The test with each formula in it put through `rewrite`."""
    match test:
        case Compare(left, sign, right):
            return Compare(rewritten(left, rewrite), sign, rewritten(right, rewrite))
        case AllOf(tests):
            return AllOf(tuple(rewritten_test(each, rewrite) for each in tests))
        case AnyOf(tests):
            return AnyOf(tuple(rewritten_test(each, rewrite) for each in tests))
        case Holds():
            return test
        case _:
            assert_never(test)
