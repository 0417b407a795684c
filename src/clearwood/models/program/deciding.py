"""A decision as steps: from shares to adjusted shares and the answer, as in `models/deciding.py`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import assert_never

from clearwood.formulas import expressions as f
from clearwood.models.decision import Calibrator, Decision, Isotonic, Platt
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.program.program import ProgramStep

NO_ANSWER = f.Number(-1.0)


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
    plainly: f.Expression | None = None,
    may_be_silent: bool = False,
    when: f.StepTest | None = None,
    before: str = "",
) -> DecidedSteps:
    """The steps behind the steps `shares`.

    `plainly` is the answer where neither costs nor a cutoff choose it, if not that of the largest share;
    `may_be_silent`: all shares may be 0, and then nothing is said. `before` begins the names of the steps.
    """
    laid = _Laid(before, when)
    named = _adjusted(laid, tuple(shares), decision)
    no_answer: list[f.StepTest] = []
    if may_be_silent:
        silent = f.AllOf(tuple(f.Compared(f.Earlier(each), "=", f.ZERO) for each in shares))
        no_answer.append(silent)
        if decision.adjusts:
            heard = [f.Choose((f.ChoiceCase(silent, f.ZERO),), f.Earlier(each)) for each in named]
            named = laid.stage("heard", heard)
    if decision.refer is not None:
        best = f.Extreme("max", tuple(f.Earlier(each) for each in named))
        no_answer.append(f.Compared(best, "<", f.Number(decision.refer)))
    answer = _answer(laid, named, decision, classes, plainly)
    if no_answer:
        answer = f.Choose((f.ChoiceCase(f.AnyOf(tuple(no_answer)), NO_ANSWER),), answer)
    name = f"{before}answer"
    laid.steps.append(ProgramStep(name, answer, "the place of the class", whole=True, when=when))
    return DecidedSteps(tuple(laid.steps), named, name)


@dataclass(frozen=True, slots=True)
class _Laid:
    """The steps so far, stage after stage; `before` begins their names."""

    before: str
    when: f.StepTest | None
    steps: list[ProgramStep] = field(default_factory=list)

    def stage(self, stage: str, formulas: Sequence[f.Expression]) -> tuple[str, ...]:
        """A step for each formula, by its place; their names."""
        names = tuple(f"{self.before}{stage}_{place}" for place in range(1, len(formulas) + 1))
        for name, value in zip(names, formulas, strict=True):
            self.steps.append(ProgramStep(name, value, when=self.when))
        return names

    def divided(
        self, stage: str, parts: Sequence[str], instead: Sequence[f.Expression]
    ) -> list[f.Expression]:
        """Shares of the sum of the stage's parts; `instead` where there is nothing to divide."""
        total = f"{self.before}{stage}_total"
        summed = f.Sum(tuple(f.Earlier(each) for each in parts))
        self.steps.append(ProgramStep(total, summed, when=self.when))
        some = f.Compared(f.Earlier(total), ">", f.ZERO)
        return [
            f.Choose((f.ChoiceCase(some, f.Quotient(f.Earlier(part), f.Earlier(total))),), other)
            for part, other in zip(parts, instead, strict=True)
        ]


def _adjusted(laid: _Laid, shares: tuple[str, ...], decision: Decision) -> tuple[str, ...]:
    """The shares after calibration and by the true prevalence."""
    if decision.calibration is not None:
        parts = laid.stage("calibrated", _calibrated(shares, decision.calibration))
        instead: list[f.Expression] = [f.Earlier(each) for each in shares]
        shares = laid.stage("mended", laid.divided("calibrated", parts, instead))
    if decision.prevalence:
        ratios = [
            new / old if old > 0 else 0.0
            for new, old in zip(decision.prevalence, decision.trained_at, strict=True)
        ]
        moved = [f.Product((f.Earlier(each), f.Number(by))) for each, by in zip(shares, ratios, strict=True)]
        parts = laid.stage("moved", moved)
        instead = [f.Number(each) for each in decision.prevalence]
        shares = laid.stage("prevalent", laid.divided("moved", parts, instead))
    return shares


