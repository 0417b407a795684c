"""Steps that one other step alone asks for are written into it, so that a tree is one choice again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from clearwood.errors import SettingError
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Between, exclude_each_other
from clearwood.models.program.program import ModelProgram, ProgramStep, program_parts, rewritten

_NONE: Final = f.Number(-1.0)


def merged_steps(program: ModelProgram) -> tuple[ProgramStep, ...]:
    """The steps of a program, with each choice that is asked for once in the place where it is."""
    steps = _in_a_row(program.steps)
    asked: Counter[str] = Counter(program.outputs * 2)
    for step in steps:
        for part in program_parts(step.value):
            if isinstance(part, f.Earlier):
                asked[part.step] += 1
            elif isinstance(part, f.Lookup):
                asked[part.at] += 2  # a place is looked up by its name
        for part in program_parts(step.when):
            if isinstance(part, f.Earlier):
                asked[part.step] += 2
    whole: dict[str, f.Expression] = {}
    made: list[ProgramStep] = []

    def within(formula: f.Expression) -> f.Expression:
        return (
            whole.get(formula.step, formula) if isinstance(formula, f.Earlier) else shortened_choice(formula)
        )

    for step in steps:
        if not asked[step.name]:
            continue
        value = rewritten(step.value, within)
        if asked[step.name] == 1 and step.whole and step.when is None and isinstance(value, f.Choose):
            whole[step.name] = value
        else:
            made.append(replace(step, value=value))
    return tuple(made)


def _in_a_row(steps: Iterable[ProgramStep]) -> tuple[ProgramStep, ...]:
    """Steps that go on where one before came to nothing ask its cases first: many rules are one choice."""
    known: dict[str, f.Expression] = {}
    made = []
    for step in steps:
        match step.value:
            case f.Choose(
                (f.ChoiceCase(f.Compared(f.Earlier(asked), "≥", f.Number(0.0)), then), *rest), last
            ):
                first = known.get(asked)
                if then == f.Earlier(asked) and isinstance(first, f.Choose) and first.otherwise == _NONE:
                    step = replace(step, value=f.Choose((*first.cases, *rest), last))
            case _:
                pass
        known[step.name] = step.value
        made.append(step)
    return tuple(made)


# A program in steps that a database takes: sums of bounded length, and bells as sums of powers.


_FAR: Final = 1e150  # from here on squares are too large, and the program asks for no density
_MOST_POINTS: Final = 5_000  # each is written twice, some 200 bytes


def lowered(steps: Iterable[ProgramStep], terms: int) -> tuple[ProgramStep, ...]:
    """The steps with none that adds more than `terms`, and without bells."""
    made: list[ProgramStep] = []
    points = 0
    for step in steps:
        points += sum(
            len(each.points) for each in program_parts(step.value) if isinstance(each, f.LogOfBells)
        )
        if points > _MOST_POINTS:
            raise SettingError(
                f"Densities of more than {_MOST_POINTS:,} points are too long for SQL. Learn with "
                "NaiveBayes(numeric='gaussian') or numeric='cuts', or export to python."
            )
        before: list[ProgramStep] = []
        made += [*before, replace(step, value=_lowered(step, terms, before))]
        made[-1:-1] = before
    return tuple(made)


def _lowered(step: ProgramStep, terms: int, before: list[ProgramStep]) -> f.Expression:
    def lay(kind: str, value: f.Expression, when: f.StepTest | None = step.when) -> f.Earlier:
        name = f"{step.name}_{kind}_{len(before) + 1}"
        before.append(ProgramStep(name, value, whole=step.whole, when=when))
        return f.Earlier(name)

    def one(formula: f.Expression) -> f.Expression:
        if isinstance(formula, f.LogOfBells):
            formula = bells(formula)
        if isinstance(formula, f.Sum) and len(formula.terms) > terms:
            return in_pieces(formula, step.when)
        return formula

    def bells(formula: f.LogOfBells) -> f.Expression:
        heights = _heights(formula)
        near = f.Holds(Between(formula.name, -_FAR, _FAR))
        peak = lay("peak", f.Extreme("max", heights), near)
        powers = f.Sum(tuple(f.Exp(f.difference(each, peak)) for each in heights))
        total = lay("powers", in_pieces(powers, near), near)
        scale = f.Number(math.log(formula.width * math.sqrt(2 * math.pi)))
        return f.difference(f.Sum((peak, f.Log(total, "e"))), scale)

    def in_pieces(total: f.Sum, when: f.StepTest | None) -> f.Expression:
        """From the first to the last as before, so that rounding is the same."""
        left = total.terms
        while len(left) > terms:
            left = (lay("part", f.Sum(left[:terms]), when), *left[terms:])
        return f.Sum(left)

    value: f.Expression = rewritten(step.value, one)
    return value


def _heights(formula: f.LogOfBells) -> tuple[f.Expression, ...]:
    heights = []
    for point, log_share in zip(formula.points, formula.log_shares, strict=True):
        if log_share == -math.inf:
            continue
        away = f.Quotient(f.difference(f.CellNumber(formula.name), f.Number(point)), f.Number(formula.width))
        heights.append(f.difference(f.Number(log_share), f.Product((f.Number(0.5), away, away))))
    return tuple(heights)


# Choices without what need not be asked, so that a tree reads as it is drawn.
#
# A branch that is also where the rest goes need not be asked for, if no later test could hold of its rows.
# And a choice by the number of the branch that another choice gives is a choice by its test.


def shortened_choice(formula: f.Expression) -> f.Expression:
    """The same choice in fewer words; other formulas as they are.

    >>> from clearwood.formulas.conditions import Above, AtMost
    >>> low, high = f.Holds(AtMost("age", 60.0)), f.Holds(Above("age", 60.0))
    >>> branch = f.Choose((f.ChoiceCase(low, f.ZERO), f.ChoiceCase(high, f.ONE)), f.ZERO)
    >>> first = f.ChoiceCase(f.Compared(branch, "=", f.Number(0.0)), f.Number(7.0))
    >>> shortened_choice(f.Choose((first,), f.Number(8.0))) == f.Choose(
    ...     (f.ChoiceCase(high, f.Number(8.0)),), f.Number(7.0)
    ... )
    True
    """
    if not isinstance(formula, f.Choose):
        return formula
    match formula:
        case f.Choose(
            (f.ChoiceCase(f.Compared(f.Choose() as branch, "=", f.Number(number)), then),), otherwise
        ):
            asked = _without_idle(branch)
            match asked:
                case f.Number(only):
                    return then if number == only else otherwise
                case f.Choose((f.ChoiceCase(test, f.Number(one)),), f.Number(other)) if one != other:
                    if number == one:
                        return f.Choose((f.ChoiceCase(test, then),), otherwise)
                    if number == other:
                        return f.Choose((f.ChoiceCase(test, otherwise),), then)
                case _:
                    pass
            return f.Choose((f.ChoiceCase(f.Compared(asked, "=", f.Number(number)), then),), otherwise)
        case _:
            return _without_idle(formula)


def _without_idle(choice: f.Choose) -> f.Expression:
    """Without the cases that come to what the rest comes to, where no later one would hold instead."""
    kept: list[f.ChoiceCase] = []
    for case in reversed(choice.cases):
        idle = isinstance(case.then, f.Number) and case.then == choice.otherwise
        if not idle or not all(_apart(case.when, later.when) for later in kept):
            kept.append(case)
    return f.Choose(tuple(reversed(kept)), choice.otherwise) if kept else choice.otherwise


def _apart(one: f.StepTest, other: f.StepTest) -> bool:
    """Is there no row of which both tests hold?"""
    if isinstance(one, f.Holds) and isinstance(other, f.Holds):
        return exclude_each_other(one.condition, other.condition)
    return False


# Choices that stand no deeper within choices than a database takes.
#
# A choice in the last place goes on in the same CASE. One behind a test is drawn out where it stands too
# deep: its own tests are joined to the one before it, and what is left over follows under that one alone.
# The order stays, so the first test that holds leads to the same end.


def flattened(formula: f.Expression, most: int) -> f.Expression:
    """The same choice with at most so many levels of CASE.

    >>> from clearwood.formulas.conditions import AtMost
    >>> low, old = f.Holds(AtMost("pay", 2.0)), f.Holds(AtMost("age", 60.0))
    >>> inner = f.Choose((f.ChoiceCase(old, f.Number(1.0)),), f.Number(2.0))
    >>> flat = flattened(f.Choose((f.ChoiceCase(low, inner),), f.Number(3.0)), 1)
    >>> [case.then.value for case in flat.cases], flat.cases[0].when == f.AllOf((low, old))
    ([1.0, 2.0], True)
    """
    if not isinstance(formula, f.Choose) or not formula.cases:
        return formula
    chosen = _in_one(formula)
    while most_nested(chosen) > most:
        chosen = _drawn_out(chosen, most)
    return f.Choose(
        tuple(f.ChoiceCase(case.when, flattened(case.then, most - 1)) for case in chosen.cases),
        chosen.otherwise,
    )


def most_nested(formula: f.Expression) -> int:
    """How deep choices stand within choices, once those in the last place are joined."""
    deepest, waiting = 0, [(formula, 1)]
    while waiting:
        one, level = waiting.pop()
        if isinstance(one, f.Choose) and one.cases:
            deepest = max(deepest, level)
            waiting.extend((case.then, level + 1) for case in one.cases)
            waiting.append((one.otherwise, level))
    return deepest


def _in_one(choice: f.Choose) -> f.Choose:
    """What follows in the last place as further cases."""
    cases = list(choice.cases)
    last = choice.otherwise
    while isinstance(last, f.Choose):
        cases += last.cases
        last = last.otherwise
    return f.Choose(tuple(cases), last)


def _drawn_out(choice: f.Choose, most: int) -> f.Choose:
    """The choices that are too deep, one level up."""
    cases: list[f.ChoiceCase] = []
    for case in choice.cases:
        if not isinstance(case.then, f.Choose) or most_nested(case.then) < most:
            cases.append(case)
            continue
        inner = _in_one(case.then)
        cases += [f.ChoiceCase(_both(case.when, each.when), each.then) for each in inner.cases]
        cases.append(f.ChoiceCase(case.when, inner.otherwise))
    return f.Choose(tuple(cases), choice.otherwise)


def _both(one: f.StepTest, other: f.StepTest) -> f.StepTest:
    before = one.tests if isinstance(one, f.AllOf) else (one,)
    after = other.tests if isinstance(other, f.AllOf) else (other,)
    return f.AllOf((*before, *after))
