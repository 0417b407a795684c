"""Bayes tables as steps: what each column adds to the log of each class, and shares from their sums.

Of each cell the largest log is taken out first, as `predicting/bayes.py` does; below is what is done
where a class meets a probability of 0. A count above 1e300 is not followed: its logs are no floats.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Above, Below, IsMissing
from clearwood.models.account.account import (
    AccountTerm,
    ByWord,
    KernelDensity,
    NormalDensity,
    PerCount,
    Places,
    Presence,
    Slope,
)
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import (
    ROUNDING,
    account_of_bayes,
    apart,
    log_priors,
)
from clearwood.models.program.deciding import decided_by_shares, shares_of_powers
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.models.space.space_of import inputs_used


def program_of_bayes(model: BayesTables) -> ModelProgram:
    """The program of Bayes tables. A class whose prior is 0 has share 0."""
    classes = model.schema.classes
    priors = log_priors(model).tolist()
    alive = [c for c, prior in enumerate(priors) if prior > -math.inf]
    columns = _Columns(len(classes), alive, {c: [f.Number(priors[c])] for c in alive})
    for number, term in enumerate(account_of_bayes(model).terms, 1):
        columns.add(term, number)
    steps = [*columns.steps]
    steps += [ProgramStep(f"log_{c + 1}", f.Sum(tuple(columns.added[c])), f"of {classes[c]}") for c in alive]
    outs: dict[int, f.StepTest] = {}
    if columns.impossibles.may_be:
        steps += columns.impossibles.steps(alive)
        outs = {c: _is_one(f"out_{c + 1}") for c in alive}

    def unless_out(c: int, instead: f.Expression, formula: f.Expression) -> f.Expression:
        return f.where(outs[c], instead, formula) if c in outs else formula

    logs = {c: f.Earlier(f"log_{c + 1}") for c in alive}
    most, level = f.Earlier("most"), f.Earlier("level")
    highest = f.Extreme("max", tuple(unless_out(c, LOWEST, log) for c, log in logs.items()))
    # Classes that only rounding sets apart are equal.
    reach = ROUNDING * (f.ONE + f.Absolute(most))
    steps += [ProgramStep("most", highest), ProgramStep("level", most - reach)]
    powers: list[f.Expression] = [f.ZERO] * len(classes)
    for c, log in logs.items():
        raised = f.where(f.Compared(log, "≥", level), f.ONE, f.Exp(log - most))
        powers[c] = unless_out(c, f.ZERO, raised)
    shares = [f"share_{c}" for c in range(1, len(classes) + 1)]
    rest = decided_by_shares(shares, model.decision, classes)
    steps += [*shares_of_powers(powers, classes), *rest.steps]
    return ModelProgram(inputs_used(model), tuple(steps), rest.answer, classes, rest.shares)


def _is_one(step: str) -> f.StepTest:
    return f.Compared(f.Earlier(step), "=", f.ONE)


class _Columns:
    """The steps of the columns, what each adds to the classes' logs, and what it makes impossible."""

    def __init__(self, classes: int, alive: Sequence[int], added: dict[int, list[f.Expression]]) -> None:
        self.alive, self.added = list(alive), added
        self.every = range(classes)  # those without a prior count in what is taken out
        self.steps: list[ProgramStep] = []
        self.impossibles = Impossibles()

    def add(self, term: AccountTerm, number: int) -> None:
        """The steps of a column; what it adds is put to each class's terms."""
        name = term.name
        cell = f.CellNumber(name)
        missing, counted = f.Holds(IsMissing(name)), f.Compared(cell, ">", f.ZERO)
        match term:
            case Places((side,), added, sizes):
                assert sizes is not None
                rows, none = self._finite(added, sizes)
                at = f"place_{number}"
                self.steps.append(ProgramStep(at, side.expression, f"of {name}", whole=True))
                self._add(
                    [f.Lookup(tuple(column), at) for column in rows.T.tolist()],
                    none,
                    [f.Lookup(tuple(column), at) for column in none.T.astype(np.float64).tolist()],
                )
            case NormalDensity(_, constants, means, precisions):
                heights: list[f.Expression] = []
                bells = zip(constants.tolist(), means.tolist(), precisions.tolist(), strict=True)
                for c, (constant, mean, precision) in enumerate(bells):
                    away = cell - mean
                    heights.append(constant - f.Product((away, away, f.Number(precision))))
                    self._add_curve(c, CurveOfClass(name, mean, mean, precision, bell_limit(precision)))
                self._add_levelled(number, missing, heights)
            case KernelDensity(_, points, shares, widths):
                heights = []
                for c, (at_points, of_class, width) in enumerate(zip(points, shares, widths, strict=True)):
                    at_all = tuple(at_points.tolist())
                    heights.append(f.LogOfBells(name, at_all, tuple(of_class.tolist()), width))
                    limit = bell_limit(0.5) * math.sqrt(2.0) * width
                    precision = 0.5 / width / width
                    self._add_curve(c, CurveOfClass(name, at_all[0], at_all[-1], precision, limit))
                self._add_levelled(number, missing, heights)
            case PerCount(_, logs, sizes):
                (own,), none = self._finite(logs[None, :], sizes)
                self._add(
                    [_counted(missing, counted, cell * log) for log in own.tolist()],
                    none,
                    [_counted(missing, counted, cell)] * len(own),
                )
            case Presence(_, present, absent, sizes):
                both, none = self._finite(np.vstack([present, absent]), sizes)
                self._add(
                    [_counted(missing, counted, *map(f.Number, pair)) for pair in both.T.tolist()],
                    none,
                    [
                        _counted(missing, counted, *map(f.Number, pair))
                        for pair in none.T.astype(np.float64).tolist()
                    ],
                )
            case ByWord(_, words, word_logs, base, once, reading):
                by_class = zip(word_logs.T.tolist(), base.tolist(), strict=True)
                texts = [
                    f.LogOfWords(name, words, tuple(of_words), start, once, reading)
                    for of_words, start in by_class
                ]
                self._add_levelled(number, missing, texts)
            case Places() | Slope():
                raise AssertionError("Bayes tables have no pairs and no weights")
            case _:
                assert_never(term)

    def _finite(self, logs: Floats, sizes: Floats) -> tuple[Floats, Bools]:
        """[·, class alive] what each line adds, a zero's log as its limit for ever less smoothing (1/N; a
        class without rows has no N); and is it a zero?"""
        none = np.isneginf(logs)
        with np.errstate(divide="ignore"):
            limit = np.where(sizes > 0, -np.log(sizes), 0.0)
        return apart(np.where(none, limit, logs))[:, self.alive], none[:, self.alive]

    def _add(self, added: Sequence[f.Expression], none: Bools, zeros: Sequence[f.Expression]) -> None:
        """What a column adds to each class alive; and its zeros, of those that have some."""
        for c, term, zeros_of_class, zero in zip(self.alive, added, none.T, zeros, strict=True):
            self.added[c].append(term)
            if zeros_of_class.any():
                self.impossibles.zeros.setdefault(c, []).append(zero)

    def _add_curve(self, c: int, curve: CurveOfClass) -> None:
        self.impossibles.curves.setdefault(c, []).append(curve)

    def _add_levelled(self, number: int, missing: f.StepTest, heights: Sequence[f.Expression]) -> None:
        """Logs less the largest of them; an empty cell adds nothing, nor does a number far out."""
        names = [f"height_{number}_{c + 1}" for c in self.every]
        of_numbers = not isinstance(heights[0], f.LogOfWords)
        for c, height in enumerate(heights):
            cases = [f.ChoiceCase(missing, f.ZERO)]
            if of_numbers:
                cases.append(f.ChoiceCase(far_out(self.impossibles.curves[c][-1]), LOWEST))
            self.steps.append(ProgramStep(names[c], f.Choose(tuple(cases), height)))
        top = f"top_{number}"
        self.steps.append(ProgramStep(top, f.Extreme("max", f.earlier(names))))
        for c in self.alive:
            own = f.Earlier(names[c])
            above: f.Expression = own - f.Earlier(top)
            self.added[c].append(
                f.where(f.Compared(own, "≤", LOWEST), f.ZERO, above) if of_numbers else above
            )


