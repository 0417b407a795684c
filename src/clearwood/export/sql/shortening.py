"""Choices without what need not be asked, so that a tree reads as it is drawn.

A branch that is also where the rest goes need not be asked for, if no later test could hold of its rows. And
a choice by the number of the branch that another choice gives is a choice by its test.
"""

from __future__ import annotations

from clearwood.export.program.formula import (
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Holds,
    StepFormula,
    StepTest,
)
from clearwood.models.conditions import Condition, bounds_of, takes_missing, values_of


def shortened_choice(formula: StepFormula) -> StepFormula:
    """The same choice in fewer words; other formulas as they are.

    >>> from clearwood.models.conditions import Above, AtMost
    >>> low, high = Holds(AtMost("age", 60.0)), Holds(Above("age", 60.0))
    >>> branch = Choose((ChoiceCase(low, Constant(0.0)), ChoiceCase(high, Constant(1.0))), Constant(0.0))
    >>> first = ChoiceCase(Compare(branch, "=", Constant(0.0)), Constant(7.0))
    >>> shortened_choice(Choose((first,), Constant(8.0))) == Choose(
    ...     (ChoiceCase(high, Constant(8.0)),), Constant(7.0)
    ... )
    True
    """
    if not isinstance(formula, Choose):
        return formula
    match formula:
        case Choose((ChoiceCase(Compare(Choose() as branch, "=", Constant(number)), then),), otherwise):
            asked = _without_idle(branch)
            match asked:
                case Constant(only):
                    return then if number == only else otherwise
                case Choose((ChoiceCase(test, Constant(one)),), Constant(other)) if one != other:
                    if number == one:
                        return Choose((ChoiceCase(test, then),), otherwise)
                    if number == other:
                        return Choose((ChoiceCase(test, otherwise),), then)
                case _:
                    pass
            return Choose((ChoiceCase(Compare(asked, "=", Constant(number)), then),), otherwise)
        case _:
            return _without_idle(formula)


def _without_idle(choice: Choose) -> StepFormula:
    """Without the cases that come to what the rest comes to, where no later one would hold instead."""
    kept: list[ChoiceCase] = []
    for case in reversed(choice.cases):
        idle = isinstance(case.then, Constant) and case.then == choice.otherwise
        if not idle or not all(_exclude(case.when, later.when) for later in kept):
            kept.append(case)
    return Choose(tuple(reversed(kept)), choice.otherwise) if kept else choice.otherwise


def _exclude(one: StepTest, other: StepTest) -> bool:
    """Is there no row of which both tests hold?"""
    match one, other:
        case Holds(first), Holds(second):
            return _apart(first, second)
        case _:
            return False


def _apart(one: Condition, other: Condition) -> bool:
    if one.name != other.name or (takes_missing(one) and takes_missing(other)):
        return False
    low, high = bounds_of(one)
    other_low, other_high = bounds_of(other)
    return not values_of(one) & values_of(other) and max(low, other_low) >= min(high, other_high)
