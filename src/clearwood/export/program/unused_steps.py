"""Steps that nobody asks for are left out: of the ways to decide, a model's decision may need another."""

from __future__ import annotations

from dataclasses import replace

from clearwood.export.program.formula import Earlier, Lookup
from clearwood.export.program.parts import program_parts
from clearwood.export.program.program import ModelProgram, ProgramStep


def without_unused_steps(program: ModelProgram) -> ModelProgram:
    """The steps that the answer, the shares and the leaf or rule are worked out from.

    >>> from clearwood.export.program.formula import Constant
    >>> formulas = {"a": Constant(1.0), "b": Earlier("a"), "c": Earlier("a")}
    >>> steps = tuple(ProgramStep(name, formula) for name, formula in formulas.items())
    >>> [step.name for step in without_unused_steps(ModelProgram((), steps, "b")).steps]
    ['a', 'b']
    """
    needed = {program.answer, *program.shares, program.region}
    kept: list[ProgramStep] = []
    for step in reversed(program.steps):
        if step.name not in needed:
            continue
        kept.append(step)
        for part in program_parts(step):
            match part:
                case Earlier(name) | Lookup(_, name):
                    needed.add(name)
                case _:
                    pass
    return replace(program, steps=tuple(reversed(kept)))