def _answer(
    laid: _Laid,
    shares: tuple[str, ...],
    decision: Decision,
    classes: Sequence[str],
    plainly: f.Expression | None,
) -> f.Expression:
    """The place of the class that cutoff, costs or the largest share choose."""
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            return _by_cutoff(shares, classes.index(decision.cutoff.positive), decision.cutoff.at)
        case "costs":
            return place_of_least(laid.stage("cost", _expected(shares, decision.costs)))
        case "share":
            return place_of_largest(shares) if plainly is None or not decision.is_plain else plainly
        case _:
            assert_never(decision.by)


def place_of_largest(steps: Sequence[str]) -> f.Expression:
    """The place of the first step that no other is above."""
    return _first(steps, "≥")


def place_of_least(steps: Sequence[str]) -> f.Expression:
    """The place of the first step that no other is below."""
    return _first(steps, "≤")


def _first(steps: Sequence[str], sign: f.Sign) -> f.Expression:
    """A step need only be compared with those after it: one before it that is as good was taken already."""
    cases = []
    for place, step in enumerate(steps[:-1]):
        tests = tuple(f.Compared(f.Earlier(step), sign, f.Earlier(other)) for other in steps[place + 1 :])
        cases.append(f.ChoiceCase(f.AllOf(tests), f.Number(float(place))))
    last = f.Number(float(len(steps) - 1))
    return f.Choose(tuple(cases), last) if cases else last


def _by_cutoff(shares: Sequence[str], positive: int, at: float) -> f.Expression:
    others = [place for place in range(len(shares)) if place != positive]
    if not others:
        return f.Number(float(positive))
    best = _first([shares[place] for place in others], "≥")
    places = {float(k): f.Number(float(place)) for k, place in enumerate(others)}
    renamed: f.Expression
    if isinstance(best, f.Choose):
        cases = tuple(f.ChoiceCase(case.when, places[_constant(case.then)]) for case in best.cases)
        renamed = f.Choose(cases, places[_constant(best.otherwise)])
    else:
        renamed = places[_constant(best)]
    enough = f.Compared(f.Earlier(shares[positive]), "≥", f.Number(at))
    return f.Choose((f.ChoiceCase(enough, f.Number(float(positive))),), renamed)


def _constant(formula: f.Expression) -> float:
    assert isinstance(formula, f.Number)
    return float(formula.value)


def _expected(shares: Sequence[str], costs: Sequence[Sequence[float]]) -> list[f.Expression]:
    return [
        f.Sum(
            tuple(
                f.Product((f.Earlier(share), f.Number(costs[truth][called])))
                for truth, share in enumerate(shares)
            )
        )
        for called in range(len(shares))
    ]


def _calibrated(shares: Sequence[str], calibration: Calibrator) -> list[f.Expression]:
    match calibration:
        case Platt(slopes, intercepts, least):
            return [
                _platt(f.Earlier(share), slope, intercept, least)
                for share, slope, intercept in zip(shares, slopes, intercepts, strict=True)
            ]
        case Isotonic(at, share_at):
            return [
                _interpolated(f.Earlier(share), places, steps)
                for share, places, steps in zip(shares, at, share_at, strict=True)
            ]
        case _:
            assert_never(calibration)


def _platt(share: f.Expression, slope: float, intercept: float, least: float) -> f.Expression:
    # The ends are constants: a spreadsheet, which compares to fifteen digits, has 1 − (1 − least) for 0.
    most = 1.0 - least
    end = math.log(most) - math.log(1.0 - most)
    start = math.log(least) - math.log(1.0 - least)
    odds = f.Choose(
        (
            f.ChoiceCase(f.Compared(share, "≤", f.Number(least)), f.Number(start)),
            f.ChoiceCase(f.Compared(share, "≥", f.Number(most)), f.Number(end)),
        ),
        f.difference(f.Log(share, "e"), f.Log(f.difference(f.ONE, share), "e")),
    )
    score = f.Sum((f.Product((f.Number(slope), odds)), f.Number(intercept)))
    return f.Quotient(f.ONE, f.Sum((f.ONE, f.Exp(f.Product((f.Number(-1.0), score))))))


