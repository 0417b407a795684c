"""C4.5's choice: the best gain ratio among the splits of at least average gain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.learners.by_counts.collapse import collapse
from clearwood.learners.by_counts.drafts import Draft
from clearwood.learners.by_counts.error_pruning import prune_by_error
from clearwood.learners.by_counts.offers import Offer, Ways, scored
from clearwood.learners.by_counts.question import Question, Takes
from clearwood.learners.by_counts.questions.cuts import count_cuts, half_way, midpoint, on_ladder, two_sides
from clearwood.learners.by_counts.questions.joined_values import join_values
from clearwood.learners.by_counts.questions.values import count_values, one_branch_per_value
from clearwood.learners.by_counts.task import Region, Task
from clearwood.learners.by_counts.ties import enough
from clearwood.learners.c45 import C45
from clearwood.measures import gain, split_information
from clearwood.measures.counts import Floats
from clearwood.measures.gain_ratio import ratio
from clearwood.table.attributes import Nominal, Numeric, Ordinal

SLACK: Final = 0.001  # a gain may be below the average by this
SMALL: Final = 1e-6  # J48's own tolerance: gains and ratios this close are equal, weights this short enough


def ask(learner: C45, task: Task, region: Region, counts: Floats) -> Question | None:
    """The best question here, or None where nothing is gained."""
    if not large_enough(learner, counts) or nearly_pure(counts):
        return None
    chosen = choose(learner, task, consider(learner, task, region))
    return None if chosen is None else chosen.question()


def large_enough(learner: C45, counts: Floats) -> bool:
    """Has the node the rows for two branches?"""
    return enough(float(counts.sum()), 2 * learner.min_rows, SMALL)


def nearly_pure(counts: Floats) -> bool:
    """Has one class all of the weight, but for crumbs?"""
    return enough(float(counts.max()), float(counts.sum()), SMALL)


def consider(learner: C45, task: Task, region: Region) -> list[Offer]:
    """What every attribute offers, in schema order."""
    return [
        (_by_cut if is_cut(learner, task.schema.attributes[position]) else _by_values)(
            learner, task, position, region
        )
        for position, column in enumerate(task.columns)
        if column is not None
    ]


def choose(learner: C45, task: Task, offers: Sequence[Offer]) -> Offer | None:
    """The largest gain ratio among gains that are at least average, the first of equals."""
    average = average_gain(learner, task, offers)
    chosen: Offer | None = None
    best = 0.0
    for each in offers:
        if average is None or each.out or not at_least_average(each, average):
            continue
        if each.scores[1] > best + SMALL:
            chosen, best = each, each.scores[1]
    return chosen


def average_gain(learner: C45, task: Task, offers: Sequence[Offer]) -> float | None:
    """The mean gain of the attributes that are heard; None where there is none."""
    gains = [each.scores[0] for each in heard(learner, task, offers)]
    return sum(gains) / len(gains) if gains else None


def heard(learner: C45, task: Task, offers: Sequence[Offer]) -> list[Offer]:
    """The offers that have a say in the average.

    An attribute with nearly a value per row gains much and says little: it has no say in the average,
    and no question is asked where such attributes alone gain anything, unless there are no others.
    """
    valid = [each for each in offers if not each.out]
    if _all_have_many_values(learner, task):
        return valid
    return [each for each in valid if not has_many_values(learner, task, each.attribute)]


def at_least_average(offer: Offer, average: float) -> bool:
    return offer.scores[0] >= average - SLACK


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


def _by_values(learner: C45, task: Task, attribute: int, region: Region) -> Offer:
    values = count_values(task, attribute, region)
    branches, counts = one_branch_per_value(len(values.counts)), values.counts
    if learner.group_values:
        groups = join_values(values)
        branches = tuple(Takes(codes=group) for group in groups)
        sums = [values.counts[list(group)].sum(axis=0) for group in groups]
        counts = np.array(sums).reshape(-1, task.levels)
    held = sum(w > 0 and enough(w, learner.min_rows, SMALL) for w in counts.sum(axis=1).tolist()) >= 2
    gained, asked = _measure(task, counts, values.missing) if held else (np.nan, np.array(1.0))
    ways = Ways(counts[None], values.missing, np.array([gained]), lambda _: branches)
    if not held:
        return Offer(attribute, ways, out="too small")
    return Offer(attribute, ways, 0, (gained, float(ratio(np.array(gained), asked))))


def _by_cut(learner: C45, task: Task, attribute: int, region: Region) -> Offer:
    cuts = count_cuts(task, attribute, region)
    known = float(cuts.known.sum())
    least = min_side(known, task.levels, learner.min_rows)
    total = known + float(cuts.missing.sum())
    apart = cuts.below + learner.min_gap < cuts.above
    allowed = [i for i, w in enumerate(cuts.weights.tolist()) if apart[i] and enough(min(w), least, SMALL)]
    gains = known / total * gain(cuts.counts[allowed], task.impurity)

    def branches(way: int) -> tuple[Takes, ...]:
        below, above = float(cuts.below[way]), float(cuts.above[way])
        limit = _limit(learner, task, attribute, below, above)
        return two_sides(task.schema.attributes[attribute], below, above, limit)

    ways = Ways(cuts.counts, cuts.missing, scored(len(cuts.counts), allowed, gains), branches, cuts)
    if not enough(known, 2 * least, SMALL):
        return Offer(attribute, ways, out="too few known")
    if not allowed:
        return Offer(attribute, ways, out="too small")
    best = _first_far_best(gains.tolist())
    if best < 0:
        return Offer(attribute, ways, out="no gain")
    cut = allowed[best]
    # The more places there are to cut, the likelier one of them looks good by chance.
    gained = float(gains[best]) - math.log2(len(allowed)) / total
    _, asked = _measure(task, cuts.counts[cut], cuts.missing)
    scores = (gained, float(ratio(np.array(gained), asked)))
    return Offer(attribute, ways, cut, scores, out="no gain" if gained <= SMALL else "")


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


def is_cut(learner: C45, attribute: object) -> bool:
    return isinstance(attribute, Numeric) or (isinstance(attribute, Ordinal) and learner.ordinal == "cut")


def has_many_values(learner: C45, task: Task, position: int) -> bool:
    attribute = task.schema.attributes[position]
    if is_cut(learner, attribute):
        return False
    assert isinstance(attribute, Nominal | Ordinal)
    return enough(len(attribute.values), 0.3 * float(task.weights.sum()), SMALL)


def _all_have_many_values(learner: C45, task: Task) -> bool:
    usable = [i for i, column in enumerate(task.columns) if column is not None]
    return all(has_many_values(learner, task, i) for i in usable)
