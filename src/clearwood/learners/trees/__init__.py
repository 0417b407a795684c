"""Trees: each learner beside its definition over counts, and pruning. A new learner is a line here."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from clearwood.learners.entry import LearnerEntry, family_entry


def _price_by_folds(settings: Mapping[str, Any]) -> tuple[str, ...]:
    by_folds = isinstance(settings.get("alpha"), str)  # a rule to choose it by, in place of a number
    return ("the price of a leaf, by cross-validation",) if by_folds else ()


_entry: Final = partial(family_entry, "trees", "tree", "worker")
LEARNERS: Final[dict[str, LearnerEntry]] = {
    "id3": _entry(
        "id3:ID3",
        "A branch per value, by information gain (Quinlan 1986).",
        compared_by=("Gain",),
        compared_as="ID3",
    ),
    "c45": _entry(
        "c45:C45",
        "Gain ratio, error-based pruning (Quinlan 1993).",
        compared_by=("Gain", "Gain ratio"),
        compared_as="C4.5",
    ),
    "cart": _entry(
        "cart:CART",
        "Binary splits, classes or numbers (Breiman et al. 1984).",
        compared_by=("Decrease",),
        chooses=_price_by_folds,
        compared_as="CART",
    ),
    "chaid": _entry(
        "chaid:CHAID",
        "Values merged by significance tests, adjusted p-values (Kass 1980).",
        compared_by=("adjusted p",),
        compared_as="CHAID",
    ),
    "exhaustive-chaid": _entry(
        "chaid:CHAID",
        "CHAID that tries every merge (Biggs et al. 1991).",
        compared_by=("adjusted p",),
        presets={"exhaustive": True},
    ),
}
