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

from clearwood.arrays import Floats
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Above, Below, IsMissing
from clearwood.models.columns_used import inputs_used
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import (
    ROUNDING,
    BayesTerm,
    Bell,
    ByValue,
    Hills,
    Presence,
    Times,
    apart,
    log_priors,
    terms_of,
)
from clearwood.models.kinds.bayes.word_terms import ByWord
from clearwood.models.program.deciding import decided_by_shares
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.table.attributes import Nominal, Ordinal


def program_of_bayes(model: BayesTables) -> ModelProgram:
    """The program of Bayes tables. A class whose prior is 0 has share 0."""
    classes = model.schema.classes
    priors = log_priors(model).tolist()
    alive = [c for c, prior in enumerate(priors) if prior > -math.inf]
    columns = _Columns(model, alive, {c: [f.Number(priors[c])] for c in alive})
    for number, term in enumerate(terms_of(model), 1):
        columns.add(term, number)
    steps = [*columns.steps]
    steps += [ProgramStep(f"log_{c + 1}", f.Sum(tuple(columns.added[c])), f"of {classes[c]}") for c in alive]
    outs: dict[int, f.StepTest] = {}
    if columns.impossibles.may_be:
        steps += columns.impossibles.steps(alive)
        outs = {c: f.Compared(f.Earlier(f"out_{c + 1}"), "=", f.ONE) for c in alive}
    steps.append(
        ProgramStep("most", f.Extreme("max", tuple(_unless(outs, c, LOWEST, _log(c)) for c in alive)))
    )
    # Classes that only rounding sets apart are equal.
    reach = f.Product((f.Number(ROUNDING), f.Sum((f.ONE, f.Absolute(f.Earlier("most"))))))
    steps.append(ProgramStep("level", f.difference(f.Earlier("most"), reach)))
    raised = []
    for c, name in enumerate(classes):
        power: f.Expression = f.ZERO
        if c in columns.added:
            as_much = f.ChoiceCase(f.Compared(_log(c), "≥", f.Earlier("level")), f.ONE)
            power = f.Choose((as_much,), f.Exp(f.difference(_log(c), f.Earlier("most"))))
            power = _unless(outs, c, f.ZERO, power)
        raised.append(ProgramStep(f"raised_{c + 1}", power, f"of {name}"))
    total = ProgramStep("raised", f.Sum(tuple(f.Earlier(step.name) for step in raised)))
    shares = [
        ProgramStep(f"share_{c}", f.Quotient(f.Earlier(step.name), f.Earlier("raised")), step.about)
        for c, step in enumerate(raised, 1)
    ]
    rest = decided_by_shares([step.name for step in shares], model.decision, classes)
    steps += [*raised, total, *shares, *rest.steps]
    return ModelProgram(inputs_used(model), tuple(steps), rest.answer, classes, rest.shares)


def _log(c: int) -> f.Expression:
    return f.Earlier(f"log_{c + 1}")


def _unless(
    outs: dict[int, f.StepTest], c: int, instead: f.Expression, formula: f.Expression
) -> f.Expression:
    return f.Choose((f.ChoiceCase(outs[c], instead),), formula) if c in outs else formula


