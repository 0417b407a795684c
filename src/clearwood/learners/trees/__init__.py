"""Trees: each learner beside its definition over counts, and pruning. A new learner is a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clearwood.learners.entry import LearnerEntry


def _price_by_folds(settings: Mapping[str, Any]) -> tuple[str, ...]:
    by_folds = isinstance(settings.get("alpha"), str)  # a rule to choose it by, in place of a number
    return ("the price of a leaf, by cross-validation",) if by_folds else ()


LEARNERS: Final[dict[str, LearnerEntry]] = {
    "id3": LearnerEntry(
        f"{__name__}.id3:ID3",
        "A branch per value, by information gain (Quinlan 1986).",
        "tree",
        steps="clearwood.deriving.trees.id3:worker",
        compared_by=("Gain",),
        compared_as="ID3",
    ),
    "c45": LearnerEntry(
        f"{__name__}.c45:C45",
        "Gain ratio, error-based pruning (Quinlan 1993).",
        "tree",
        steps="clearwood.deriving.trees.c45:worker",
        compared_by=("Gain", "Gain ratio"),
        compared_as="C4.5",
    ),
    "cart": LearnerEntry(
        f"{__name__}.cart:CART",
        "Binary splits, classes or numbers (Breiman et al. 1984).",
        "tree",
        steps="clearwood.deriving.trees.cart:worker",
        compared_by=("Decrease",),
        chooses=_price_by_folds,
        compared_as="CART",
    ),
    "chaid": LearnerEntry(
        f"{__name__}.chaid:CHAID",
        "Values merged by significance tests, adjusted p-values (Kass 1980).",
        "tree",
        steps="clearwood.deriving.trees.chaid:worker",
        compared_by=("adjusted p",),
        compared_as="CHAID",
    ),
    "exhaustive-chaid": LearnerEntry(
        f"{__name__}.chaid:CHAID",
        "CHAID that tries every merge (Biggs et al. 1991).",
        "tree",
        {"exhaustive": True},
        steps="clearwood.deriving.trees.chaid:worker",
        compared_by=("adjusted p",),
    ),
}
