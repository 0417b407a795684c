"""Choices that stand no deeper within choices than a database takes.

A choice in the last place goes on in the same CASE. One behind a test is drawn out where it stands too deep:
its own tests are joined to the one before it, and what is left over follows under that one alone. The order
stays, so the first test that holds leads to the same end.
"""

from __future__ import annotations

from clearwood.export.program.formula import AllOf, ChoiceCase, Choose, StepFormula, StepTest


def flattened(formula: StepFormula, most: int) -> StepFormula:
    """The same choice with at most so many levels of CASE.

    >>> from clearwood.export.program.formula import Constant, Holds
    >>> from clearwood.models.conditions import AtMost
    >>> low, old = Holds(AtMost("pay", 2.0)), Holds(AtMost("age", 60.0))
    >>> inner = Choose((ChoiceCase(old, Constant(1.0)),), Constant(2.0))
    >>> flat = flattened(Choose((ChoiceCase(low, inner),), Constant(3.0)), 1)
    >>> [case.then.value for case in flat.cases], flat.cases[0].when == AllOf((low, old))
    ([1.0, 2.0], True)
    """
    if not isinstance(formula, Choose) or not formula.cases:
        return formula
    chosen = _in_one(formula)
    while most_nested(chosen) > most:
        chosen = _drawn_out(chosen, most)
    return Choose(
        tuple(ChoiceCase(case.when, flattened(case.then, most - 1)) for case in chosen.cases),
        chosen.otherwise,
    )


def most_nested(formula: StepFormula) -> int:
    """How deep choices stand within choices, once those in the last place are joined."""
    deepest, waiting = 0, [(formula, 1)]
    while waiting:
        one, level = waiting.pop()
        if isinstance(one, Choose) and one.cases:
            deepest = max(deepest, level)
            waiting.extend((case.then, level + 1) for case in one.cases)
            waiting.append((one.otherwise, level))
    return deepest


def _in_one(choice: Choose) -> Choose:
    """What follows in the last place as further cases."""
    cases = list(choice.cases)
    last = choice.otherwise
    while isinstance(last, Choose):
        cases += last.cases
        last = last.otherwise
    return Choose(tuple(cases), last)


def _drawn_out(choice: Choose, most: int) -> Choose:
    """The choices that are too deep, one level up."""
    cases: list[ChoiceCase] = []
    for case in choice.cases:
        if not isinstance(case.then, Choose) or most_nested(case.then) < most:
            cases.append(case)
            continue
        inner = _in_one(case.then)
        cases += [ChoiceCase(_both(case.when, each.when), each.then) for each in inner.cases]
        cases.append(ChoiceCase(case.when, inner.otherwise))
    return Choose(tuple(cases), choice.otherwise)


def _both(one: StepTest, other: StepTest) -> StepTest:
    before = one.tests if isinstance(one, AllOf) else (one,)
    after = other.tests if isinstance(other, AllOf) else (other,)
    return AllOf((*before, *after))
