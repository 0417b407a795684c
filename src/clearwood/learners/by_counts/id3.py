"""ID3's choice: the attribute with the largest gain, one branch per value, missing as a value of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.learners.by_counts.offers import Offer, Ways, scored
from clearwood.learners.by_counts.question import Question, Takes
from clearwood.learners.by_counts.questions.cuts import count_cuts, two_sides
from clearwood.learners.by_counts.questions.values import count_values, one_branch_per_value
from clearwood.learners.by_counts.task import Region, Task
from clearwood.learners.by_counts.ties import better, enough, first_best
from clearwood.learners.id3 import ID3
from clearwood.measures import gain
from clearwood.measures.counts import Floats
from clearwood.table.attributes import Nominal, Numeric, Ordinal


def ask(learner: ID3, task: Task, region: Region, counts: Floats) -> Question | None:
    """The best question here, or None where no gain exceeds `min_gain`."""
    if not large_enough(learner, task, counts):
        return None
    chosen = choose(learner, task, counts, consider(learner, task, region, counts))
    return None if chosen is None else chosen.question()


def large_enough(learner: ID3, task: Task, counts: Floats) -> bool:
    """Has the node the rows that a question needs?"""
    return enough(float(task.raw(counts).sum()), learner.min_rows)


def consider(learner: ID3, task: Task, region: Region, counts: Floats) -> list[Offer]:
    """What every attribute offers, in schema order."""
    scale = float(task.impurity(counts))
    offers = []
    for position, attribute in enumerate(task.schema.attributes):
        match attribute:
            case Nominal() | Ordinal() if position in region.asked:
                offers.append(Offer(position, out="asked above"))
            case Nominal() | Ordinal():
                offers.append(_by_values(learner, task, position, region))
            case Numeric():
                offers.append(_by_cut(learner, task, position, region, scale))
    return offers


def choose(learner: ID3, task: Task, counts: Floats, offers: Sequence[Offer]) -> Offer | None:
    """The largest gain above `min_gain`, the first of equals."""
    scale = float(task.impurity(counts))
    chosen: Offer | None = None
    best = learner.min_gain
    for each in offers:
        if not each.out and better(each.scores[0], best, scale):
            chosen, best = each, each.scores[0]
    return chosen


def _by_values(learner: ID3, task: Task, attribute: int, region: Region) -> Offer:
    values = count_values(task, attribute, region)
    counts, branches = values.counts, one_branch_per_value(len(values.counts))
    if values.missing.sum() > 0:
        counts, branches = np.vstack([counts, values.missing]), (*branches, Takes(or_missing=True))
    rows = task.raw(counts).sum(axis=1).tolist()
    held = sum(w > 0 and enough(w, learner.min_leaf) for w in rows) >= 2
    gained = float(gain(counts, task.impurity))
    ways = Ways(
        counts[None], np.zeros(task.levels), np.array([gained if held else np.nan]), lambda _: branches
    )
    return Offer(attribute, ways, 0, (gained,)) if held else Offer(attribute, ways, out="too small")


def _by_cut(learner: ID3, task: Task, attribute: int, region: Region, scale: float) -> Offer:
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

    def branches(way: int) -> tuple[Takes, ...]:
        low, high = two_sides(
            task.schema.attributes[attribute], float(cuts.below[way]), float(cuts.above[way])
        )
        return (low, high, Takes(or_missing=True)) if counts.shape[1] == 3 else (low, high)

    ways = Ways(counts, np.zeros(task.levels), scored(len(counts), allowed, gains), branches, cuts)
    if best < 0:
        return Offer(attribute, ways, out="too small")
    return Offer(attribute, ways, allowed[best], (float(gains[best]),))
