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

from clearwood.export.program.formula import (
    ONE,
    ZERO,
    Absolute,
    AllOf,
    AnyOf,
    CellNumber,
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Divided,
    Earlier,
    Holds,
    Largest,
    Minus,
    Multiplied,
    StepFormula,
    StepTest,
    Total,
)
from clearwood.export.program.program import ProgramStep
from clearwood.models.conditions import Above, Below, IsMissing

LOWEST: Final = Constant(-sys.float_info.max)
_NEARLY: Final = Constant(1.0 + 1e-10)  # curves that are as near but for this are equally near


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

    zeros: dict[int, list[StepFormula]] = field(default_factory=dict)
    curves: dict[int, list[CurveOfClass]] = field(default_factory=dict)

    @property
    def may_be(self) -> bool:
        """Is there anything that can be impossible?"""
        return bool(self.zeros or self.curves)

    def steps(self, classes: Sequence[int]) -> list[ProgramStep]:
        """The steps up to `out_1`, …: 1 where the class has no share, else 0."""
        steps: list[ProgramStep] = []
        for c in classes:
            tests: list[StepTest] = []
            if c in self.zeros:
                steps.append(ProgramStep(f"zeros_{c + 1}", Total(tuple(self.zeros[c]))))
                tests.append(Compare(Earlier(f"zeros_{c + 1}"), ">", ZERO))
            tests += [far_out(each) for each in self.curves.get(c, ())]
            dead = Choose((ChoiceCase(AnyOf(tuple(tests)), ONE),), ZERO) if tests else ZERO
            steps.append(ProgramStep(f"impossible_{c + 1}", dead, whole=True))
        lost = AllOf(tuple(Compare(Earlier(f"impossible_{c + 1}"), "=", ONE) for c in classes))
        steps.append(ProgramStep("lost", Choose((ChoiceCase(lost, ONE),), ZERO), "by all", whole=True))
        is_lost = Compare(Earlier("lost"), "=", ONE)
        by_zeros = self._by_zeros(steps, classes, is_lost)
        by_curves = self._by_curves(steps, classes, is_lost, by_zeros)
        for c in classes:
            cases = []
            if c in by_zeros:
                cases.append(ChoiceCase(AllOf((is_lost, by_zeros[c])), ONE))
            if c in by_curves:
                cases.append(ChoiceCase(AllOf((is_lost, by_curves[c])), ONE))
            cases.append(ChoiceCase(is_lost, ZERO))
            steps.append(
                ProgramStep(f"out_{c + 1}", Choose(tuple(cases), Earlier(f"impossible_{c + 1}")), whole=True)
            )
        return steps

    def _by_zeros(
        self, steps: list[ProgramStep], classes: Sequence[int], is_lost: StepTest
    ) -> dict[int, StepTest]:
        """By class: has it more zeros than another one?"""
        if not self.zeros:
            return {}
        for c in classes:
            zeros = Earlier(f"zeros_{c + 1}") if c in self.zeros else ZERO
            steps.append(ProgramStep(f"spared_{c + 1}", Minus(ZERO, zeros), when=is_lost))
        fewest = Largest(tuple(Earlier(f"spared_{c + 1}") for c in classes))
        steps.append(ProgramStep("spared", fewest, "fewest zeros", when=is_lost))
        return {c: Compare(Earlier(f"spared_{c + 1}"), "<", Earlier("spared")) for c in classes}

    def _by_curves(
        self,
        steps: list[ProgramStep],
        classes: Sequence[int],
        is_lost: StepTest,
        by_zeros: dict[int, StepTest],
    ) -> dict[int, StepTest]:
        """By class: is a number far out, and are another class's curves nearer?"""
        if not self.curves:
            return {}
        # Squares of what is far out are too large: all distances are divided by the largest first.
        largest: tuple[StepFormula, ...] = tuple(
            _known(each.name, Absolute(CellNumber(each.name))) for each in self.curves[classes[0]]
        )
        steps.append(ProgramStep("largest_number", Largest((ONE, *largest)), when=is_lost))
        for c in classes:
            squares = tuple(_known(each.name, _square(each)) for each in self.curves[c])
            away: StepFormula = Total(squares)
            if c in by_zeros:
                away = Choose((ChoiceCase(by_zeros[c], LOWEST),), Minus(ZERO, away))
            else:
                away = Minus(ZERO, away)
            steps.append(ProgramStep(f"nearness_{c + 1}", away, when=is_lost))
        nearest = Largest(tuple(Earlier(f"nearness_{c + 1}") for c in classes))
        steps.append(ProgramStep("nearness", Multiplied((nearest, _NEARLY)), when=is_lost))
        far = AnyOf(tuple(far_out(each) for c in classes for each in self.curves[c]))
        return {
            c: AllOf((Compare(Earlier(f"nearness_{c + 1}"), "<", Earlier("nearness")), far)) for c in classes
        }


def far_out(curve: CurveOfClass) -> StepTest:
    """Is the number so far from the curve that its density is too small for a float?"""
    below, above = Below(curve.name, curve.low - curve.limit), Above(curve.name, curve.high + curve.limit)
    return AnyOf((Holds(below), Holds(above)))


def bell_limit(precision: float) -> float:
    """The largest distance whose square times 1/2σ² is a float.

    >>> bell_limit(0.5), bell_limit(1e10)
    (1.3407807929942596e+154, 1.3407807929942596e+149)
    """
    most = math.sqrt(sys.float_info.max)
    return most if precision <= 1 else min(most, most / math.sqrt(precision))


def _known(name: str, formula: StepFormula) -> StepFormula:
    """A formula of a known cell; 0 of an empty one."""
    return Choose((ChoiceCase(Holds(IsMissing(name)), ZERO),), formula)


def _square(curve: CurveOfClass) -> StepFormula:
    """(distance ÷ the largest)² ÷ 2σ²."""
    cell = CellNumber(curve.name)
    below, above = Minus(Constant(curve.low), cell), Minus(cell, Constant(curve.high))
    part = Divided(Largest((below, above, ZERO)), Earlier("largest_number"))
    return Multiplied((part, part, Constant(curve.precision)))