class _Columns:
    """The steps of the columns, what each adds to the classes' logs, and what it makes impossible."""

    def __init__(
        self, model: BayesTables, alive: Sequence[int], added: dict[int, list[f.Expression]]
    ) -> None:
        self.model, self.alive, self.added = model, list(alive), added
        self.every = range(len(model.schema.classes))  # those without a prior count in what is taken out
        self.steps: list[ProgramStep] = []
        self.impossibles = Impossibles()

    def add(self, term: BayesTerm, number: int) -> None:
        """The steps of a column; what it adds is put to each class's terms."""
        name = term.name
        missing = f.Holds(IsMissing(name))
        match term:
            case ByValue(_, logs, unseen, sizes, cuts):
                self._add_places(name, number, np.vstack([logs, np.zeros_like(unseen), unseen]), sizes, cuts)
            case Bell(_, constants, means, precisions):
                heights: dict[int, f.Expression] = {}
                for c in self.every:
                    mean, precision = float(means[c]), float(precisions[c])
                    away = f.difference(f.CellNumber(name), f.Number(mean))
                    fall = f.Product((away, away, f.Number(precision)))
                    heights[c] = f.difference(f.Number(float(constants[c])), fall)
                    self._add_curve(c, CurveOfClass(name, mean, mean, precision, bell_limit(precision)))
                self._add_levelled(number, missing, heights)
            case Hills(_, points, shares, widths):
                heights = {
                    c: f.LogOfBells(name, tuple(points[c].tolist()), tuple(shares[c].tolist()), widths[c])
                    for c in self.every
                }
                for c in self.every:
                    first, last = float(points[c][0]), float(points[c][-1])
                    precision = 0.5 / widths[c] / widths[c]
                    limit = bell_limit(0.5) * math.sqrt(2.0) * widths[c]
                    self._add_curve(c, CurveOfClass(name, first, last, precision, limit))
                self._add_levelled(number, missing, heights)
            case Times(_, logs, sizes):
                counted = f.Compared(f.CellNumber(name), ">", f.ZERO)
                none = np.isneginf(logs)
                own = apart(np.where(none, _in_the_limit(sizes), logs))[self.alive]
                for c, log in zip(self.alive, own.tolist(), strict=True):
                    times = f.Product((f.CellNumber(name), f.Number(log)))
                    self.added[c].append(_counted(missing, counted, times))
                    if none[c]:
                        self._add_zero(c, _counted(missing, counted, f.CellNumber(name)))
            case Presence(_, present, absent, sizes):
                self._add_presence(missing, name, present, absent, sizes)
            case ByWord(_, words, word_logs, base, once, reading):
                heights = {
                    c: f.LogOfWords(
                        name, words, tuple(word_logs[:, c].tolist()), float(base[c]), once, reading
                    )
                    for c in self.every
                }
                self._add_levelled(number, missing, heights)
            case _:
                assert_never(term)

    def _add_places(
        self, name: str, number: int, logs: Floats, sizes: Floats, cuts: tuple[float, ...] | None
    ) -> None:
        """A log for each value or interval; then of a missing cell, then of a value never met."""
        none = np.isneginf(logs)
        rows = apart(np.where(none, _in_the_limit(sizes), logs))[:, self.alive]
        at = f"place_{number}"
        attribute = self.model.schema[name]
        place: f.Expression
        if cuts is not None:
            place = f.PlaceOfNumber(name, cuts, missing=len(cuts) + 1)
        else:
            assert isinstance(attribute, Nominal | Ordinal)
            values = attribute.values
            place = f.PlaceOfValue(name, values, missing=len(values), unseen=len(values) + 1)
        self.steps.append(ProgramStep(at, place, f"of {name}", whole=True))
        for c, column in zip(self.alive, rows.T.tolist(), strict=True):
            self.added[c].append(f.Lookup(tuple(column), at))
            if none[:, c].any():
                self._add_zero(c, f.Lookup(tuple(none[:, c].astype(np.float64).tolist()), at))

    def _add_presence(
        self, missing: f.StepTest, name: str, present: Floats, absent: Floats, sizes: Floats
    ) -> None:
        """One log where the number is above 0, another where it is not."""
        met = f.Compared(f.CellNumber(name), ">", f.ZERO)
        both = np.vstack([present, absent])
        none = np.isneginf(both)
        there, not_there = apart(np.where(none, _in_the_limit(sizes), both))[:, self.alive].tolist()
        for c, yes, no in zip(self.alive, there, not_there, strict=True):
            self.added[c].append(_counted(missing, met, f.Number(yes), f.Number(no)))
            if none[:, c].any():
                self._add_zero(c, _counted(missing, met, *(f.Number(float(each)) for each in none[:, c])))

    def _add_zero(self, c: int, zero: f.Expression) -> None:
        self.impossibles.zeros.setdefault(c, []).append(zero)

    def _add_curve(self, c: int, curve: CurveOfClass) -> None:
        self.impossibles.curves.setdefault(c, []).append(curve)

    def _add_levelled(self, number: int, missing: f.StepTest, heights: dict[int, f.Expression]) -> None:
        """Logs less the largest of them; an empty cell adds nothing, nor does a number far out."""
        far = {c: far_out(self.impossibles.curves[c][-1]) for c in heights if c in self.impossibles.curves}
        names = {c: f"height_{number}_{c + 1}" for c in heights}
        for c, height in heights.items():
            cases = [f.ChoiceCase(missing, f.ZERO)]
            if not isinstance(height, f.LogOfWords):
                cases.append(f.ChoiceCase(far[c], LOWEST))
            self.steps.append(ProgramStep(names[c], f.Choose(tuple(cases), height)))
        top = f"top_{number}"
        self.steps.append(ProgramStep(top, f.Extreme("max", tuple(map(f.Earlier, names.values())))))
        for c in self.alive:
            name = names[c]
            above: f.Expression = f.difference(f.Earlier(name), f.Earlier(top))
            if not isinstance(heights[c], f.LogOfWords):
                above = f.Choose((f.ChoiceCase(f.Compared(f.Earlier(name), "≤", LOWEST), f.ZERO),), above)
            self.added[c].append(above)