def _interpolated(share: f.Expression, places: Sequence[float], steps: Sequence[float]) -> f.Expression:
    """Between two places a straight line, as NumPy's interp draws it; outside them the nearest."""
    cases = [f.ChoiceCase(f.Compared(share, "≤", f.Number(places[0])), f.Number(steps[0]))]
    for (low, high), (first, last) in zip(pairwise(places), pairwise(steps), strict=True):
        slope = (last - first) / (high - low)
        line = f.Sum((f.Product((f.Number(slope), f.difference(share, f.Number(low)))), f.Number(first)))
        cases.append(f.ChoiceCase(f.Compared(share, "<", f.Number(high)), line))
        cases.append(f.ChoiceCase(f.Compared(share, "=", f.Number(high)), f.Number(last)))
    return f.Choose(tuple(cases), f.Number(steps[-1]))


def linked_steps(
    scores: Sequence[str], link: Link, decision: Decision
) -> tuple[list[ProgramStep], tuple[str, ...]]:
    """The steps behind the scores, and which of them are the shares, or the number."""
    match link:
        case "identity":
            return [], (scores[0],)
        case "exp":
            return [ProgramStep("number", f.Exp(f.Earlier(scores[0])))], ("number",)
        case "logistic":
            score = f.Earlier(scores[0])
            tail = ProgramStep("tail", f.Exp(f.difference(f.ZERO, f.Absolute(score))))
            under = f.Sum((f.ONE, f.Earlier("tail")))
            likely, other = f.Quotient(f.ONE, under), f.Quotient(f.Earlier("tail"), under)
            positive = f.Compared(score, "≥", f.ZERO)
            first = ProgramStep("linked_1", f.Choose((f.ChoiceCase(positive, other),), likely))
            second = ProgramStep("linked_2", f.Choose((f.ChoiceCase(positive, likely),), other))
            return _with_factors([tail, first, second], ("linked_1", "linked_2"), decision)
        case "softmax":
            highest = ProgramStep("highest", f.Extreme("max", tuple(f.Earlier(each) for each in scores)))
            raised = [
                ProgramStep(f"raised_{c}", f.Exp(f.difference(f.Earlier(each), f.Earlier("highest"))))
                for c, each in enumerate(scores, 1)
            ]
            total = ProgramStep("raised", f.Sum(tuple(f.Earlier(each.name) for each in raised)))
            shares = [
                ProgramStep(f"linked_{c}", f.Quotient(f.Earlier(each.name), f.Earlier("raised")))
                for c, each in enumerate(raised, 1)
            ]
            names = tuple(each.name for each in shares)
            return _with_factors([highest, *raised, total, *shares], names, decision)
        case _:
            assert_never(link)


def _with_factors(
    steps: list[ProgramStep], shares: tuple[str, ...], decision: Decision
) -> tuple[list[ProgramStep], tuple[str, ...]]:
    """Shares times the decision's factors, over their sum; equal ones where there is nothing to divide."""
    if not decision.factors:
        return steps, shares
    weighed = [
        ProgramStep(f"weighed_{c}", f.Product((f.Earlier(share), f.Number(factor))))
        for c, (share, factor) in enumerate(zip(shares, decision.factors, strict=True), 1)
    ]
    total = ProgramStep("weighed", f.Sum(tuple(f.Earlier(each.name) for each in weighed)))
    some = f.Compared(f.Earlier("weighed"), ">", f.ZERO)
    even: f.Expression = f.Number(1.0 / len(shares))
    by_factor = [
        ProgramStep(
            f"factored_{c}",
            f.Choose((f.ChoiceCase(some, f.Quotient(f.Earlier(each.name), f.Earlier("weighed"))),), even),
        )
        for c, each in enumerate(weighed, 1)
    ]
    return [*steps, *weighed, total, *by_factor], tuple(each.name for each in by_factor)
