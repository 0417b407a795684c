"""Rows that a class, or every class, of Bayes tables makes impossible, as steps; as in `predict/bayes.py`.

A count of 0 that nothing smooths is a zero. A number is far out where the square of its distance from a curve
is too large for a float. A class with either has no share; where every class has, those with the fewest zeros
are left and, of numbers far out, the one whose curves are nearest, counted in their widths.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from clearwood.export.program import formula as f
from clearwood.export.program.program import ProgramStep
from clearwood.models.conditions import Above, Below, IsMissing

LOWEST: Final = f.Constant(-sys.float_info.max)
_NEARLY: Final = f.Constant(1.0 + 1e-10)  # curves that are as near but for this are equally near


@dataclass(frozen=True, slots=True)
class CurveOfClass:
    """Where a column's curve of one class begins and ends (a bell's middle is both), 1/2σ² of its bells, and
    the distance from which on its density is too small for a float."""

    name: str
    low: float
    high: float
    precision: float
    limit: float


@dataclass(slots=True)
class Impossibles:
    """What may make each class impossible, by the class's place, gathered column by column."""

    zeros: dict[int, list[f.StepFormula]] = field(default_factory=dict)
    curves: dict[int, list[CurveOfClass]] = field(default_factory=dict)

    @property
    def may_be(self) -> bool:
        """Is there anything that can be impossible?"""
        return bool(self.zeros or self.curves)

    def steps(self, classes: Sequence[int]) -> list[ProgramStep]:
        """The steps up to `out_1`, …: 1 where the class has no share, else 0."""
        steps: list[ProgramStep] = []
        for c in classes:
            tests: list[f.StepTest] = []
            if c in self.zeros:
                steps.append(ProgramStep(f"zeros_{c + 1}", f.Total(tuple(self.zeros[c]))))
                tests.append(f.Compare(f.Earlier(f"zeros_{c + 1}"), ">", f.ZERO))
            tests += [far_out(each) for each in self.curves.get(c, ())]
            dead = f.Choose((f.ChoiceCase(f.AnyOf(tuple(tests)), f.ONE),), f.ZERO) if tests else f.ZERO
            steps.append(ProgramStep(f"impossible_{c + 1}", dead, whole=True))
        lost = f.AllOf(tuple(f.Compare(f.Earlier(f"impossible_{c + 1}"), "=", f.ONE) for c in classes))
        steps.append(
            ProgramStep("lost", f.Choose((f.ChoiceCase(lost, f.ONE),), f.ZERO), "by all", whole=True)
        )
        is_lost = f.Compare(f.Earlier("lost"), "=", f.ONE)
        by_zeros = self._by_zeros(steps, classes, is_lost)
        by_curves = self._by_curves(steps, classes, is_lost, by_zeros)
        for c in classes:
            cases = []
            if c in by_zeros:
                cases.append(f.ChoiceCase(f.AllOf((is_lost, by_zeros[c])), f.ONE))
            if c in by_curves:
                cases.append(f.ChoiceCase(f.AllOf((is_lost, by_curves[c])), f.ONE))
            cases.append(f.ChoiceCase(is_lost, f.ZERO))
            steps.append(
                ProgramStep(
                    f"out_{c + 1}", f.Choose(tuple(cases), f.Earlier(f"impossible_{c + 1}")), whole=True
                )
            )
        return steps

    def _by_zeros(
        self, steps: list[ProgramStep], classes: Sequence[int], is_lost: f.StepTest
    ) -> dict[int, f.StepTest]:
        """By class: has it more zeros than another one?"""
        if not self.zeros:
            return {}
        for c in classes:
            zeros = f.Earlier(f"zeros_{c + 1}") if c in self.zeros else f.ZERO
            steps.append(ProgramStep(f"spared_{c + 1}", f.Minus(f.ZERO, zeros), when=is_lost))
        fewest = f.Largest(tuple(f.Earlier(f"spared_{c + 1}") for c in classes))
        steps.append(ProgramStep("spared", fewest, "fewest zeros", when=is_lost))
        return {c: f.Compare(f.Earlier(f"spared_{c + 1}"), "<", f.Earlier("spared")) for c in classes}

    def _by_curves(
        self,
        steps: list[ProgramStep],
        classes: Sequence[int],
        is_lost: f.StepTest,
        by_zeros: dict[int, f.StepTest],
    ) -> dict[int, f.StepTest]:
        """By class: is a number far out, and are another class's curves nearer?"""
        if not self.curves:
            return {}
        # Squares of what is far out are too large: all distances are divided by the largest first.
        largest: tuple[f.StepFormula, ...] = tuple(
            _known(each.name, f.Absolute(f.CellNumber(each.name))) for each in self.curves[classes[0]]
        )
        steps.append(ProgramStep("largest_number", f.Largest((f.ONE, *largest)), when=is_lost))
        for c in classes:
            squares = tuple(_known(each.name, _square(each)) for each in self.curves[c])
            away: f.StepFormula = f.Total(squares)
            if c in by_zeros:
                away = f.Choose((f.ChoiceCase(by_zeros[c], LOWEST),), f.Minus(f.ZERO, away))
            else:
                away = f.Minus(f.ZERO, away)
            steps.append(ProgramStep(f"nearness_{c + 1}", away, when=is_lost))
        nearest = f.Largest(tuple(f.Earlier(f"nearness_{c + 1}") for c in classes))
        steps.append(ProgramStep("nearness", f.Multiplied((nearest, _NEARLY)), when=is_lost))
        far = f.AnyOf(tuple(far_out(each) for c in classes for each in self.curves[c]))
        return {
            c: f.AllOf((f.Compare(f.Earlier(f"nearness_{c + 1}"), "<", f.Earlier("nearness")), far))
            for c in classes
        }


def far_out(curve: CurveOfClass) -> f.StepTest:
    """Is the number so far from the curve that its density is too small for a float?"""
    below, above = Below(curve.name, curve.low - curve.limit), Above(curve.name, curve.high + curve.limit)
    return f.AnyOf((f.Holds(below), f.Holds(above)))


def bell_limit(precision: float) -> float:
    """The largest distance whose square times 1/2σ² is a float.

    >>> bell_limit(0.5), bell_limit(1e10)
    (1.3407807929942596e+154, 1.3407807929942596e+149)
    """
    most = math.sqrt(sys.float_info.max)
    return most if precision <= 1 else min(most, most / math.sqrt(precision))


def _known(name: str, formula: f.StepFormula) -> f.StepFormula:
    """A formula of a known cell; 0 of an empty one."""
    return f.Choose((f.ChoiceCase(f.Holds(IsMissing(name)), f.ZERO),), formula)


def _square(curve: CurveOfClass) -> f.StepFormula:
    """(distance ÷ the largest)² ÷ 2σ²."""
    cell = f.CellNumber(curve.name)
    below, above = f.Minus(f.Constant(curve.low), cell), f.Minus(cell, f.Constant(curve.high))
    part = f.Divided(f.Largest((below, above, f.ZERO)), f.Earlier("largest_number"))
    return f.Multiplied((part, part, f.Constant(curve.precision)))
