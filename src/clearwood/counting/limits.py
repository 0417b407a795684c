"""Limits: what a region's probability, or mean, must lie between, so that a tree only rises with a column.

After a split on a column with a direction, the middle between its two sides bounds everything below either of
them: whatever is asked there, no row of the lower side is given more than a row of the upper one. Every node
keeps to its bounds, not the leaves alone, so that the tree goes one way wherever it is pruned.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.records import dataclass

if TYPE_CHECKING:
    from clearwood.counting.question import Question
    from clearwood.counting.task import Region, Task

Bounds: TypeAlias = tuple[float, float]
UNBOUNDED: Final[Bounds] = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class MonotoneLimits:
    """`signs` by position in the schema: 1 where the probability of the last class, or the mean, may only
    rise with the column, −1 where it may only fall, 0 where it is free.

    What is nearer to a bound than `margin`, or to the other side of its split, is not admitted: rounding
    decides nothing. Nothing is lost by that, for below two equal sides of such a split all would be equal.
    `of` is the class that is spoken of; of a number there is none.
    """

    signs: tuple[int, ...]
    margin: float
    of: str = ""

    def apply(self, attribute: int, bounds: Bounds) -> bool:
        """Is there anything that a split on this attribute must keep to here?"""
        return bool(self.signs[attribute]) or bounds != UNBOUNDED


def limited_value(task: Task, counts: Floats) -> Floats:
    """[..., level] → [...]: what is limited, with the factors of priors and costs, which change no order."""
    if task.numbers is not None:
        return task.numbers.centre_and_error(counts)[0]
    whole = counts.sum(axis=-1)
    share: Floats = counts[..., -1] / np.where(whole > 0, whole, 1.0)
    return share


def admitted(
    task: Task,
    region: Region,
    attribute: int,
    counts: Floats,
    ordered: Bools | bool,
    spread: Floats | None = None,
) -> Bools:
    """[way] of counts [way, branch, level]: are its branches within the bounds, and in the stated order?

    `ordered` [way] are those whose second branch has the larger values. With `spread` [level] those rows go
    down every branch, in parts; a branch without rows predicts as the node above it.
    """
    limits = task.limits
    if limits is None or not limits.apply(attribute, region.bounds):
        return np.ones(len(counts), dtype=np.bool_)
    weights = task.weight(counts)
    if spread is not None and len(counts):
        counts = counts + (weights / weights.sum(axis=1, keepdims=True))[..., None] * spread
    values = limited_value(task, counts)
    low, high = region.bounds
    outside = (values <= low + limits.margin) | (values >= high - limits.margin)
    allowed: Bools = np.logical_not((outside & (weights > 0)).any(axis=1))
    sign = limits.signs[attribute]
    if sign and len(counts):
        in_order: Bools = sign * (values[:, 1] - values[:, 0]) > limits.margin
        allowed &= in_order | np.logical_not(ordered)
    return allowed


def admits(task: Task, question: Question, region: Region, branches: list[Region]) -> bool:
    """The same of a question, once the rows that its branches do not take have followed theirs."""
    if task.limits is None:
        return True
    counts = np.array([[task.counts(each) for each in branches]])
    return bool(admitted(task, region, question.attribute, counts, is_ordered(question))[0])


def bounds_below(task: Task, question: Question, region: Region, branches: list[Region]) -> list[Bounds]:
    """What each branch's probability must lie between."""
    sign = 0 if task.limits is None else task.limits.signs[question.attribute]
    if not sign or not is_ordered(question):
        return [region.bounds] * len(branches)
    low, high = region.bounds
    middle = float(limited_value(task, np.array([task.counts(each) for each in branches])).mean())
    lower, upper = (low, middle), (middle, high)
    return [lower, upper] if sign > 0 else [upper, lower]


def is_ordered(question: Question) -> bool:
    """Has every branch known cells? What is known has no order beside what is empty."""
    return all(each.codes or each.low < math.inf for each in question.branches)
