"""The numbers at which a model changes its mind, column by column, read from its program."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from clearwood.export.program.formula import (
    CellNumber,
    Compare,
    Constant,
    Holds,
    LogOfBells,
    Minus,
    PlaceOfNumber,
)
from clearwood.export.program.program import ModelProgram, program_parts
from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    limits_of,
)


@dataclass(frozen=True, slots=True)
class ColumnCuts:
    """By column, ascending: the numbers where the answer may jump, and those where it bends."""

    jumps: Mapping[str, tuple[float, ...]]
    bends: Mapping[str, tuple[float, ...]]


def cuts_of(program: ModelProgram) -> ColumnCuts:
    """The cuts of a program's columns.

    >>> import clearwood as cw
    >>> from clearwood.export.program.program_of import program_of
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts_of(program_of(cw.C45().learn(table))).jumps
    {'Humidity': (75.0,)}
    """
    jumps: dict[str, set[float]] = {}
    bends: dict[str, set[float]] = {}
    for part in program_parts(program.steps):
        match part:
            case Holds(condition):
                for limit in _limits(condition):
                    jumps.setdefault(condition.name, set()).add(limit)
            case PlaceOfNumber(name, cuts):
                jumps.setdefault(name, set()).update(cuts)
            case Compare(CellNumber(name), _, Constant(value)):
                jumps.setdefault(name, set()).add(value)
            case Minus(CellNumber(name), Constant(value)):
                bends.setdefault(name, set()).add(value)
            case LogOfBells(name, points):
                bends.setdefault(name, set()).update(points)
            case _:
                pass
    return ColumnCuts(_ascending(jumps), _ascending(bends))


def _ascending(by_name: Mapping[str, set[float]]) -> dict[str, tuple[float, ...]]:
    return {
        name: tuple(sorted(each for each in numbers if math.isfinite(each)))
        for name, numbers in by_name.items()
    }


def _limits(condition: Condition) -> tuple[float, ...]:
    if isinstance(condition, AtMost | Below | Above | AtLeast | Between):
        return tuple(each.number for each in limits_of(condition))
    assert isinstance(condition, Equals | OneOf | IsMissing)
    return ()
