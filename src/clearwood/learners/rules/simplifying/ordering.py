"""In which order shortened rules, which may overlap, are tried, and what they then get wrong."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.learners.rules.simplifying.training_rows import Truth
from clearwood.measures.wilson import wilson
from clearwood.predict.satisfied import BitWords, RulePositions, taken, weights_by_class

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
