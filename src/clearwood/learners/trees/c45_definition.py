"""C4.5's choice: the best gain ratio among the splits of at least average gain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.counting.cuts import (
    CandidateCuts,
    Values,
    counts_of_values,
    cuts_of,
    half_way,
    midpoint,
    one_branch_per_value,
    two_sides,
)
from clearwood.counting.engine import Frontier
from clearwood.counting.question import Takes
from clearwood.counting.ties import TIE, enough, records, which_enough
from clearwood.learners.trees.counted import Region, TreeTask
from clearwood.learners.trees.offers import (
    Offer,
    Settled,
    Ways,
    admitted,
    score_of,
    scored,
    settled,
    split_bits,
    within_limits,
)
from clearwood.measures.impurity import xlog2x
from clearwood.table.attributes import Nominal, Numeric, Ordinal

if TYPE_CHECKING:
    from clearwood.learners.trees.c45 import C45

SLACK: Final = 0.001  # a gain may be below the average by this
_NO_BITS: Final = 1e-12  # what rounding leaves of no split information
SMALL: Final = 1e-6  # J48's own tolerance: gains and ratios this close are equal, weights this short enough


def settle(learner: C45, frontier: Frontier, regions: Sequence[Region]) -> list[Settled]:
    """What every attribute offers to each region, and the question to ask, if any."""
    offers = [
        consider(learner, each) if large_enough(learner, each.counts) and not nearly_pure(each.counts) else []
        for each in regions
    ]
    return settled(frontier, regions, offers, lambda region, each: choose(learner, region.task, each))


def large_enough(learner: C45, counts: Floats) -> bool:
    """Has the node the rows for two branches?"""
    return enough(float(counts.sum()), 2 * learner.min_rows, SMALL)


def nearly_pure(counts: Floats) -> bool:
    """Has one class all of the weight, except for rounding?"""
    return enough(float(counts.max()), float(counts.sum()), SMALL)


def consider(learner: C45, region: Region) -> list[Offer]:
    """What every attribute offers, in schema order."""
    task = region.task
    cut = [position for position in task.usable if is_cut(learner, task.schema.attributes[position])]
    listed = [position for position in task.usable if position not in cut]
    offers = [*_by_values(learner, region, listed), *_by_cut(learner, region, cut)]
    return [
        replace(each, scores=(*each.scores, _ratio(each))) if each.scores else each
        for each in sorted(offers, key=lambda offer: offer.attribute)
    ]


def choose(learner: C45, task: TreeTask, offers: Sequence[Offer]) -> Offer | None:
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


def average_gain(learner: C45, task: TreeTask, offers: Sequence[Offer]) -> float | None:
    """The mean gain of the attributes that count for it; None where there is none."""
    gains = [each.scores[0] for each in averaged(learner, task, offers)]
    return sum(gains) / len(gains) if gains else None


def averaged(learner: C45, task: TreeTask, offers: Sequence[Offer]) -> list[Offer]:
    """The offers that count for the average.

    An attribute with nearly a value per row gains much and means little: it does not count for the average,
    and there is no split where such attributes alone gain anything, unless there are no others.
    """
    valid = [each for each in offers if not each.out]
    if all(has_many_values(learner, task, each) for each in task.usable):
        return valid
    return [each for each in valid if not has_many_values(learner, task, each.attribute)]


def at_least_average(offer: Offer, average: float) -> bool:
    return offer.scores[0] >= average - SLACK


def _by_values(learner: C45, region: Region, attributes: list[int]) -> list[Offer]:
    task = region.task
    counted = [counts_of_values(region.columns[each]) for each in attributes]
    ways = [_values_as_ways(learner, task, each) for each in counted]
    offers = []
    for position, each, values in zip(attributes, ways, counted, strict=True):
        weights = each.weights[0]
        if int(((weights > 0) & which_enough(weights, learner.min_rows, SMALL)).sum()) < 2:
            offers.append(Offer(position, each, out="too small"))
        elif not admitted(region, position, each.counts, False, values.missing)[0]:
            offers.append(Offer(position, each, out="not admitted"))
        else:
            offers.append(Offer(position, each, 0, (score_of(task, each, 0),)))
    return offers


def _values_as_ways(learner: C45, task: TreeTask, values: Values) -> Ways:
    """The one way: a branch per value, or per group of them."""
    branches, counts = one_branch_per_value(len(values.counts)), values.counts
    if learner.group_values:
        groups = join_values(values)
        branches = tuple(Takes(codes=group) for group in groups)
        sums = [values.counts[list(group)].sum(axis=0) for group in groups]
        counts = np.array(sums).reshape(-1, task.levels)
    return Ways(counts[None], task.weight(counts)[None], task.whole(values.missing), lambda _: branches)


def _by_cut(learner: C45, region: Region, attributes: list[int]) -> list[Offer]:
    task = region.task
    parted: Sequence[Ways] = [
        _cuts_as_ways(learner, task, each, cuts_of(region.columns[each])) for each in attributes
    ]
    allowed = np.concatenate([np.empty(0, np.bool_), *(_allowed(learner, task, each) for each in parted)])
    parted, allowed = within_limits(region, attributes, parted, allowed, spreads=True)
    return [
        _best_cut(learner, task, position, ways)
        for position, ways in zip(attributes, scored(parted, allowed, task.impurity), strict=True)
    ]


def _cuts_as_ways(learner: C45, task: TreeTask, attribute: int, cuts: CandidateCuts) -> Ways:
    def branches(way: int) -> tuple[Takes, ...]:
        below, above = float(cuts.below[way]), float(cuts.above[way])
        limit = _limit(learner, task, attribute, below, above)
        return two_sides(task.schema.attributes[attribute], below, above, limit)

    return Ways(cuts.counts, task.weight(cuts.counts), task.whole(cuts.missing), branches, cuts)


def _allowed(learner: C45, task: TreeTask, ways: Ways) -> Bools:
    """[cut] Are its neighbours apart, and is there enough on both sides?"""
    cuts = ways.cuts
    assert cuts is not None
    least = min_side(float(cuts.known.sum()), task.levels, learner.min_rows)
    apart: Bools = cuts.below + learner.min_gap < cuts.above
    return apart & which_enough(np.minimum(*ways.weights.T), least, SMALL)


def _best_cut(learner: C45, task: TreeTask, attribute: int, ways: Ways) -> Offer:
    assert ways.cuts is not None
    known = float(ways.cuts.known.sum())
    if not enough(known, 2 * min_side(known, task.levels, learner.min_rows), SMALL):
        return Offer(attribute, ways, out="too few known")
    tried = len(ways.allowed)
    if not tried:
        return Offer(attribute, ways, out="not admitted" if ways.barred.any() else "too small")
    best = _first_far_best(ways.scores)
    if best < 0:
        return Offer(attribute, ways, out="no gain")
    # The more places there are to cut, the likelier one of them looks good by chance.
    gained = score_of(task, ways, best) - math.log2(tried) / (known + ways.missing)
    return Offer(attribute, ways, best, (gained,), "no gain" if gained <= SMALL else "")


def _ratio(offer: Offer) -> float:
    """The gain for each bit that the question asks."""
    bits = bits_of_question(offer)
    return offer.scores[0] / bits if bits > _NO_BITS else 0.0


def bits_of_question(offer: Offer) -> float:
    """The split information of its best way, 0 without one; the empty cells are a branch more."""
    if offer.ways is None or offer.best < 0:
        return 0.0
    weights = offer.ways.weights[offer.best]
    return split_bits(weights, float(weights.sum()) + offer.ways.missing)


def _first_far_best(gains: Floats) -> int:
    """The cut to take: from low to high, one replaces the best so far if it gains more by SMALL."""
    chosen, best = -1, 0.0
    for i in records(gains):
        if gains[i] > best + SMALL:
            chosen, best = i, float(gains[i])
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


def _limit(learner: C45, task: TreeTask, attribute: int, below: float, above: float) -> float:
    """The largest value of the whole training set that does not exceed the midpoint, or the midpoint."""
    if learner.threshold == "midpoint":
        return midpoint(below, above)
    values = task.coding.columns[task.place(attribute)].steps
    return float(values[np.searchsorted(values, half_way(below, above), "right") - 1])


def is_cut(learner: C45, attribute: object) -> bool:
    return isinstance(attribute, Numeric) or (isinstance(attribute, Ordinal) and learner.ordinal == "cut")


def has_many_values(learner: C45, task: TreeTask, position: int) -> bool:
    attribute = task.schema.attributes[position]
    if is_cut(learner, attribute):
        return False
    assert isinstance(attribute, Nominal | Ordinal)
    return enough(len(attribute.values), 0.3 * task.total, SMALL)


# Values joined while the gain ratio does not fall: fewer branches than values (C4.5's option -s).


def join_values(values: Values) -> list[tuple[int, ...]]:
    """The values with rows here in groups, in order of their lowest codes.

    From one group per value, the pair whose joining gives the best gain ratio is joined (the first of
    equals), as long as the ratio is no lower than before and two groups remain.

    >>> join_values(Values(np.array([[4.0, 0], [0, 3], [5, 0], [0, 0]]), np.zeros(2)))
    [(0, 2), (1,)]
    """
    groups: list[tuple[int, ...]] = [(code,) for code in values.present]
    counts = values.counts[values.present]
    whole = counts.sum(axis=0)
    known, total = float(whole.sum()), float(whole.sum() + values.missing.sum())
    if len(groups) < 2:
        return groups
    node = float(_bits(whole))
    loose = float(xlog2x(total)) - float(xlog2x(values.missing.sum()))

    def ratios(bits: Floats, split: Floats) -> Floats:
        """From Σ of the branches' bits and of their w · log2 w to the gain ratio."""
        split_bits = loose - split
        return np.where(
            split_bits > 1e-12 * known, (node - bits) / np.where(split_bits > 0, split_bits, 1.0), 0.0
        )

    own, place = _bits(counts), xlog2x(counts.sum(axis=1))
    current = float(ratios(own.sum(), place.sum()))
    while len(groups) > 2:
        first, second = np.triu_indices(len(groups), 1)
        pair = counts[first] + counts[second]
        joined = ratios(
            own.sum() - own[first] - own[second] + _bits(pair),
            place.sum() - place[first] - place[second] + xlog2x(pair.sum(axis=1)),
        )
        chosen = int(np.argmax(joined >= joined.max() - TIE))
        best = float(joined[chosen])
        if best < current - TIE:
            break
        i, j = int(first[chosen]), int(second[chosen])
        groups[i] = tuple(sorted(groups[i] + groups[j]))
        counts[i] += counts[j]
        del groups[j]
        counts = np.delete(counts, j, axis=0)
        own, place, current = _bits(counts), xlog2x(counts.sum(axis=1)), best
    return groups


def _bits(counts: Floats) -> Floats:
    """w · entropy: the bits that encode the class of every row of a branch."""
    bits: Floats = xlog2x(counts.sum(axis=-1)) - xlog2x(counts).sum(axis=-1)
    return bits
