"""Steps that one other step alone asks for are written into it, so that a tree is one choice again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from clearwood.export.program.formula import (
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Earlier,
    Lookup,
    StepFormula,
)
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.export.sql.parts import everything_in, rewritten
from clearwood.export.sql.shortening import shortened_choice

_NONE: Final = Constant(-1.0)


def merged_steps(program: ModelProgram) -> tuple[ProgramStep, ...]:
    """The steps of a program, with each choice that is asked for once in the place where it is."""
    steps = _in_a_row(program.steps)
    asked: Counter[str] = Counter(program.outputs * 2)
    for step in steps:
        for part in everything_in(step.value):
            if isinstance(part, Earlier):
                asked[part.step] += 1
            elif isinstance(part, Lookup):
                asked[part.at] += 2  # a place is looked up by its name
        for part in () if step.when is None else everything_in(step.when):
            if isinstance(part, Earlier):
                asked[part.step] += 2
    whole: dict[str, StepFormula] = {}
    made: list[ProgramStep] = []

    def within(formula: StepFormula) -> StepFormula:
        return whole.get(formula.step, formula) if isinstance(formula, Earlier) else shortened_choice(formula)

    for step in steps:
        if not asked[step.name]:
            continue
        value = rewritten(step.value, within)
        if asked[step.name] == 1 and step.whole and step.when is None and isinstance(value, Choose):
            whole[step.name] = value
        else:
            made.append(replace(step, value=value))
    return tuple(made)


def _in_a_row(steps: Iterable[ProgramStep]) -> tuple[ProgramStep, ...]:
    """Steps that go on where one before came to nothing ask its cases first: many rules are one choice."""
    known: dict[str, StepFormula] = {}
    made = []
    for step in steps:
        match step.value:
            case Choose((ChoiceCase(Compare(Earlier(asked), ">=", Constant(0.0)), then), *rest), last):
                first = known.get(asked)
                if then == Earlier(asked) and isinstance(first, Choose) and first.otherwise == _NONE:
                    step = replace(step, value=Choose((*first.cases, *rest), last))
            case _:
                pass
        known[step.name] = step.value
        made.append(step)
    return tuple(made)
