"""Limits at a node: are its branches within the bounds, and what lies below them between which?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.counting.limits import Bounds
from clearwood.counting.question import Question
from clearwood.learners.trees.counted import Region, TreeTask


def limited_value(task: TreeTask, counts: Floats) -> Floats:
    """[..., level] → [...]: what is limited, with the factors of priors and costs, which change no order."""
    if task.numbers is not None:
        return task.numbers.centre_and_error(counts)[0]
    whole = counts.sum(axis=-1)
    share: Floats = counts[..., -1] / np.where(whole > 0, whole, 1.0)
    return share


def limited_values(regions: Sequence[Region]) -> Floats:
    """[region] the same of regions."""
    return np.array([float(limited_value(each.task, each.counts)) for each in regions])


def admitted(
    region: Region, attribute: int, counts: Floats, ordered: Bools | bool, spread: Floats | None = None
) -> Bools:
    """[way] of counts [way, branch, level]: are its branches within the bounds, and in the stated order?

    `ordered` [way] are those whose second branch has the larger values. With `spread` [level] those rows go
    down every branch, in parts; a branch without rows predicts as the node above it.
    """
    task = region.task
    if task.limits is None or not task.limits.apply(attribute, region.bounds):
        return np.ones(len(counts), dtype=np.bool_)
    weights = task.weight(counts)
    if spread is not None and len(counts):
        counts = counts + (weights / weights.sum(axis=1, keepdims=True))[..., None] * spread
    return _within(region, attribute, limited_value(task, counts), weights, ordered)


def admits(region: Region, question: Question, branches: Sequence[Region]) -> bool:
    """The same of a question, once the rows that its branches do not take have followed theirs."""
    limits = region.task.limits
    if limits is None or not limits.apply(question.attribute, region.bounds):
        return True
    weights = np.array([float(each.task.weight(each.counts)) for each in branches])
    values = limited_values(branches)
    return bool(_within(region, question.attribute, values[None], weights[None], is_ordered(question))[0])


def _within(region: Region, attribute: int, values: Floats, weights: Floats, ordered: Bools | bool) -> Bools:
    """[way] of the values and weights [way, branch]."""
    limits = region.task.limits
    assert limits is not None
    low, high = region.bounds
    outside = (values <= low + limits.margin) | (values >= high - limits.margin)
    allowed: Bools = np.logical_not((outside & (weights > 0)).any(axis=1))
    sign = limits.signs[attribute]
    if sign and len(values):
        in_order: Bools = sign * (values[:, 1] - values[:, 0]) > limits.margin
        allowed &= in_order | np.logical_not(ordered)
    return allowed


def bounds_below(region: Region, question: Question, branches: Sequence[Region]) -> list[Bounds]:
    """What each branch's probability must lie between."""
    sign = 0 if region.task.limits is None else region.task.limits.signs[question.attribute]
    if not sign or not is_ordered(question):
        return [region.bounds] * len(branches)
    low, high = region.bounds
    middle = float(limited_values(branches).mean())
    lower, upper = (low, middle), (middle, high)
    return [lower, upper] if sign > 0 else [upper, lower]


def is_ordered(question: Question) -> bool:
    """Has every branch known cells? What is known has no order beside what is empty."""
    return all(each.codes or each.low < math.inf for each in question.branches)
