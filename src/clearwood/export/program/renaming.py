"""The same steps under other names, so that several programs can stand in one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from clearwood.export.program.formula import Earlier, Lookup
from clearwood.export.program.program import ModelProgram, ProgramStep


def renamed_steps(program: ModelProgram, before: str) -> tuple[ProgramStep, ...]:
    """The steps of a program, `before` put before every name.

    >>> from clearwood.export.program.formula import ONE
    >>> steps = (ProgramStep("whole", ONE), ProgramStep("number", Earlier("whole")))
    >>> [(step.name, step.value) for step in renamed_steps(ModelProgram((), steps, "number"), "first_")]
    [('first_whole', Constant(value=1.0)), ('first_number', Earlier(step='first_whole'))]
    """
    return tuple(
        replace(
            step,
            name=before + step.name,
            value=_renamed(step.value, before),
            when=_renamed(step.when, before),
        )
        for step in program.steps
    )


def _renamed(part: Any, before: str) -> Any:
    match part:
        case Earlier(step):
            return Earlier(before + step)
        case Lookup(_, at):
            return replace(part, at=before + at)
        case tuple():
            return _each(part, before)
        case _ if is_dataclass(part) and not isinstance(part, type):
            inner = {field.name: getattr(part, field.name) for field in fields(part)}
            changed = {name: _renamed(value, before) for name, value in inner.items() if _has_parts(value)}
            return replace(part, **changed) if changed else part
        case _:
            return part


def _each(parts: Iterable[Any], before: str) -> tuple[Any, ...]:
    return tuple(_renamed(each, before) for each in parts)


def _has_parts(value: Any) -> bool:
    """Can a name stand in it? Lists of numbers and texts are long, and hold none."""
    return is_dataclass(value[0]) if isinstance(value, tuple) and value else is_dataclass(value)
