"""C4.5's choice: the best gain ratio among the splits of at least average gain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.learners.by_counts.collapse import collapse
from clearwood.learners.by_counts.drafts import Draft
from clearwood.learners.by_counts.error_pruning import prune_by_error
from clearwood.learners.by_counts.question import Question, Takes
from clearwood.learners.by_counts.questions.cuts import count_cuts, half_way, midpoint, on_ladder, two_sides
from clearwood.learners.by_counts.questions.joined_values import join_values
from clearwood.learners.by_counts.questions.values import count_values, one_branch_per_value
from clearwood.learners.by_counts.task import Region, Task
from clearwood.learners.by_counts.ties import enough
from clearwood.learners.c45 import C45
from clearwood.measures import gain, split_information
from clearwood.measures.counts import Floats, shares
from clearwood.measures.gain_ratio import ratio
from clearwood.table.attributes import Nominal, Numeric, Ordinal

SMALL: Final = 1e-6  # J48's own tolerance: gains and ratios this close are equal, weights this short enough


@dataclass(frozen=True, slots=True)
class _Candidate:
    question: Question
    gain: float
    gain_ratio: float
    many_values: bool


def ask(learner: C45, task: Task, region: Region, counts: Floats) -> Question | None:
    """The best question here, or None where nothing is gained."""
    weight = float(counts.sum())
    if not enough(weight, 2 * learner.min_rows, SMALL) or enough(float(counts.max()), weight, SMALL):
        return None
    candidates = [
        found
        for position in range(len(task.schema.attributes))
        if (found := _candidate(learner, task, position, region)) is not None
    ]
    # An attribute with nearly a value per row gains much and says little: it has no say in the average,
    # and no question is asked where such attributes alone gain anything, unless there are no others.
    heard = (
        candidates if _all_have_many_values(learner, task) else [c for c in candidates if not c.many_values]
    )
    if not heard:
        return None
    average = sum(c.gain for c in heard) / len(heard)
    chosen: Question | None = None
    best = 0.0
    for c in candidates:
        if c.gain >= average - 0.001 and c.gain_ratio > best + SMALL:
            chosen, best = c.question, c.gain_ratio
    return chosen


def prune(learner: C45, task: Task, draft: Draft) -> None:
    """What C4.5 does to a grown tree, in place."""
    if learner.collapse:
        collapse(draft)
    if learner.prune:
        prune_by_error(
            task,
            draft,
            confidence=learner.confidence,
            table=learner.confidence_table,
            raise_subtrees=learner.raise_subtrees,
        )


def _candidate(learner: C45, task: Task, position: int, region: Region) -> _Candidate | None:
    attribute = task.schema.attributes[position]
    if task.columns[position] is None:
        return None
    by = _by_cut if _is_cut(learner, attribute) else _by_values
    found = by(learner, task, position, region)
    if found is None:
        return None
    gained, gain_ratio = found.scores
    return _Candidate(found, gained, gain_ratio, _has_many_values(learner, task, position))


def _by_values(learner: C45, task: Task, attribute: int, region: Region) -> Question | None:
    values = count_values(task, attribute, region)
    branches, counts = one_branch_per_value(len(values.counts)), values.counts
    if learner.group_values:
        groups = join_values(values)
        branches = tuple(Takes(codes=group) for group in groups)
        sums = [values.counts[list(group)].sum(axis=0) for group in groups]
        counts = np.array(sums).reshape(-1, task.levels)
    weights = counts.sum(axis=1)
    if sum(w > 0 and enough(w, learner.min_rows, SMALL) for w in weights.tolist()) < 2:
        return None
    gained, asked = _measure(task, counts, values.missing)
    return Question(
        attribute, branches, (gained, float(ratio(np.array(gained), asked))), tuple(shares(weights).tolist())
    )


def _by_cut(learner: C45, task: Task, attribute: int, region: Region) -> Question | None:
    cuts = count_cuts(task, attribute, region)
    known = float(cuts.known.sum())
    least = min_side(known, task.levels, learner.min_rows)
    if not enough(known, 2 * least, SMALL):
        return None
    apart = cuts.below + learner.min_gap < cuts.above
    allowed = [i for i, w in enumerate(cuts.weights.tolist()) if apart[i] and enough(min(w), least, SMALL)]
    total = known + float(cuts.missing.sum())
    gains = known / total * gain(cuts.counts[allowed], task.impurity)
    best = _first_far_best(gains.tolist())
    if best < 0:
        return None
    cut = allowed[best]
    # The more places there are to cut, the likelier one of them looks good by chance.
    gained = float(gains[best]) - math.log2(len(allowed)) / total
    if gained <= SMALL:
        return None
    _, asked = _measure(task, cuts.counts[cut], cuts.missing)
    branches = two_sides(
        task.schema.attributes[attribute],
        float(cuts.below[cut]),
        float(cuts.above[cut]),
        _limit(learner, task, attribute, float(cuts.below[cut]), float(cuts.above[cut])),
    )
    part = shares(cuts.counts[cut].sum(axis=1))
    return Question(
        attribute, branches, (gained, float(ratio(np.array(gained), asked))), tuple(part.tolist())
    )


def _first_far_best(gains: list[float]) -> int:
    """The cut to take: from low to high, one replaces the best so far if it gains more by SMALL."""
    chosen, best = -1, 0.0
    for i, gained in enumerate(gains):
        if gained > best + SMALL:
            chosen, best = i, gained
    return chosen


def min_side(known: float, classes: int, min_rows: float) -> float:
    """The least weight on either side of a cut: a tenth of the average class, within `min_rows` and 25.

    >>> min_side(14, 2, 2), min_side(150, 3, 2), min_side(1000, 2, 2)
    (2, 5.0, 25)
    """
    tenth = 0.1 * known / classes
    if tenth <= min_rows + SMALL:
        return min_rows
    return min(tenth, 25)


def _measure(task: Task, counts: Floats, missing: Floats) -> tuple[float, Floats]:
    """The gain on known cells, for all rows; and the split information, the empty cells a branch more."""
    known, unknown = float(counts.sum()), float(missing.sum())
    gained = known / (known + unknown) * float(gain(counts, task.impurity))
    return gained, split_information(np.append(counts.sum(axis=1), unknown))


def _limit(learner: C45, task: Task, attribute: int, below: float, above: float) -> float:
    """The largest value of the whole training set that does not exceed the midpoint, or the midpoint."""
    if learner.threshold == "midpoint":
        return midpoint(below, above)
    column = task.columns[attribute]
    assert column is not None
    values = on_ladder(task.schema.attributes[attribute], column[task.weights > 0])
    return float(values[values <= half_way(below, above)].max())


def _is_cut(learner: C45, attribute: object) -> bool:
    return isinstance(attribute, Numeric) or (isinstance(attribute, Ordinal) and learner.ordinal == "cut")


def _has_many_values(learner: C45, task: Task, position: int) -> bool:
    attribute = task.schema.attributes[position]
    if _is_cut(learner, attribute):
        return False
    assert isinstance(attribute, Nominal | Ordinal)
    return enough(len(attribute.values), 0.3 * float(task.weights.sum()), SMALL)


def _all_have_many_values(learner: C45, task: Task) -> bool:
    usable = [i for i, column in enumerate(task.columns) if column is not None]
    return all(_has_many_values(learner, task, i) for i in usable)
