"""In which order shortened rules, which may overlap, are asked, and what they then get wrong."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from clearwood.measures import Floats, wilson
from clearwood.models.nodes import Ints
from clearwood.predict.satisfied import Places, Satisfied, Words, taken, weights_by_class
from clearwood.simplify.rules.training_rows import Truth

Order: TypeAlias = Literal["fewest_errors", "given", "confidence"]

ORDERS: Final[tuple[Order, ...]] = get_args(Order)


def places_of(rules: Satisfied, truth: Truth, otherwise: int, order: Order) -> Places:
    """[place] which rule comes there."""
    given = np.arange(len(truth.then))
    if order == "given":
        return given
    sorted_ = _by_confidence(rules, truth)
    if order == "confidence":
        return sorted_
    as_given = errors_of(*answered(rules, truth), truth.then, otherwise)
    as_sorted = errors_of(*answered(rules.in_order(sorted_), truth), truth.then[sorted_], otherwise)
    return sorted_ if as_sorted < as_given * (1 - 1e-10) else given


def answered(rules: Satisfied, truth: Truth) -> tuple[Floats, Floats]:
    """[rule, class] the rows each rule answers, and [class] those that reach no rule."""
    own, left = taken(rules.covered(), rules.rows)
    counted = _counts(np.concatenate([own, left[None]]), truth)
    return counted[:-1], counted[-1]


def errors_of(counts: Floats, unanswered: Floats, then: Ints, otherwise: int) -> float:
    """The weight of the rows answered wrongly, or not at all."""
    right = float(counts[np.arange(len(counts)), then].sum())
    right += float(unanswered[otherwise]) if otherwise >= 0 else 0.0
    return float(counts.sum() + unanswered.sum()) - right


def _by_confidence(rules: Satisfied, truth: Truth) -> Places:
    """[place] the rules by the lower end of Wilson's interval, on all rows each covers; first of equals."""
    covered = _counts(rules.covered(), truth)
    right = covered[np.arange(len(covered)), truth.then]
    low, _ = wilson(right, covered.sum(axis=1))
    return np.argsort(-low.round(12), kind="stable")


def _counts(sets: Words, truth: Truth) -> Floats:
    return weights_by_class(sets, truth.target, truth.weights, truth.classes)
