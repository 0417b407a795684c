"""Steps that one other step alone asks for are written into it, so that a tree is one choice again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from clearwood.export.program.formula import Choose, Earlier, Lookup, StepFormula
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.export.sql.parts import everything_in, rewritten
from clearwood.export.sql.shortening import shortened


def merged(program: ModelProgram) -> tuple[ProgramStep, ...]:
    """The steps of a program, with each choice that is asked for once in the place where it is."""
    asked: Counter[str] = Counter((program.answer, *program.shares, *filter(None, [program.region])) * 2)
    for step in program.steps:
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
        return whole.get(formula.step, formula) if isinstance(formula, Earlier) else shortened(formula)

    for step in program.steps:
        value = rewritten(step.value, within)
        if asked[step.name] == 1 and step.whole and step.when is None and isinstance(value, Choose):
            whole[step.name] = value
        else:
            made.append(replace(step, value=value))
    return tuple(made)
