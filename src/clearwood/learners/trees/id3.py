"""ID3: one branch per value, by information gain (Quinlan 1986)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, assert_never

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.bounds import Least
from clearwood.counting.cuts import (
    CandidateCuts,
    Values,
    counts_of_values,
    cuts_of,
    one_branch_per_value,
    two_sides,
)
from clearwood.counting.question import Question, Takes
from clearwood.counting.ties import better, which_enough
from clearwood.learners.learner import SplitChooser, Steering
from clearwood.learners.training import native_settings
from clearwood.learners.trees.counted import Region, TreeTask
from clearwood.learners.trees.growing import (
    NATIVE_MEASURES,
    ImpurityName,
    MaxDepth,
    MinLeaf,
    MinRows,
    grow_native,
    prepare,
)
from clearwood.learners.trees.growing_by_counts import nodes_by_counts
from clearwood.learners.trees.offers import (
    MEASURED,
    Offer,
    Ways,
    best_offer,
    has_least_rows,
    score_of,
    scored,
)
from clearwood.learners.trees.pruning.own import LearnsTrees
from clearwood.measures.information import gains
from clearwood.models.kinds.tree.tree import Tree
from clearwood.registry import Costs, Letter, Priors
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ID3(LearnsTrees):
    """One branch per value of a nominal attribute, used once on a path; a numeric one is split repeatedly.

    Missing is a value of its own. A value that a split has no branch for goes down every branch by its share.
    """

    score_names: ClassVar[tuple[str, ...]] = ("gain",)
    learns_numbers: ClassVar[bool] = False
    sums_numbers: ClassVar[bool] = False
    steered_by: ClassVar[Steering] = ("priors",)

    measure: ImpurityName = "entropy"
    max_depth: MaxDepth = None
    min_rows: MinRows = 2
    min_leaf: MinLeaf = 1
    min_gain: Annotated[
        float | None,
        Least(0),
        Letter("min_gain"),
        "A split must gain more than this; none: nodes are split until they are pure.",
    ] = None
    priors: Priors = None
    costs: Costs = None

    def measure_for(self, schema: Schema) -> str:  # noqa: ARG002 (the same for every target)
        return self.measure

    def grow(self, table: Table) -> Tree:
        ready = prepare(self, table)
        if self.measure not in NATIVE_MEASURES:
            return ready.tree(nodes_by_counts(self, ready.rows))
        nodes = grow_native(
            _native.grow_id3,
            ready.rows,
            ready.factors,
            min_gain=gain_to_beat(self),
            **native_settings(self, "measure", "max_depth", "min_rows", "min_leaf"),
        )
        return ready.tree(nodes)

    def split_chooser(self, task: TreeTask) -> SplitChooser:  # noqa: ARG002 (its regions have it)
        return lambda _, regions: [choose_split(self, each) for each in regions]


# ID3's choice: the attribute with the largest gain, one branch per value, missing as a value of its own.


def choose_split(learner: ID3, region: Region) -> Question | None:
    """The best question, or None where none parts the rows or no gain exceeds `min_gain`."""
    if not has_least_rows(learner, region):
        return None
    chosen = choose(learner, region, consider(learner, region))
    return None if chosen is None else chosen.question()


def gain_to_beat(learner: ID3) -> float:
    """What a gain must exceed: anything will do where no least gain is set, even a gain of 0."""
    return -math.inf if learner.min_gain is None else learner.min_gain


def consider(learner: ID3, region: Region) -> list[Offer]:
    """What every attribute offers, in schema order."""
    task = region.task
    offers: list[Offer] = []
    by_value, by_cut = [], []
    for position, attribute in enumerate(task.schema.attributes):
        match attribute:
            case Nominal() | Ordinal() if position in region.tested:
                offers.append(Offer(position, out="used above"))
            case Nominal() | Ordinal():
                by_value.append(position)
            case Numeric():
                by_cut.append(position)
            case Text() | Ignored():
                pass  # a tree has no question for it
            case _:
                assert_never(attribute)
    offers += _by_values(learner, region, by_value)
    offers += _by_cut(learner, region, by_cut)
    return sorted(offers, key=lambda offer: offer.attribute)


def choose(learner: ID3, region: Region, offers: Sequence[Offer]) -> Offer | None:
    """The largest gain, above `min_gain` where one is set; the first of equals."""
    chosen: Offer | None = None
    best = gain_to_beat(learner)
    for each in offers:
        if not each.out and better(each.scores[0], best, region.impurity):
            chosen, best = each, each.scores[0]
    return chosen


def _by_values(learner: ID3, region: Region, attributes: list[int]) -> list[Offer]:
    task = region.task
    ways = [_values_as_ways(task, counts_of_values(region.columns[each])) for each in attributes]
    gained = gains([each.counts[0] for each in ways], task.impurity).tolist()
    return [
        Offer(position, each, 0, (gain if task.measure not in MEASURED else score_of(task, each, 0),))
        if _holds_two(task.raw(each.counts[0]).sum(axis=1), learner.min_leaf)
        else Offer(position, each, out="too small")
        for position, each, gain in zip(attributes, ways, gained, strict=True)
    ]


def _values_as_ways(task: TreeTask, values: Values) -> Ways:
    """The one way: a branch per value, and one for the empty cells where there are some."""
    counts, branches = values.counts, one_branch_per_value(len(values.counts))
    if values.missing.sum() > 0:
        counts, branches = np.vstack([counts, values.missing]), (*branches, Takes(or_missing=True))
    return Ways(counts[None], task.weight(counts)[None], 0.0, lambda _: branches)


def _holds_two(rows: Floats, least: float) -> bool:
    """Are there two branches with rows, and enough of them?"""
    return int(((rows > 0) & which_enough(rows, least)).sum()) >= 2


def _by_cut(learner: ID3, region: Region, attributes: list[int]) -> list[Offer]:
    task = region.task
    parted = [_cuts_as_ways(task, each, cuts_of(region.columns[each])) for each in attributes]
    sides = [task.raw(each.counts[:, :2]).sum(axis=2) for each in parted]
    allowed = which_enough(np.concatenate([np.empty((0, 2)), *sides]).min(axis=1), learner.min_leaf)
    ways = scored(parted, allowed, task.impurity)
    return [
        best_offer(task, position, each, region.impurity)
        for position, each in zip(attributes, ways, strict=True)
    ]


def _cuts_as_ways(task: TreeTask, attribute: int, cuts: CandidateCuts) -> Ways:
    """A way per cut; where cells are empty, with a third branch for them."""
    counts = cuts.counts
    if cuts.missing.sum() > 0:
        third = np.broadcast_to(cuts.missing, (len(counts), 1, task.levels))
        counts = np.concatenate([counts, third], axis=1)

    def branches(way: int) -> tuple[Takes, ...]:
        low, high = two_sides(
            task.schema.attributes[attribute], float(cuts.below[way]), float(cuts.above[way])
        )
        return (low, high, Takes(or_missing=True)) if counts.shape[1] == 3 else (low, high)

    return Ways(counts, task.weight(counts), 0.0, branches, cuts)
