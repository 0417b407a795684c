"""The link as steps: from the scores of a sum to shares or a number, as `predict/linking.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from clearwood.export.program.formula import (
    ONE,
    ZERO,
    Absolute,
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Divided,
    Earlier,
    ExpOf,
    Largest,
    Minus,
    Multiplied,
    StepFormula,
    Total,
)
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
            return [ProgramStep("number", ExpOf(Earlier(scores[0])))], ("number",)
        case "logistic":
            score = Earlier(scores[0])
            tail = ProgramStep("tail", ExpOf(Minus(ZERO, Absolute(score))))
            under = Total((ONE, Earlier("tail")))
            likely, other = Divided(ONE, under), Divided(Earlier("tail"), under)
            positive = Compare(score, ">=", ZERO)
            first = ProgramStep("linked_1", Choose((ChoiceCase(positive, other),), likely))
            second = ProgramStep("linked_2", Choose((ChoiceCase(positive, likely),), other))
            return _with_factors([tail, first, second], ("linked_1", "linked_2"), decision)
        case "softmax":
            highest = ProgramStep("highest", Largest(tuple(Earlier(each) for each in scores)))
            raised = [
                ProgramStep(f"raised_{c}", ExpOf(Minus(Earlier(each), Earlier("highest"))))
                for c, each in enumerate(scores, 1)
            ]
            total = ProgramStep("raised", Total(tuple(Earlier(each.name) for each in raised)))
            shares = [
                ProgramStep(f"linked_{c}", Divided(Earlier(each.name), Earlier("raised")))
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
        ProgramStep(f"weighed_{c}", Multiplied((Earlier(share), Constant(factor))))
        for c, (share, factor) in enumerate(zip(shares, decision.factors, strict=True), 1)
    ]
    total = ProgramStep("weighed", Total(tuple(Earlier(each.name) for each in weighed)))
    some = Compare(Earlier("weighed"), ">", ZERO)
    even: StepFormula = Constant(1.0 / len(shares))
    by_factor = [
        ProgramStep(
            f"factored_{c}",
            Choose((ChoiceCase(some, Divided(Earlier(each.name), Earlier("weighed"))),), even),
        )
        for c, each in enumerate(weighed, 1)
    ]
    return [*steps, *weighed, total, *by_factor], tuple(each.name for each in by_factor)
