"""The link as steps: from the scores of a sum to shares or a number, as `predict/linking.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from clearwood.export.program import formula as f
from clearwood.export.program.program import ProgramStep
from clearwood.models.decision import Decision
from clearwood.models.ensemble import Link


def linked_steps(
    scores: Sequence[str], link: Link, decision: Decision
) -> tuple[list[ProgramStep], tuple[str, ...]]:
    """The steps behind the scores, and which of them are the shares, or the number."""
    match link:
        case "identity":
            return [], (scores[0],)
        case "exp":
            return [ProgramStep("number", f.ExpOf(f.Earlier(scores[0])))], ("number",)
        case "logistic":
            score = f.Earlier(scores[0])
            tail = ProgramStep("tail", f.ExpOf(f.Minus(f.ZERO, f.Absolute(score))))
            under = f.Total((f.ONE, f.Earlier("tail")))
            likely, other = f.Divided(f.ONE, under), f.Divided(f.Earlier("tail"), under)
            positive = f.Compare(score, ">=", f.ZERO)
            first = ProgramStep("linked_1", f.Choose((f.ChoiceCase(positive, other),), likely))
            second = ProgramStep("linked_2", f.Choose((f.ChoiceCase(positive, likely),), other))
            return _with_factors([tail, first, second], ("linked_1", "linked_2"), decision)
        case "softmax":
            highest = ProgramStep("highest", f.Largest(tuple(f.Earlier(each) for each in scores)))
            raised = [
                ProgramStep(f"raised_{c}", f.ExpOf(f.Minus(f.Earlier(each), f.Earlier("highest"))))
                for c, each in enumerate(scores, 1)
            ]
            total = ProgramStep("raised", f.Total(tuple(f.Earlier(each.name) for each in raised)))
            shares = [
                ProgramStep(f"linked_{c}", f.Divided(f.Earlier(each.name), f.Earlier("raised")))
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
        ProgramStep(f"weighed_{c}", f.Multiplied((f.Earlier(share), f.Constant(factor))))
        for c, (share, factor) in enumerate(zip(shares, decision.factors, strict=True), 1)
    ]
    total = ProgramStep("weighed", f.Total(tuple(f.Earlier(each.name) for each in weighed)))
    some = f.Compare(f.Earlier("weighed"), ">", f.ZERO)
    even: f.StepFormula = f.Constant(1.0 / len(shares))
    by_factor = [
        ProgramStep(
            f"factored_{c}",
            f.Choose((f.ChoiceCase(some, f.Divided(f.Earlier(each.name), f.Earlier("weighed"))),), even),
        )
        for c, each in enumerate(weighed, 1)
    ]
    return [*steps, *weighed, total, *by_factor], tuple(each.name for each in by_factor)
