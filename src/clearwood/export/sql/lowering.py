"""A program in steps that a database takes: sums of bounded length, and bells as sums of powers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from clearwood.errors import SettingError
from clearwood.export.program import formula as f
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
        points += sum(
            len(each.points) for each in everything_in(step.value) if isinstance(each, f.LogOfBells)
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


def _lowered(step: ProgramStep, terms: int, before: list[ProgramStep]) -> f.StepFormula:
    def lay(kind: str, value: f.StepFormula, when: f.StepTest | None = step.when) -> f.Earlier:
        name = f"{step.name}_{kind}_{len(before) + 1}"
        before.append(ProgramStep(name, value, whole=step.whole, when=when))
        return f.Earlier(name)

    def one(formula: f.StepFormula) -> f.StepFormula:
        if isinstance(formula, f.LogOfBells):
            formula = bells(formula)
        if isinstance(formula, f.Total) and len(formula.terms) > terms:
            return in_pieces(formula, step.when)
        return formula

    def bells(formula: f.LogOfBells) -> f.StepFormula:
        heights = _heights(formula)
        near = f.Holds(Between(formula.name, -_FAR, _FAR))
        peak = lay("peak", f.Largest(heights), near)
        powers = f.Total(tuple(f.ExpOf(f.Minus(each, peak)) for each in heights))
        total = lay("powers", in_pieces(powers, near), near)
        scale = f.Constant(math.log(formula.width * math.sqrt(2 * math.pi)))
        return f.Minus(f.Total((peak, f.LogOf(total))), scale)

    def in_pieces(total: f.Total, when: f.StepTest | None) -> f.StepFormula:
        """From the first to the last as before, so that rounding is the same."""
        left = total.terms
        while len(left) > terms:
            left = (lay("part", f.Total(left[:terms]), when), *left[terms:])
        return f.Total(left)

    return rewritten(step.value, one)


def _heights(formula: f.LogOfBells) -> tuple[f.StepFormula, ...]:
    heights = []
    for point, log_share in zip(formula.points, formula.log_shares, strict=True):
        if log_share == -math.inf:
            continue
        away = f.Divided(f.Minus(f.CellNumber(formula.name), f.Constant(point)), f.Constant(formula.width))
        heights.append(f.Minus(f.Constant(log_share), f.Multiplied((f.Constant(0.5), away, away))))
    return tuple(heights)