def _counted(
    missing: f.StepTest, counted: f.StepTest, then: f.Expression, otherwise: f.Expression = f.ZERO
) -> f.Expression:
    """Of an empty cell nothing, of a number above 0 the one, else the other."""
    return f.Choose((f.ChoiceCase(missing, f.ZERO),), f.Choose((f.ChoiceCase(counted, then),), otherwise))


def _in_the_limit(sizes: Floats) -> Floats:
    """[class] the log of a zero for ever less smoothing: 1/N; a class without rows has no N."""
    with np.errstate(divide="ignore"):
        limit: Floats = np.where(sizes > 0, -np.log(sizes), 0.0)
    return limit


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
            dead = f.Choose((f.ChoiceCase(f.AnyOf(tuple(tests)), f.ONE),), f.ZERO) if tests else f.ZERO
            steps.append(ProgramStep(f"impossible_{c + 1}", dead, whole=True))
        lost = f.AllOf(tuple(f.Compared(f.Earlier(f"impossible_{c + 1}"), "=", f.ONE) for c in classes))
        steps.append(
            ProgramStep("lost", f.Choose((f.ChoiceCase(lost, f.ONE),), f.ZERO), "by all", whole=True)
        )
        is_lost = f.Compared(f.Earlier("lost"), "=", f.ONE)
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
            steps.append(ProgramStep(f"spared_{c + 1}", f.difference(f.ZERO, zeros), when=is_lost))
        fewest = f.Extreme("max", tuple(f.Earlier(f"spared_{c + 1}") for c in classes))
        steps.append(ProgramStep("spared", fewest, "fewest zeros", when=is_lost))
        return {c: f.Compared(f.Earlier(f"spared_{c + 1}"), "<", f.Earlier("spared")) for c in classes}

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
        largest: tuple[f.Expression, ...] = tuple(
            _known(each.name, f.Absolute(f.CellNumber(each.name))) for each in self.curves[classes[0]]
        )
        steps.append(ProgramStep("largest_number", f.Extreme("max", (f.ONE, *largest)), when=is_lost))
        for c in classes:
            squares = tuple(_known(each.name, _square(each)) for each in self.curves[c])
            away: f.Expression = f.Sum(squares)
            if c in by_zeros:
                away = f.Choose((f.ChoiceCase(by_zeros[c], LOWEST),), f.difference(f.ZERO, away))
            else:
                away = f.difference(f.ZERO, away)
            steps.append(ProgramStep(f"nearness_{c + 1}", away, when=is_lost))
        nearest = f.Extreme("max", tuple(f.Earlier(f"nearness_{c + 1}") for c in classes))
        steps.append(ProgramStep("nearness", f.Product((nearest, _NEARLY)), when=is_lost))
        far = f.AnyOf(tuple(far_out(each) for c in classes for each in self.curves[c]))
        return {
            c: f.AllOf((f.Compared(f.Earlier(f"nearness_{c + 1}"), "<", f.Earlier("nearness")), far))
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


def _known(name: str, formula: f.Expression) -> f.Expression:
    """A formula of a known cell; 0 of an empty one."""
    return f.Choose((f.ChoiceCase(f.Holds(IsMissing(name)), f.ZERO),), formula)


def _square(curve: CurveOfClass) -> f.Expression:
    """(distance ÷ the largest)² ÷ 2σ²."""
    cell = f.CellNumber(curve.name)
    below, above = f.difference(f.Number(curve.low), cell), f.difference(cell, f.Number(curve.high))
    part = f.Quotient(f.Extreme("max", (below, above, f.ZERO)), f.Earlier("largest_number"))
    return f.Product((part, part, f.Number(curve.precision)))
