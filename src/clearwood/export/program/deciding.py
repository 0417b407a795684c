"""A decision as steps: from shares to adjusted shares and the answer, as in `predict/deciding.py`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import assert_never

from clearwood.export.program.formula import (
    ONE,
    ZERO,
    AllOf,
    AnyOf,
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Divided,
    Earlier,
    ExpOf,
    Largest,
    LogOf,
    Minus,
    Multiplied,
    StepFormula,
    StepTest,
    Total,
)
from clearwood.export.program.program import ProgramStep
from clearwood.models.decision import Calibrator, Decision, Isotonic, Platt

NO_ANSWER = Constant(-1.0)


@dataclass(frozen=True, slots=True)
class DecidedSteps:
    """Steps, and which of them are the shares of the classes and the place of the class that answers."""

    steps: tuple[ProgramStep, ...]
    shares: tuple[str, ...]
    answer: str


def decided_by_shares(
    shares: Sequence[str],
    decision: Decision,
    classes: Sequence[str],
    *,
    plainly: StepFormula | None = None,
    may_be_silent: bool = False,
    when: StepTest | None = None,
    before: str = "",
) -> DecidedSteps:
    """The steps behind the steps `shares`.

    `plainly` is the answer where neither costs nor a cutoff choose it, if not that of the largest share;
    `may_be_silent`: all shares may be 0, and then nothing is said. `before` begins the names of the steps.
    """
    steps: list[ProgramStep] = []
    named = tuple(shares)

    def lay(stage: str, formulas: Sequence[StepFormula]) -> tuple[str, ...]:
        names = tuple(f"{before}{stage}_{place}" for place in range(1, len(formulas) + 1))
        steps.extend(ProgramStep(name, value, when=when) for name, value in zip(names, formulas, strict=True))
        return names

    if decision.calibration is not None:
        parts = lay("calibrated", _calibrated(named, decision.calibration))
        named = lay(
            "mended", _divided(steps, parts, [Earlier(each) for each in named], before, "calibrated", when)
        )
    if decision.prevalence:
        factors = [
            new / old if old > 0 else 0.0
            for new, old in zip(decision.prevalence, decision.trained_at, strict=True)
        ]
        parts = lay(
            "moved",
            [Multiplied((Earlier(each), Constant(by))) for each, by in zip(named, factors, strict=True)],
        )
        instead = [Constant(each) for each in decision.prevalence]
        named = lay("prevalent", _divided(steps, parts, instead, before, "moved", when))
    silent = AllOf(tuple(Compare(Earlier(each), "=", ZERO) for each in shares)) if may_be_silent else None
    if silent is not None and decision.adjusts:
        named = lay("heard", [Choose((ChoiceCase(silent, ZERO),), Earlier(each)) for each in named])
    open_rows: list[StepTest] = [] if silent is None else [silent]
    if decision.refer is not None:
        best = Largest(tuple(Earlier(each) for each in named))
        open_rows.append(Compare(best, "<", Constant(decision.refer)))
    answer: StepFormula
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            answer = _by_cutoff(named, classes.index(decision.cutoff.positive), decision.cutoff.at)
        case "costs":
            costs = lay("cost", _expected(named, decision.costs))
            answer = place_of_least(costs)
        case "share":
            answer = place_of_largest(named) if plainly is None or not decision.is_plain else plainly
        case _:
            assert_never(decision.by)
    if open_rows:
        answer = Choose((ChoiceCase(AnyOf(tuple(open_rows)), NO_ANSWER),), answer)
    steps.append(ProgramStep(f"{before}answer", answer, "the place of the class", whole=True, when=when))
    return DecidedSteps(tuple(steps), named, f"{before}answer")


def place_of_largest(steps: Sequence[str]) -> StepFormula:
    """The place of the first step that no other is above."""
    return _first(steps, ">=")


def place_of_least(steps: Sequence[str]) -> StepFormula:
    """The place of the first step that no other is below."""
    return _first(steps, "<=")


def _first(steps: Sequence[str], sign: str) -> StepFormula:
    """A step need only be compared with those after it: one before it that is as good was taken already."""
    cases = []
    for place, step in enumerate(steps[:-1]):
        tests = tuple(
            Compare(Earlier(step), ">=" if sign == ">=" else "<=", Earlier(other))
            for other in steps[place + 1 :]
        )
        cases.append(ChoiceCase(AllOf(tests), Constant(float(place))))
    last = Constant(float(len(steps) - 1))
    return Choose(tuple(cases), last) if cases else last


def _by_cutoff(shares: Sequence[str], positive: int, at: float) -> StepFormula:
    others = [place for place in range(len(shares)) if place != positive]
    if not others:
        return Constant(float(positive))
    best = _first([shares[place] for place in others], ">=")
    places = {float(k): Constant(float(place)) for k, place in enumerate(others)}
    renamed: StepFormula
    if isinstance(best, Choose):
        assert isinstance(best.otherwise, Constant)
        cases = tuple(ChoiceCase(case.when, places[_constant(case.then)]) for case in best.cases)
        renamed = Choose(cases, places[best.otherwise.value])
    else:
        renamed = places[_constant(best)]
    enough = Compare(Earlier(shares[positive]), ">=", Constant(at))
    return Choose((ChoiceCase(enough, Constant(float(positive))),), renamed)


def _constant(formula: StepFormula) -> float:
    assert isinstance(formula, Constant)
    return formula.value


def _expected(shares: Sequence[str], costs: Sequence[Sequence[float]]) -> list[StepFormula]:
    return [
        Total(
            tuple(
                Multiplied((Earlier(share), Constant(costs[truth][called])))
                for truth, share in enumerate(shares)
            )
        )
        for called in range(len(shares))
    ]


def _calibrated(shares: Sequence[str], calibration: Calibrator) -> list[StepFormula]:
    match calibration:
        case Platt(slopes, intercepts, least):
            return [
                _platt(Earlier(share), slope, intercept, least)
                for share, slope, intercept in zip(shares, slopes, intercepts, strict=True)
            ]
        case Isotonic(at, share_at):
            return [
                _interpolated(Earlier(share), places, steps)
                for share, places, steps in zip(shares, at, share_at, strict=True)
            ]
        case _:
            assert_never(calibration)


def _platt(share: StepFormula, slope: float, intercept: float, least: float) -> StepFormula:
    # The ends are constants: a spreadsheet, which compares to fifteen digits, has 1 − (1 − least) for 0.
    most = 1.0 - least
    end = math.log(most) - math.log(1.0 - most)
    start = math.log(least) - math.log(1.0 - least)
    odds = Choose(
        (
            ChoiceCase(Compare(share, "<=", Constant(least)), Constant(start)),
            ChoiceCase(Compare(share, ">=", Constant(most)), Constant(end)),
        ),
        Minus(LogOf(share), LogOf(Minus(ONE, share))),
    )
    score = Total((Multiplied((Constant(slope), odds)), Constant(intercept)))
    return Divided(ONE, Total((ONE, ExpOf(Multiplied((Constant(-1.0), score))))))


def _interpolated(share: StepFormula, places: Sequence[float], steps: Sequence[float]) -> StepFormula:
    """Between two places a straight line, as NumPy's interp draws it; outside them the nearest."""
    cases = [ChoiceCase(Compare(share, "<=", Constant(places[0])), Constant(steps[0]))]
    for (low, high), (first, last) in zip(pairwise(places), pairwise(steps), strict=True):
        slope = (last - first) / (high - low)
        line = Total((Multiplied((Constant(slope), Minus(share, Constant(low)))), Constant(first)))
        cases.append(ChoiceCase(Compare(share, "<", Constant(high)), line))
        cases.append(ChoiceCase(Compare(share, "=", Constant(high)), Constant(last)))
    return Choose(tuple(cases), Constant(steps[-1]))


def _divided(
    steps: list[ProgramStep],
    parts: Sequence[str],
    instead: Sequence[StepFormula],
    before: str,
    stage: str,
    when: StepTest | None,
) -> list[StepFormula]:
    """Shares of the sum of the parts; `instead` where there is nothing to divide."""
    total = f"{before}{stage}_total"
    steps.append(ProgramStep(total, Total(tuple(Earlier(each) for each in parts)), when=when))
    some = Compare(Earlier(total), ">", ZERO)
    return [
        Choose((ChoiceCase(some, Divided(Earlier(part), Earlier(total))),), other)
        for part, other in zip(parts, instead, strict=True)
    ]
