"""A decision as steps: from shares to adjusted shares and the answer, as in `models/decision.py`."""

import math
from collections.abc import Iterable, Iterator, Sequence
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
        silent = f.AllOf(tuple(f.Compared(each, "=", f.ZERO) for each in f.earlier(shares)))
        no_answer.append(silent)
        if decision.adjusts:
            named = laid.stage("heard", [f.where(silent, f.ZERO, each) for each in f.earlier(named)])
    if decision.refer is not None:
        best = f.Extreme("max", f.earlier(named))
        no_answer.append(f.Compared(best, "<", f.Number(decision.refer)))
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            answer = _by_cutoff(named, classes.index(decision.cutoff.positive), decision.cutoff.at)
        case "costs":
            answer = _first(laid.stage("cost", _expected(named, decision.costs)), "≤")
        case "share":
            answer = place_of_largest(named) if plainly is None or not decision.is_plain else plainly
        case _:
            assert_never(decision.by)
    if no_answer:
        answer = f.where(f.AnyOf(tuple(no_answer)), NO_ANSWER, answer)
    name = f"{before}answer"
    laid.steps.append(ProgramStep(name, answer, "the place of the class", whole=True, when=when))
    return DecidedSteps(tuple(laid.steps), named, name)


@dataclass(frozen=True, slots=True)
class _Laid:
    """The steps so far, stage after stage; `before` begins their names."""

    before: str = ""
    when: f.StepTest | None = None
    steps: list[ProgramStep] = field(default_factory=list)

    def stage(self, stage: str, formulas: Iterable[f.Expression]) -> tuple[str, ...]:
        """A step for each formula, by its place; their names."""
        laid = [
            ProgramStep(f"{self.before}{stage}_{place}", value, when=self.when)
            for place, value in enumerate(formulas, 1)
        ]
        self.steps.extend(laid)
        return tuple(step.name for step in laid)

    def divided(
        self, stage: str, of: str, parts: Sequence[str], instead: Sequence[f.Expression]
    ) -> tuple[str, ...]:
        """A stage of the parts' shares of their sum, the step `of`; `instead` where that is 0."""
        total = f"{self.before}{of}"
        self.steps.append(ProgramStep(total, f.Sum(f.earlier(parts)), when=self.when))
        some = f.Compared(f.Earlier(total), ">", f.ZERO)
        pairs = zip(f.earlier(parts), instead, strict=True)
        return self.stage(stage, [f.where(some, part / f.Earlier(total), other) for part, other in pairs])


def _adjusted(laid: _Laid, shares: tuple[str, ...], decision: Decision) -> tuple[str, ...]:
    """The shares after calibration and by the true prevalence."""
    if decision.calibration is not None:
        parts = laid.stage("calibrated", _calibrated(f.earlier(shares), decision.calibration))
        shares = laid.divided("mended", "calibrated_total", parts, f.earlier(shares))
    if decision.prevalence:
        pairs = zip(decision.prevalence, decision.trained_at, strict=True)
        ratios = [new / old if old > 0 else 0.0 for new, old in pairs]
        moved = [each * by for each, by in zip(f.earlier(shares), ratios, strict=True)]
        instead = [f.Number(each) for each in decision.prevalence]
        shares = laid.divided("prevalent", "moved_total", laid.stage("moved", moved), instead)
    return shares


def place_of_largest(steps: Sequence[str]) -> f.Expression:
    """The place of the first step that no other is above."""
    return _first(steps, "≥")


def _first(steps: Sequence[str], sign: f.Sign, places: Sequence[int] | None = None) -> f.Expression:
    """The place of the first step that stands so to all others, counted from 0 unless `places` name it. Each
    need only be compared with those after it: one before it that is as good was taken already."""
    numbers = [f.Number(float(place)) for place in places or range(len(steps))]
    cases = []
    for place, (step, number) in enumerate(zip(steps[:-1], numbers, strict=False), 1):
        tests = tuple(f.Compared(f.Earlier(step), sign, other) for other in f.earlier(steps[place:]))
        cases.append(f.ChoiceCase(f.AllOf(tests), number))
    return f.Choose(tuple(cases), numbers[-1]) if cases else numbers[-1]


def _by_cutoff(shares: Sequence[str], positive: int, at: float) -> f.Expression:
    others = [place for place in range(len(shares)) if place != positive]
    number = f.Number(float(positive))
    if not others:
        return number
    enough = f.Compared(f.Earlier(shares[positive]), "≥", f.Number(at))
    return f.where(enough, number, _first([shares[place] for place in others], "≥", others))


