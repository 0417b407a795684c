"""CART's choice: the two-way split that lowers the impurity most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from clearwood.learners.by_counts.question import Question, Takes
from clearwood.learners.by_counts.questions.cuts import count_cuts, two_sides
from clearwood.learners.by_counts.questions.two_groups import divisions
from clearwood.learners.by_counts.questions.values import count_values
from clearwood.learners.by_counts.stand_ins import find_stand_ins
from clearwood.learners.by_counts.task import Region, Task
from clearwood.learners.by_counts.ties import better, enough, first_best
from clearwood.learners.cart import CART
from clearwood.measures import gain
from clearwood.measures.counts import Floats, shares
from clearwood.table.attributes import Nominal


@dataclass(frozen=True, slots=True)
class _Ways:
    """Every way tried to part an attribute's known cells in two."""

    counts: Floats  # [way, side, level]
    missing: Floats  # [level]
    branches: Callable[[int], tuple[Takes, Takes]]  # of a way


def ask(learner: CART, task: Task, region: Region, counts: Floats) -> Question | None:
    """The best question here, or None where nothing can be parted or the decrease is too small.

    A split that lowers nothing is still a split while `min_decrease` is 0: what it parts may be
    told apart further down.
    """
    if not enough(float(counts.sum()), learner.min_rows):
        return None
    scale = float(task.impurity(counts * task.factors))
    chosen: Question | None = None
    best = float("-inf")
    for position, column in enumerate(task.columns):
        if column is None:
            continue
        ways = _ways(task, position, region)
        takes_side = learner.missing == "direction" and bool(ways.missing.sum() > 0)
        found = (_with_direction if takes_side else _as_known)(learner, task, position, ways, scale)
        if found is not None and better(found.scores[0], best, scale):
            chosen, best = found, found.scores[0]
    if chosen is None or not _lowers_enough(learner, task, counts, best, scale):
        return None
    if learner.missing == "surrogates" and _has_missing(task, chosen.attribute):
        return replace(chosen, stand_ins=find_stand_ins(task, chosen, region, learner.surrogates))
    return chosen


def _ways(task: Task, position: int, region: Region) -> _Ways:
    attribute = task.schema.attributes[position]
    if not isinstance(attribute, Nominal):
        cuts = count_cuts(task, position, region)
        return _Ways(
            cuts.counts,
            cuts.missing,
            lambda i: two_sides(attribute, float(cuts.below[i]), float(cuts.above[i])),
        )
    values = count_values(task, position, region)
    groups = [
        (first, tuple(code for code in values.present if code not in first))
        for first in divisions(values.counts * task.factors, values.present, task.values)
    ]
    sides = [[values.counts[list(group)].sum(axis=0) for group in pair] for pair in groups]
    counts = np.array(sides).reshape(len(groups), 2, task.levels)
    return _Ways(counts, values.missing, lambda i: (Takes(codes=groups[i][0]), Takes(codes=groups[i][1])))


def _as_known(learner: CART, task: Task, position: int, ways: _Ways, scale: float) -> Question | None:
    """The best way by the known cells; its decrease counts for the part of the weight that is known."""
    weights = ways.counts.sum(axis=2)
    allowed = [i for i, w in enumerate(weights.tolist()) if enough(min(w), learner.min_leaf)]
    scored = ways.counts[allowed] * task.factors
    known = scored.sum(axis=(1, 2))
    decreases = known / (known + (ways.missing * task.factors).sum()) * gain(scored, task.impurity)
    best = first_best(decreases.tolist(), scale)
    if best < 0:
        return None
    way = allowed[best]
    share = shares(weights[way])
    return Question(
        position,
        ways.branches(way),
        (float(decreases[best]),),
        tuple(share.tolist()),
        int(share[1] > share[0]),
    )


def _with_direction(learner: CART, task: Task, position: int, ways: _Ways, scale: float) -> Question | None:
    """The best way with the empty cells on one side; of equals the side with more known weight, then the first."""
    known = ways.counts.sum(axis=2)
    larger = (known[:, 1] > known[:, 0]).astype(np.int64)
    side = np.stack([larger, 1 - larger], axis=1).ravel()
    counts = np.repeat(ways.counts, 2, axis=0)
    counts[np.arange(len(side)), side] += ways.missing
    weights = counts.sum(axis=2)
    allowed = [i for i, w in enumerate(weights.tolist()) if enough(min(w), learner.min_leaf)]
    decreases = gain(counts[allowed] * task.factors, task.impurity)
    best = first_best(decreases.tolist(), scale)
    if best < 0:
        return None
    way = allowed[best]
    first, second = ways.branches(way // 2)
    branches = (
        replace(first, or_missing=bool(side[way] == 0)),
        replace(second, or_missing=bool(side[way] == 1)),
    )
    share = shares(weights[way])
    return Question(
        position, branches, (float(decreases[best]),), tuple(share.tolist()), int(share[1] > share[0])
    )


def _lowers_enough(learner: CART, task: Task, counts: Floats, decrease: float, scale: float) -> bool:
    """Is the decrease, as a part of the whole table's, at least `min_decrease`?"""
    whole = float((task.weights * task.factors[task.target]).sum())
    part = float((counts * task.factors).sum()) / whole
    return not better(learner.min_decrease, part * decrease, scale)


def _has_missing(task: Task, attribute: int) -> bool:
    """Has the attribute an empty cell anywhere in the training table?"""
    column = task.columns[attribute]
    assert column is not None
    cells = column[task.weights > 0]
    return bool((np.isnan(cells) if cells.dtype.kind == "f" else cells < 0).any())
