"""Bayes tables as steps: what each column adds to the log of each class, and shares from their sums.

Of each cell the largest log is taken out first, as `predict/bayes.py` does; `impossible_rows.py` has what is
done where a class meets a probability of 0. A count above 1e300 is not followed: its logs are no floats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.export.program.deciding import decided_by_shares
from clearwood.export.program.formula import (
    ONE,
    ZERO,
    Absolute,
    CellNumber,
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Divided,
    Earlier,
    ExpOf,
    Holds,
    Largest,
    LogOfBells,
    LogOfWords,
    Lookup,
    Minus,
    Multiplied,
    PlaceOfNumber,
    PlaceOfValue,
    StepFormula,
    StepTest,
    Total,
)
from clearwood.export.program.impossible_rows import LOWEST, CurveOfClass, Impossibles, bell_limit, far_out
from clearwood.export.program.inputs import inputs_of
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import IsMissing
from clearwood.predict.bayes_terms import (
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
from clearwood.predict.words import ByWord
from clearwood.table.attributes import Nominal, Ordinal


def program_of_bayes(model: BayesTables) -> ModelProgram:
    """The program of Bayes tables. A class whose prior is 0 has share 0."""
    classes = model.schema.classes
    priors = log_priors(model).tolist()
    alive = [c for c, prior in enumerate(priors) if prior > -math.inf]
    columns = _Columns(model, alive, {c: [Constant(priors[c])] for c in alive})
    for number, term in enumerate(terms_of(model), 1):
        columns.add(term, number)
    steps = [*columns.steps]
    steps += [ProgramStep(f"log_{c + 1}", Total(tuple(columns.added[c])), f"of {classes[c]}") for c in alive]
    outs: dict[int, StepTest] = {}
    if columns.impossibles.may_be:
        steps += columns.impossibles.steps(alive)
        outs = {c: Compare(Earlier(f"out_{c + 1}"), "=", ONE) for c in alive}
    steps.append(ProgramStep("most", Largest(tuple(_unless(outs, c, LOWEST, _log(c)) for c in alive))))
    # Classes that only rounding sets apart are equal.
    reach = Multiplied((Constant(ROUNDING), Total((ONE, Absolute(Earlier("most"))))))
    steps.append(ProgramStep("level", Minus(Earlier("most"), reach)))
    raised = []
    for c, name in enumerate(classes):
        power: StepFormula = ZERO
        if c in columns.added:
            as_much = ChoiceCase(Compare(_log(c), ">=", Earlier("level")), ONE)
            power = Choose((as_much,), ExpOf(Minus(_log(c), Earlier("most"))))
            power = _unless(outs, c, ZERO, power)
        raised.append(ProgramStep(f"raised_{c + 1}", power, f"of {name}"))
    total = ProgramStep("raised", Total(tuple(Earlier(step.name) for step in raised)))
    shares = [
        ProgramStep(f"share_{c}", Divided(Earlier(step.name), Earlier("raised")), step.about)
        for c, step in enumerate(raised, 1)
    ]
    rest = decided_by_shares([step.name for step in shares], model.decision, classes)
    steps += [*raised, total, *shares, *rest.steps]
    return ModelProgram(inputs_of(model), tuple(steps), rest.answer, classes, rest.shares)


def _log(c: int) -> StepFormula:
    return Earlier(f"log_{c + 1}")


def _unless(outs: dict[int, StepTest], c: int, instead: StepFormula, formula: StepFormula) -> StepFormula:
    return Choose((ChoiceCase(outs[c], instead),), formula) if c in outs else formula


class _Columns:
    """The steps of the columns, what each adds to the classes' logs, and what it makes impossible."""

    def __init__(self, model: BayesTables, alive: Sequence[int], added: dict[int, list[StepFormula]]) -> None:
        self.model, self.alive, self.added = model, list(alive), added
        self.every = range(len(model.schema.classes))  # those without a prior count in what is taken out
        self.steps: list[ProgramStep] = []
        self.impossibles = Impossibles()

    def add(self, term: BayesTerm, number: int) -> None:
        """The steps of a column; what it adds is put to each class's terms."""
        name = term.name
        missing = Holds(IsMissing(name))
        match term:
            case ByValue(_, logs, unseen, sizes, cuts):
                self._add_places(name, number, np.vstack([logs, np.zeros_like(unseen), unseen]), sizes, cuts)
            case Bell(_, constants, means, precisions):
                heights: dict[int, StepFormula] = {}
                for c in self.every:
                    mean, precision = float(means[c]), float(precisions[c])
                    away = Minus(CellNumber(name), Constant(mean))
                    fall = Multiplied((away, away, Constant(precision)))
                    heights[c] = Minus(Constant(float(constants[c])), fall)
                    self._add_curve(c, CurveOfClass(name, mean, mean, precision, bell_limit(precision)))
                self._add_levelled(number, missing, heights)
            case Hills(_, points, shares, widths):
                heights = {
                    c: LogOfBells(name, tuple(points[c].tolist()), tuple(shares[c].tolist()), widths[c])
                    for c in self.every
                }
                for c in self.every:
                    first, last = float(points[c][0]), float(points[c][-1])
                    precision = 0.5 / widths[c] / widths[c]
                    limit = bell_limit(0.5) * math.sqrt(2.0) * widths[c]
                    self._add_curve(c, CurveOfClass(name, first, last, precision, limit))
                self._add_levelled(number, missing, heights)
            case Times(_, logs, sizes):
                counted = Compare(CellNumber(name), ">", ZERO)
                none = np.isneginf(logs)
                own = apart(np.where(none, _in_the_limit(sizes), logs))[self.alive]
                for c, log in zip(self.alive, own.tolist(), strict=True):
                    times = Multiplied((CellNumber(name), Constant(log)))
                    self.added[c].append(_counted(missing, counted, times))
                    if none[c]:
                        self._add_zero(c, _counted(missing, counted, CellNumber(name)))
            case Presence(_, present, absent, sizes):
                self._add_presence(missing, name, present, absent, sizes)
            case ByWord(_, words, word_logs, base, once, reading):
                heights = {
                    c: LogOfWords(name, words, tuple(word_logs[:, c].tolist()), float(base[c]), once, reading)
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
        place: StepFormula
        if cuts is not None:
            place = PlaceOfNumber(name, cuts, missing=len(cuts) + 1)
        else:
            assert isinstance(attribute, Nominal | Ordinal)
            values = attribute.values
            place = PlaceOfValue(name, values, missing=len(values), unseen=len(values) + 1)
        self.steps.append(ProgramStep(at, place, f"of {name}", whole=True))
        for c, column in zip(self.alive, rows.T.tolist(), strict=True):
            self.added[c].append(Lookup(tuple(column), at))
            if none[:, c].any():
                self._add_zero(c, Lookup(tuple(none[:, c].astype(np.float64).tolist()), at))

    def _add_presence(
        self, missing: StepTest, name: str, present: Floats, absent: Floats, sizes: Floats
    ) -> None:
        """One log where the number is above 0, another where it is not."""
        met = Compare(CellNumber(name), ">", ZERO)
        both = np.vstack([present, absent])
        none = np.isneginf(both)
        there, not_there = apart(np.where(none, _in_the_limit(sizes), both))[:, self.alive].tolist()
        for c, yes, no in zip(self.alive, there, not_there, strict=True):
            self.added[c].append(_counted(missing, met, Constant(yes), Constant(no)))
            if none[:, c].any():
                self._add_zero(c, _counted(missing, met, *(Constant(float(each)) for each in none[:, c])))

    def _add_zero(self, c: int, zero: StepFormula) -> None:
        self.impossibles.zeros.setdefault(c, []).append(zero)

    def _add_curve(self, c: int, curve: CurveOfClass) -> None:
        self.impossibles.curves.setdefault(c, []).append(curve)

    def _add_levelled(self, number: int, missing: StepTest, heights: dict[int, StepFormula]) -> None:
        """Logs less the largest of them; an empty cell adds nothing, nor does a number far out."""
        far = {c: far_out(self.impossibles.curves[c][-1]) for c in heights if c in self.impossibles.curves}
        names = {c: f"height_{number}_{c + 1}" for c in heights}
        for c, height in heights.items():
            cases = [ChoiceCase(missing, ZERO)]
            if not isinstance(height, LogOfWords):
                cases.append(ChoiceCase(far[c], LOWEST))
            self.steps.append(ProgramStep(names[c], Choose(tuple(cases), height)))
        top = f"top_{number}"
        self.steps.append(ProgramStep(top, Largest(tuple(map(Earlier, names.values())))))
        for c in self.alive:
            name = names[c]
            above: StepFormula = Minus(Earlier(name), Earlier(top))
            if not isinstance(heights[c], LogOfWords):
                above = Choose((ChoiceCase(Compare(Earlier(name), "<=", LOWEST), ZERO),), above)
            self.added[c].append(above)


def _counted(
    missing: StepTest, counted: StepTest, then: StepFormula, otherwise: StepFormula = ZERO
) -> StepFormula:
    """Of an empty cell nothing, of a number above 0 the one, else the other."""
    return Choose((ChoiceCase(missing, ZERO),), Choose((ChoiceCase(counted, then),), otherwise))


def _in_the_limit(sizes: Floats) -> Floats:
    """[class] the log of a zero for ever less smoothing: 1/N; a class without rows has no N."""
    with np.errstate(divide="ignore"):
        limit: Floats = np.where(sizes > 0, -np.log(sizes), 0.0)
    return limit
