"""How conditions are tested: the settings of simplification, refused when wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Floats, Ints
from clearwood.bounds import Within
from clearwood.errors import SettingError
from clearwood.learners.rules.simplifying.condition_tests import ChooseBy, TestName, Truth
from clearwood.measures.intervals import wilson
from clearwood.predicting.satisfied import BitWords, RulePositions, taken, weights_by_class
from clearwood.registry import Letter, check

# In which order shortened rules, which may overlap, are tried, and what they then get wrong.


Order: TypeAlias = Literal["fewest_errors", "given", "confidence"]


def places_of(covered: BitWords, truth: Truth, otherwise: int, order: Order) -> RulePositions:
    """[place] which rule comes there; `covered` [rule, word] are the rows of each."""
    given = np.arange(len(truth.then))
    if order == "given":
        return given
    sorted_ = _by_confidence(covered, truth)
    if order == "confidence":
        return sorted_
    as_given = errors_of(*answered(covered, truth), truth.then, otherwise, truth)
    as_sorted = errors_of(*answered(covered[sorted_], truth), truth.then[sorted_], otherwise, truth)
    return sorted_ if as_sorted < as_given * (1 - 1e-10) else given


def answered(covered: BitWords, truth: Truth) -> tuple[Floats, Floats]:
    """[rule, class] the rows each rule answers, and [class] those that reach no rule."""
    own, left = taken(covered, len(truth.target))
    return _counts(own, truth), _counts(left[None], truth)[0]


def errors_of(counts: Floats, unanswered: Floats, then: Ints, otherwise: int, truth: Truth) -> float:
    """The weight of the rows answered wrongly or not at all, each times what that costs."""
    return float((counts * truth.costs[:, then].T).sum() + unanswered @ truth.costs[:, otherwise])


def _by_confidence(covered: BitWords, truth: Truth) -> RulePositions:
    """[place] the rules by the lower end of Wilson's interval, on all rows each covers; first of equals."""
    counts = _counts(covered, truth)
    right = counts[np.arange(len(counts)), truth.then]
    low, _ = wilson(right, counts.sum(axis=1))
    return np.argsort(-low.round(12), kind="stable")


def _counts(sets: BitWords, truth: Truth) -> Floats:
    return weights_by_class(sets, truth.target, truth.weights, truth.classes)


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
