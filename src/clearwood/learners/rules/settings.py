"""Settings that several learners of rules have, declared once."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from clearwood.bounds import Whole
from clearwood.learners.discretising import CutMethod
from clearwood.registry import Letter, OnlyWith

IfNoRuleHolds: TypeAlias = Annotated[
    Literal["majority", "abstain"], "If no rule holds, predict the majority class, or nothing (abstain)."
]
MaxConditions: TypeAlias = Annotated[
    int | None, Whole(1), Letter("max_conditions"), "Most conditions in a rule; none: no limit."
]
CutsBeforeRules: TypeAlias = Annotated[
    CutMethod, "How numeric columns are cut: mdl uses the classes; width and frequency make equal parts."
]
BinsBeforeRules: TypeAlias = Annotated[
    int,
    Whole(2),
    OnlyWith("cuts", ("width", "frequency"), at_the_shell=True),
    "The number of intervals, with width and frequency.",
]