def _expected(shares: Sequence[str], costs: Sequence[Sequence[float]]) -> Iterator[f.Expression]:
    for called in range(len(shares)):
        paid = zip(f.earlier(shares), costs, strict=True)
        yield f.Sum(tuple(share * row[called] for share, row in paid))


def _calibrated(shares: Sequence[f.Expression], calibration: Calibrator) -> list[f.Expression]:
    match calibration:
        case Platt(slopes, intercepts, least):
            lines = zip(shares, slopes, intercepts, strict=True)
            return [_platt(share, slope, intercept, least) for share, slope, intercept in lines]
        case Isotonic(at, share_at):
            steps = zip(shares, at, share_at, strict=True)
            return [_interpolated(share, places, own) for share, places, own in steps]
        case _:
            assert_never(calibration)


def _platt(share: f.Expression, slope: float, intercept: float, least: float) -> f.Expression:
    # The ends are constants: a spreadsheet, which compares to fifteen digits, has 1 − (1 − least) for 0.
    most = 1.0 - least
    start = math.log(least) - math.log(1.0 - least)
    end = math.log(most) - math.log(1.0 - most)
    odds = f.Choose(
        (
            f.ChoiceCase(f.Compared(share, "≤", f.Number(least)), f.Number(start)),
            f.ChoiceCase(f.Compared(share, "≥", f.Number(most)), f.Number(end)),
        ),
        f.Log(share, "e") - f.Log(1.0 - share, "e"),
    )
    score = slope * odds + intercept
    return 1.0 / (1.0 + f.Exp(-1.0 * score))


def _interpolated(share: f.Expression, places: Sequence[float], steps: Sequence[float]) -> f.Expression:
    """Between two places a straight line, as NumPy's interp draws it; outside them the nearest."""
    cases = [f.ChoiceCase(f.Compared(share, "≤", f.Number(places[0])), f.Number(steps[0]))]
    for (low, high), (first, last) in zip(pairwise(places), pairwise(steps), strict=True):
        line = (last - first) / (high - low) * (share - low) + first
        cases.append(f.ChoiceCase(f.Compared(share, "<", f.Number(high)), line))
        cases.append(f.ChoiceCase(f.Compared(share, "=", f.Number(high)), f.Number(last)))
    return f.Choose(tuple(cases), f.Number(steps[-1]))


def shares_of_powers(powers: Iterable[f.Expression], classes: Sequence[str]) -> list[ProgramStep]:
    """What e is raised to for each class, their sum, and the share of each: `share_1`, …"""
    raised = [
        ProgramStep(f"raised_{c}", power, f"of {name}")
        for c, (power, name) in enumerate(zip(powers, classes, strict=True), 1)
    ]
    total = ProgramStep("raised", f.Sum(f.earlier(step.name for step in raised)))
    shares = [
        ProgramStep(f"share_{c}", f.Earlier(step.name) / f.Earlier("raised"), step.about)
        for c, step in enumerate(raised, 1)
    ]
    return [*raised, total, *shares]


def linked_steps(
    scores: Sequence[str], link: Link, decision: Decision
) -> tuple[list[ProgramStep], tuple[str, ...]]:
    """The steps behind the scores, and which of them are the shares, or the number."""
    laid = _Laid()
    score = f.Earlier(scores[0])
    match link:
        case "identity":
            return [], (scores[0],)
        case "exp":
            return [ProgramStep("number", f.Exp(score))], ("number",)
        case "logistic":
            laid.steps.append(ProgramStep("tail", f.Exp(f.ZERO - f.Absolute(score))))
            tail = f.Earlier("tail")
            likely, other = f.ONE / (f.ONE + tail), tail / (f.ONE + tail)
            positive = f.Compared(score, "≥", f.ZERO)
            shares = laid.stage(
                "linked", (f.where(positive, other, likely), f.where(positive, likely, other))
            )
        case "softmax":
            laid.steps.append(ProgramStep("highest", f.Extreme("max", f.earlier(scores))))
            above = [each - f.Earlier("highest") for each in f.earlier(scores)]
            raised = laid.stage("raised", map(f.Exp, above))
            laid.steps.append(ProgramStep("raised", f.Sum(f.earlier(raised))))
            shares = laid.stage("linked", [each / f.Earlier("raised") for each in f.earlier(raised)])
        case _:
            assert_never(link)
    if decision.factors:  # equal shares where there is nothing to divide
        pairs = zip(f.earlier(shares), decision.factors, strict=True)
        weighed = laid.stage("weighed", [share * factor for share, factor in pairs])
        even = [f.Number(1.0 / len(shares))] * len(shares)
        shares = laid.divided("factored", "weighed", weighed, even)
    return laid.steps, shares
