"""CART's choice: the two-way split that lowers the impurity most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from clearwood.learners.by_counts.question import Question, Takes, is_empty
from clearwood.learners.by_counts.questions.cuts import count_cuts, two_sides
from clearwood.learners.by_counts.questions.two_groups import divisions
from clearwood.learners.by_counts.questions.values import Values, count_values
from clearwood.learners.by_counts.routing import taken_by
from clearwood.learners.by_counts.stand_ins import find_stand_ins
from clearwood.learners.by_counts.task import Region, Task
from clearwood.learners.by_counts.ties import better, enough, first_best
from clearwood.learners.cart import CART
from clearwood.measures import gain
from clearwood.measures.counts import Floats, shares
from clearwood.table.attributes import Nominal


@dataclass(frozen=True, slots=True)
class _Ways:
    """Every way tried to part an attribute's cells in two."""

    counts: Floats  # [way, side, level]
    missing: Floats  # [level] of the cells that go neither way
    branches: Callable[[int], tuple[Takes, Takes]]  # of a way


def ask(learner: CART, task: Task, region: Region, counts: Floats) -> Question | None:
    """The best question here, or None where nothing can be parted or the decrease is too small.

    A split that lowers nothing is still a split while `min_decrease` is 0: what it parts may be
    told apart further down.
    """
    if not enough(float(task.raw(counts).sum()), learner.min_rows):
        return None
    scale = float(task.impurity(counts))
    chosen: Question | None = None
    best = float("-inf")
    for position, column in enumerate(task.columns):
        if column is None:
            continue
        found = _best_way(learner, task, position, _ways(learner, task, position, region), scale)
        if found is not None and better(found.scores[0], best, scale):
            chosen, best = found, found.scores[0]
    if chosen is None or not _lowers_enough(learner, task, counts, best, scale):
        return None
    chosen = replace(chosen, otherwise=_larger_side(task, chosen, region))
    if learner.missing == "surrogates" and _has_missing(task, chosen.attribute):
        return replace(chosen, stand_ins=find_stand_ins(task, chosen, region, learner.surrogates))
    return chosen


def _ways(learner: CART, task: Task, position: int, region: Region) -> _Ways:
    attribute = task.schema.attributes[position]
    empty = is_empty(attribute, task.cells(position, region))
    joins_missing = learner.missing == "direction" and bool(empty.any())
    if isinstance(attribute, Nominal):
        return _groups(task, count_values(task, position, region), joins_missing)
    return _cuts(task, position, region, joins_missing)


def _groups(task: Task, values: Values, joins_missing: bool) -> _Ways:
    """Two groups of the values met here; with `joins_missing` the empty cells are a last value."""
    codes, rows, missing = values.present, values.counts[values.present], values.missing
    if joins_missing:
        rows, missing = np.vstack([rows, missing]), np.zeros_like(missing)
    places = None if task.values is None or task.error_of is None else task.error_of(task.values, rows)[0]
    parted = list(divisions(rows, places)) if codes else []

    def branches(way: int) -> tuple[Takes, Takes]:
        away, last = parted[way], len(codes)
        near = tuple(code for i, code in enumerate(codes) if i not in away)
        far = tuple(code for i, code in enumerate(codes) if i in away)
        return (
            Takes(codes=near, or_missing=joins_missing and last not in away),
            Takes(codes=far, or_missing=joins_missing and last in away),
        )

    far = np.array([rows[away].sum(axis=0) for away in parted]).reshape(-1, task.levels)
    near = np.array([np.delete(rows, away, axis=0).sum(axis=0) for away in parted]).reshape(-1, task.levels)
    return _Ways(np.stack([near, far], axis=1), missing, branches)


def _cuts(task: Task, position: int, region: Region, joins_missing: bool) -> _Ways:
    """Every cut; with `joins_missing` once with the empty cells above it, then once with them below."""
    attribute = task.schema.attributes[position]
    cuts = count_cuts(task, position, region)
    size = len(cuts.counts)

    def branches(way: int) -> tuple[Takes, Takes]:
        low, high = two_sides(attribute, float(cuts.below[way % size]), float(cuts.above[way % size]))
        if not joins_missing:
            return low, high
        return (low, replace(high, or_missing=True)) if way < size else (replace(low, or_missing=True), high)

    if not joins_missing:
        return _Ways(cuts.counts, cuts.missing, branches)
    above, below = cuts.counts.copy(), cuts.counts.copy()
    above[:, 1] += cuts.missing
    below[:, 0] += cuts.missing
    return _Ways(np.concatenate([above, below]), np.zeros_like(cuts.missing), branches)


def _best_way(learner: CART, task: Task, position: int, ways: _Ways, scale: float) -> Question | None:
    """The best way; its decrease counts for the part of the weight that goes either way."""
    rows = task.raw(ways.counts).sum(axis=2)
    allowed = [i for i, w in enumerate(rows.tolist()) if enough(min(w), learner.min_leaf)]
    counts = ways.counts[allowed]
    taken = counts.sum(axis=(1, 2))
    decreases = taken / (taken + ways.missing.sum()) * gain(counts, task.impurity)
    best = first_best(decreases.tolist(), scale)
    if best < 0:
        return None
    way = allowed[best]
    share = tuple(shares(ways.counts[way].sum(axis=1)).tolist())
    return Question(position, ways.branches(way), (float(decreases[best]),), share)


def _lowers_enough(learner: CART, task: Task, counts: Floats, decrease: float, scale: float) -> bool:
    """Is the decrease, as a part of the whole table's, at least `min_decrease`?"""
    part = float(counts.sum() / task.weights.sum())
    return not better(learner.min_decrease, part * decrease, scale)


def _larger_side(task: Task, question: Question, region: Region) -> int:
    """The branch with more weight of known cells; the first if they are even."""
    branch = taken_by(task, question, region)
    empty = is_empty(task.schema.attributes[question.attribute], task.cells(question.attribute, region))
    first, second = (float(region.weights[(branch == side) & ~empty].sum()) for side in (0, 1))
    return int(better(second, first, first + second))


def _has_missing(task: Task, attribute: int) -> bool:
    """Has the attribute an empty cell anywhere in the training table?"""
    column = task.columns[attribute]
    assert column is not None
    cells = column[task.weights > 0]
    return bool((np.isnan(cells) if cells.dtype.kind == "f" else cells < 0).any())
