"""The interval of an answer that a decision chose: of that class's share, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clearwood.derive.trees.leaves import interval_figures
from clearwood.formulas.expressions import ValueOf
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure

_ENDS: Final = ("interval from", "interval to")


def with_interval_of(answer: str | None, step: Step, model: Model) -> Step:
    """The step that ended in an answer by shares alone, its interval that of the answer by the decision.

    It has one where `intervals` has: not of a row without an answer, nor of shares that were changed.
    """
    if not any(each.name in _ENDS for each in step.figures):
        return step
    others = [each for each in step.figures if each.name not in _ENDS]
    decision = model.decision
    by_rule = isinstance(model, RuleList)
    if answer is None or decision.adjusts or (by_rule and decision.cutoff is not None):
        return replace(step, figures=tuple(others))
    if by_rule:
        return step  # without a cutoff the first rule that holds answers, whatever the decision
    p = next(_named(each) for each in others if each.share_of == answer)
    n = next(_named(each) for each in others if each.name == "n")
    return replace(step, figures=(*others, *interval_figures(p.value * n.value, n.value, p=p, n=n)))


def _named(figure: Figure) -> ValueOf:
    assert isinstance(figure.value, float)
    return ValueOf(figure.name, figure.value)
