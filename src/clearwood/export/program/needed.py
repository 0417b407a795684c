"""The steps that an answer needs: others are left out, for compilers warn of what nobody asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clearwood.export.program.formula import Earlier, Lookup
from clearwood.export.program.parts import program_parts
from clearwood.export.program.program import ProgramStep


def needed_steps(steps: Sequence[ProgramStep], outputs: Iterable[str]) -> tuple[ProgramStep, ...]:
    """Those that the outputs are worked out from, in their order.

    >>> from clearwood.export.program.formula import ONE
    >>> steps = [ProgramStep("a", ONE), ProgramStep("b", ONE), ProgramStep("c", Earlier("a"))]
    >>> [step.name for step in needed_steps(steps, ["c"])]
    ['a', 'c']
    """
    needed = set(outputs)
    kept: list[ProgramStep] = []
    for step in reversed(steps):
        if step.name not in needed:
            continue
        kept.append(step)
        for part in program_parts((step.value, step.when)):
            match part:
                case Earlier(name) | Lookup(_, name):
                    needed.add(name)
                case _:
                    pass
    return tuple(reversed(kept))
