"""Long sums in pieces: a step for each hundred terms, in the same order; languages nest only so deep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from clearwood.export.program.formula import Choose, Earlier, StepFormula, Total
from clearwood.export.program.program import ModelProgram, ProgramStep

_MOST_TERMS: Final = 100


def with_short_sums(program: ModelProgram) -> ModelProgram:
    """The same program without long sums.

    >>> from clearwood.export.program.formula import ONE
    >>> long = ModelProgram((), (ProgramStep("number", Total((ONE,) * 250)),), "number")
    >>> [(step.name, len(step.value.terms)) for step in with_short_sums(long).steps]
    [('number_part_1', 100), ('number_part_2', 101), ('number', 51)]
    """
    return replace(program, steps=tuple(piece for step in program.steps for piece in _pieces(step)))


def _pieces(step: ProgramStep) -> Iterator[ProgramStep]:
    if not isinstance(step.value, Total):
        yield step
        return
    terms: list[StepFormula] = []
    for number, term in enumerate(step.value.terms, 1):
        match term:
            case Choose((case,), otherwise) if isinstance(case.then, Total) and _is_long(case.then):
                name = f"{step.name}_term_{number}"
                yield from _in_parts(replace(step, name=name, when=case.when), case.then.terms)
                terms.append(Choose((replace(case, then=Earlier(name)),), otherwise))
            case _:
                terms.append(term)
    yield from _in_parts(step, terms)


def _in_parts(step: ProgramStep, terms: Sequence[StepFormula]) -> Iterator[ProgramStep]:
    left, before, number = list(terms), list[StepFormula](), 0
    while len(left) > _MOST_TERMS:
        number += 1
        name = f"{step.name}_part_{number}"
        part = Total((*before, *left[:_MOST_TERMS]))
        yield replace(step, name=name, value=part, about="")
        before, left = [Earlier(name)], left[_MOST_TERMS:]
    yield replace(step, value=Total((*before, *left)))


def _is_long(total: Total) -> bool:
    return len(total.terms) > _MOST_TERMS
