"""How conditions are tested: the settings of simplification, refused when wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from clearwood.advice import Advice
from clearwood.bounds import Within
from clearwood.errors import SettingError
from clearwood.learners.rules.simplifying.condition_tests import ChooseBy, TestName
from clearwood.learners.rules.simplifying.ordering import Order
from clearwood.registry import Letter, check

Alpha: TypeAlias = Annotated[
    float,
    Within(0, 1, including_high=True),
    Letter("alpha"),
    "A condition is dropped if its p-value is above this.",
]
Tables: TypeAlias = Annotated[
    Literal["marginal", "conditional"],
    "Test a condition on all rows (marginal), or on those that satisfy the rule's others (conditional).",
]
ChosenBy: TypeAlias = Annotated[
    ChooseBy, "The expected count that chooses the test: the largest or the smallest."
]
OneTest: TypeAlias = Annotated[
    TestName | None, "One test for all conditions; none: chosen by their expected counts."
]
Against: TypeAlias = Annotated[
    Literal["class", "classes"],
    "What a condition is tested against: the rule's class or not, or all classes.",
]
Adjust: TypeAlias = Annotated[
    Literal["holm", "benjamini_hochberg"] | None,
    "Adjust the p-values of all conditions tested together; none: no adjustment.",
]
DropConditions: TypeAlias = Annotated[bool, "Test the conditions and drop those that chance explains."]
DropRules: TypeAlias = Annotated[bool, "Drop the rules that no training row needs."]
InOrder: TypeAlias = Annotated[Order, "The order of the shortened rules."]


@dataclass(frozen=True, slots=True, kw_only=True)
class HowTested:
    """Which table of which rows, which test, and how significant is enough."""

    alpha: Alpha = 0.05
    tables: Tables = "marginal"
    choose_by: ChosenBy = "largest"
    test: OneTest = None
    against: Against = "class"
    adjust: Adjust = None

    def __post_init__(self) -> None:
        check(self)

    def check_for(self, classes: int) -> None:
        """Refuse a test of 2×2 tables where there are wider ones."""
        if self.against == "classes" and classes > 2 and self.test in ("yates", "fisher"):
            raise SettingError(
                f"test='{self.test}' is for tables of 2×2, and against='classes' makes them 2×{classes}. "
                "Use ",
                Advice("against", "class", setting=True),
                ", or leave test out.",
            )