def _counted(
    missing: f.StepTest, counted: f.StepTest, then: f.Expression, otherwise: f.Expression = f.ZERO
) -> f.Expression:
    """Of an empty cell nothing, of a number above 0 the one, else the other."""
    return f.where(missing, f.ZERO, f.where(counted, then, otherwise))


# Rows that a class, or every class, of Bayes tables makes impossible, as steps; as in `predicting/bayes.py`.
#
# A count of 0 that nothing smooths is a zero. A number is far out where the square of its distance from a
# curve is too large for a float. A class with either has no share; where every class has, those with the
# fewest zeros are left and, of numbers far out, the one whose curves are nearest, counted in their widths.


LOWEST: Final = f.Number(-sys.float_info.max)
_NEARLY: Final = f.Number(1.0 + 1e-10)  # curves that are as near but for this are equally near


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

    zeros: dict[int, list[f.Expression]] = field(default_factory=dict)
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
                steps.append(ProgramStep(f"zeros_{c + 1}", f.Sum(tuple(self.zeros[c]))))
                tests.append(f.Compared(f.Earlier(f"zeros_{c + 1}"), ">", f.ZERO))
            tests += [far_out(each) for each in self.curves.get(c, ())]
            dead = f.where(f.AnyOf(tuple(tests)), f.ONE, f.ZERO) if tests else f.ZERO
            steps.append(ProgramStep(f"impossible_{c + 1}", dead, whole=True))
        lost = f.AllOf(tuple(_is_one(f"impossible_{c + 1}") for c in classes))
        steps.append(ProgramStep("lost", f.where(lost, f.ONE, f.ZERO), "by all", whole=True))
        is_lost = _is_one("lost")
        by_zeros = self._by_zeros(steps, classes, is_lost) if self.zeros else {}
        by_curves = self._by_curves(steps, classes, is_lost, by_zeros) if self.curves else {}
        for c in classes:
            worse = [tests[c] for tests in (by_zeros, by_curves) if c in tests]
            cases = [f.ChoiceCase(f.AllOf((is_lost, each)), f.ONE) for each in worse]
            out = f.Choose((*cases, f.ChoiceCase(is_lost, f.ZERO)), f.Earlier(f"impossible_{c + 1}"))
            steps.append(ProgramStep(f"out_{c + 1}", out, whole=True))
        return steps

    def _by_zeros(
        self, steps: list[ProgramStep], classes: Sequence[int], is_lost: f.StepTest
    ) -> dict[int, f.StepTest]:
        """By class: has it more zeros than another one?"""
        for c in classes:
            zeros = f.Earlier(f"zeros_{c + 1}") if c in self.zeros else f.ZERO
            steps.append(ProgramStep(f"spared_{c + 1}", f.ZERO - zeros, when=is_lost))
        spared = {c: f.Earlier(f"spared_{c + 1}") for c in classes}
        fewest = f.Extreme("max", tuple(spared.values()))
        steps.append(ProgramStep("spared", fewest, "fewest zeros", when=is_lost))
        return {c: f.Compared(own, "<", f.Earlier("spared")) for c, own in spared.items()}

    def _by_curves(
        self,
        steps: list[ProgramStep],
        classes: Sequence[int],
        is_lost: f.StepTest,
        by_zeros: dict[int, f.StepTest],
    ) -> dict[int, f.StepTest]:
        """By class: is a number far out, and are another class's curves nearer?"""
        # Squares of what is far out are too large: all distances are divided by the largest first.
        largest = tuple(
            _known(each.name, f.Absolute(f.CellNumber(each.name))) for each in self.curves[classes[0]]
        )
        steps.append(ProgramStep("largest_number", f.Extreme("max", (f.ONE, *largest)), when=is_lost))
        for c in classes:
            away = f.ZERO - f.Sum(tuple(_known(each.name, _square(each)) for each in self.curves[c]))
            near = f.where(by_zeros[c], LOWEST, away) if c in by_zeros else away
            steps.append(ProgramStep(f"nearness_{c + 1}", near, when=is_lost))
        nearness = {c: f.Earlier(f"nearness_{c + 1}") for c in classes}
        nearest = f.Extreme("max", tuple(nearness.values()))
        steps.append(ProgramStep("nearness", nearest * _NEARLY, when=is_lost))
        far = f.AnyOf(tuple(far_out(each) for c in classes for each in self.curves[c]))
        return {c: f.AllOf((f.Compared(own, "<", f.Earlier("nearness")), far)) for c, own in nearness.items()}


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


def _known(name: str, formula: f.Expression) -> f.Expression:
    """A formula of a known cell; 0 of an empty one."""
    return f.where(f.Holds(IsMissing(name)), f.ZERO, formula)


def _square(curve: CurveOfClass) -> f.Expression:
    """(distance ÷ the largest)² ÷ 2σ²."""
    cell = f.CellNumber(curve.name)
    part = f.Extreme("max", (curve.low - cell, cell - curve.high, f.ZERO)) / f.Earlier("largest_number")
    return f.Product((part, part, f.Number(curve.precision)))
