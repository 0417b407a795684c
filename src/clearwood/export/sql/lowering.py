"""A program in steps that a database takes: sums of bounded length, and bells as sums of powers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from clearwood.errors import SettingError
from clearwood.export.program.formula import (
    CellNumber,
    Constant,
    Divided,
    Earlier,
    ExpOf,
    Holds,
    Largest,
    LogOf,
    LogOfBells,
    Minus,
    Multiplied,
    StepFormula,
    StepTest,
    Total,
)
from clearwood.export.program.program import ProgramStep
from clearwood.export.sql.parts import everything_in, rewritten
from clearwood.models.conditions import Between

_FAR: Final = 1e150  # from here on squares are too large, and the program asks for no density
_MOST_POINTS: Final = 5_000  # each is written twice, some 200 bytes


def lowered(steps: Iterable[ProgramStep], terms: int) -> tuple[ProgramStep, ...]:
    """The steps with none that adds more than `terms`, and without bells."""
    made: list[ProgramStep] = []
    points = 0
    for step in steps:
        points += sum(len(each.points) for each in everything_in(step.value) if isinstance(each, LogOfBells))
        if points > _MOST_POINTS:
            raise SettingError(
                f"Densities of more than {_MOST_POINTS:,} points are too long for SQL. Learn with "
                "NaiveBayes(numeric='gaussian') or numeric='cuts', or export to python."
            )
        before: list[ProgramStep] = []
        made += [*before, replace(step, value=_lowered(step, terms, before))]
        made[-1:-1] = before
    return tuple(made)


def _lowered(step: ProgramStep, terms: int, before: list[ProgramStep]) -> StepFormula:
    def lay(kind: str, value: StepFormula, when: StepTest | None = step.when) -> Earlier:
        name = f"{step.name}_{kind}_{len(before) + 1}"
        before.append(ProgramStep(name, value, whole=step.whole, when=when))
        return Earlier(name)

    def one(formula: StepFormula) -> StepFormula:
        if isinstance(formula, LogOfBells):
            formula = bells(formula)
        if isinstance(formula, Total) and len(formula.terms) > terms:
            return in_pieces(formula, step.when)
        return formula

    def bells(formula: LogOfBells) -> StepFormula:
        heights = _heights(formula)
        near = Holds(Between(formula.name, -_FAR, _FAR))
        peak = lay("peak", Largest(heights), near)
        powers = Total(tuple(ExpOf(Minus(each, peak)) for each in heights))
        total = lay("powers", in_pieces(powers, near), near)
        scale = Constant(math.log(formula.width * math.sqrt(2 * math.pi)))
        return Minus(Total((peak, LogOf(total))), scale)

    def in_pieces(total: Total, when: StepTest | None) -> StepFormula:
        """From the first to the last as before, so that rounding is the same."""
        left = total.terms
        while len(left) > terms:
            left = (lay("part", Total(left[:terms]), when), *left[terms:])
        return Total(left)

    return rewritten(step.value, one)


def _heights(formula: LogOfBells) -> tuple[StepFormula, ...]:
    heights = []
    for point, log_share in zip(formula.points, formula.log_shares, strict=True):
        if log_share == -math.inf:
            continue
        away = Divided(Minus(CellNumber(formula.name), Constant(point)), Constant(formula.width))
        heights.append(Minus(Constant(log_share), Multiplied((Constant(0.5), away, away))))
    return tuple(heights)
