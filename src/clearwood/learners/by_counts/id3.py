"""ID3's choice: the attribute with the largest gain, one branch per value, missing as a value of its own."""

from __future__ import annotations

import numpy as np

from clearwood.learners.by_counts.question import Question, Takes
from clearwood.learners.by_counts.questions.cuts import count_cuts, two_sides
from clearwood.learners.by_counts.questions.values import count_values, one_branch_per_value
from clearwood.learners.by_counts.task import Region, Task
from clearwood.learners.by_counts.ties import better, enough, first_best
from clearwood.learners.id3 import ID3
from clearwood.measures import gain
from clearwood.measures.counts import Floats, shares
from clearwood.table.attributes import Nominal, Numeric, Ordinal


def ask(learner: ID3, task: Task, region: Region, counts: Floats) -> Question | None:
    """The best question here, or None where no gain exceeds `min_gain`."""
    scale = float(task.impurity(counts))
    if not enough(float(task.raw(counts).sum()), learner.min_rows):
        return None
    chosen: Question | None = None
    best = learner.min_gain
    for position, attribute in enumerate(task.schema.attributes):
        match attribute:
            case Nominal() | Ordinal() if position not in region.asked:
                found = _by_values(learner, task, position, region)
            case Numeric():
                found = _by_cut(learner, task, position, region, scale)
            case _:
                continue
        if found is not None and better(found.scores[0], best, scale):
            chosen, best = found, found.scores[0]
    return chosen


def _by_values(learner: ID3, task: Task, attribute: int, region: Region) -> Question | None:
    values = count_values(task, attribute, region)
    counts, branches = values.counts, one_branch_per_value(len(values.counts))
    if values.missing.sum() > 0:
        counts, branches = np.vstack([counts, values.missing]), (*branches, Takes(or_missing=True))
    weights = counts.sum(axis=1)
    rows = task.raw(counts).sum(axis=1).tolist()
    if sum(w > 0 and enough(w, learner.min_leaf) for w in rows) < 2:
        return None
    return Question(
        attribute, branches, (float(gain(counts, task.impurity)),), tuple(shares(weights).tolist())
    )


def _by_cut(learner: ID3, task: Task, attribute: int, region: Region, scale: float) -> Question | None:
    cuts = count_cuts(task, attribute, region)
    counts = cuts.counts
    if cuts.missing.sum() > 0:
        third = np.broadcast_to(cuts.missing, (len(counts), 1, task.levels))
        counts = np.concatenate([counts, third], axis=1)
    allowed = [
        i
        for i, w in enumerate(task.raw(cuts.counts).sum(axis=2).tolist())
        if enough(min(w), learner.min_leaf)
    ]
    gains = gain(counts[allowed], task.impurity)
    best = first_best(gains.tolist(), scale)
    if best < 0:
        return None
    cut = allowed[best]
    branches: tuple[Takes, ...] = two_sides(
        task.schema.attributes[attribute], float(cuts.below[cut]), float(cuts.above[cut])
    )
    if counts.shape[1] == 3:
        branches = (*branches, Takes(or_missing=True))
    return Question(
        attribute, branches, (float(gains[best]),), tuple(shares(counts[cut].sum(axis=1)).tolist())
    )
