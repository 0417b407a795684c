"""CART's choice: the two-way split that lowers the impurity most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.counting.coding import ColumnCoding
from clearwood.counting.cuts import (
    CandidateCuts,
    Values,
    counts_of_values,
    cuts_of,
    everything_known,
    two_sides,
)
from clearwood.counting.engine import Cells, Frontier
from clearwood.counting.question import Question, SurrogateQuestion, Takes, branch_of_code
from clearwood.counting.ties import TIE, better, enough, first_best, which_enough
from clearwood.learners.trees.counted import Region, TreeTask
from clearwood.learners.trees.offers import (
    Offer,
    Questions,
    Settled,
    Ways,
    best_offer,
    has_least_rows,
    scored,
    settled,
    within_limits,
)
from clearwood.measures.impurity import proportions
from clearwood.table.attributes import Nominal
from clearwood.table.folding import places_by_name

if TYPE_CHECKING:
    from clearwood.learners.trees.cart import CART

FEW_VALUES: Final = 3  # of a nominal column: each is grouped, however rare


def settle(learner: CART, frontier: Frontier, regions: Sequence[Region]) -> list[Settled]:
    """What every attribute offers to each region, and the question to ask, if any; one that its surrogates
    take beyond a limit is out, and the next is tried.

    A split that lowers nothing is still a split while `min_decrease` is 0: its parts may be separated further
    down.
    """
    offers = [consider(learner, each) if has_least_rows(learner, each) else [] for each in regions]

    def best(region: Region, offered: list[Offer]) -> Offer | None:
        chosen = choose(region, offered)
        return chosen if chosen is not None and lowers_enough(learner, region, chosen) else None

    def completed(questions: Questions) -> Questions:
        return with_surrogates(learner, frontier, regions, questions)

    return settled(frontier, regions, offers, best, completed)


def consider(learner: CART, region: Region) -> list[Offer]:
    """What every attribute offers, in schema order."""
    task, usable = region.task, region.task.usable
    joins = learner.missing == "direction"
    parted: Sequence[Ways] = [
        _groups(learner, task, counts_of_values(region.columns[position]))
        if isinstance(task.schema.attributes[position], Nominal)
        else _cuts(task, position, cuts_of(region.columns[position]), joins)
        for position in usable
    ]
    plain = bool((task.factors == 1).all())
    sides = [each.weights if plain else task.rows(each.counts) for each in parted]
    smaller = np.concatenate([np.empty(0), *(np.minimum(*each.T) for each in sides)])
    allowed = which_enough(smaller, learner.min_leaf)
    parted, allowed = within_limits(region, usable, parted, allowed)
    return [
        best_offer(task, position, ways, region.impurity)
        for position, ways in zip(usable, scored(parted, allowed, task.impurity), strict=True)
    ]


def choose(region: Region, offers: Sequence[Offer]) -> Offer | None:
    """The largest decrease, the first of equals."""
    valid = [each for each in offers if not each.out]
    best = first_best([each.scores[0] for each in valid], region.impurity)
    return None if best < 0 else valid[best]


def lowers_enough(learner: CART, region: Region, offer: Offer) -> bool:
    """Is the decrease, as a part of the whole table's, at least `min_decrease`?"""
    part = float(region.task.weight(region.counts)) / region.task.total
    return not better(learner.min_decrease, part * offer.scores[0], region.impurity)


def with_surrogates(
    learner: CART, frontier: Frontier, regions: Sequence[Region], questions: Questions
) -> Questions:
    """The questions with the side for cells they cannot place, and the attributes that stand in for them."""
    if not questions:
        return questions
    task = regions[0].task
    sided = {
        place: replace(each, otherwise=_larger_side(regions[place], each))
        for place, each in questions.items()
    }
    if learner.missing != "surrogates":
        return sided
    gaps = {place: each for place, each in sided.items() if task.has_missing[each.attribute]}
    if not gaps or not learner.surrogates:
        return sided
    paired = task.engine.paired(frontier, gaps, range(len(task.coding)))
    found = {
        place: replace(
            each,
            surrogates=find_surrogates(task, each, [cells.of(place) for cells in paired], learner.surrogates),
        )
        for place, each in gaps.items()
    }
    return {**sided, **found}


def _groups(learner: CART, task: TreeTask, values: Values) -> Ways:
    """Two groups of the values met here that are not rare; empty cells may be a last value."""
    joins_missing = learner.missing == "direction" and bool(values.missing.any())
    kept = task.weight(values.counts) > 0
    if len(values.counts) > FEW_VALUES:
        kept &= which_enough(task.rows(values.counts), learner.min_value)
    codes: list[int] = np.flatnonzero(kept).tolist()
    rows, missing = values.counts[codes], values.missing
    if joins_missing:
        rows, missing = np.vstack([rows, missing]), np.zeros_like(missing)
    places = None if task.numbers is None else task.numbers.centre_and_error(rows)[0]
    in_turn = rows if places is not None else rows[:, np.argsort(places_by_name(task.schema.classes))]
    far = divisions(in_turn, places) if codes else np.zeros((0, len(rows)), dtype=np.bool_)

    def branches(way: int) -> tuple[Takes, Takes]:
        return group_of(codes, ~far[way], joins_missing), group_of(codes, far[way], joins_missing)

    # One product of two plain matrices, [way and side, value] and [value, level].
    goes = np.stack([~far, far], axis=1).reshape(2 * len(far), len(rows)).astype(np.float64)
    counts = (goes @ rows).reshape(len(far), 2, task.levels)
    aside = task.whole(values.counts[~kept].sum(axis=0))
    return Ways(counts, task.weight(counts), task.whole(missing) + aside, branches, aside=aside)


def group_of(codes: list[int], goes: Bools, joins_missing: bool) -> Takes:
    """The values that go one way; the last place, with `joins_missing`, is that of the empty cells."""
    taken = tuple(code for code, here in zip(codes, goes.tolist(), strict=False) if here)
    return Takes(codes=taken, or_missing=joins_missing and bool(goes[-1]))


def _cuts(task: TreeTask, position: int, cuts: CandidateCuts, may_join: bool) -> Ways:
    """Every cut; with `may_join` once with the empty cells above it, then once with them below.

    Last, with `may_join`, comes what is known against what is empty.
    """
    attribute = task.schema.attributes[position]
    size = len(cuts.counts)
    joins_missing = may_join and bool(cuts.missing.any())

    def branches(way: int) -> tuple[Takes, Takes]:
        if way == 2 * size:
            return everything_known(attribute), Takes(or_missing=True)
        low, high = two_sides(attribute, float(cuts.below[way % size]), float(cuts.above[way % size]))
        if not joins_missing:
            return low, high
        return (low, replace(high, or_missing=True)) if way < size else (replace(low, or_missing=True), high)

    if not joins_missing:
        return Ways(cuts.counts, task.weight(cuts.counts), task.whole(cuts.missing), branches, cuts)
    above, below = cuts.counts.copy(), cuts.counts.copy()
    above[:, 1] += cuts.missing
    below[:, 0] += cuts.missing
    apart = np.stack([cuts.known, cuts.missing])[None][: int(cuts.known.any())]
    ways = np.asfortranarray(np.concatenate([above, below, apart]))
    return Ways(ways, task.weight(ways), 0.0, branches, cuts)


def _larger_side(region: Region, question: Question) -> int:
    """The branch with more weight of known cells; the first if they are even."""
    counted = region.columns[question.attribute]
    weights = region.task.weight(counted.counts)
    branch = branch_of_code(counted.column, question)[counted.codes]
    first, second = (float(weights[branch == side].sum()) for side in (0, 1))
    return int(better(second, first, first + second))


# Surrogates: other attributes that send a row where the split would, if its own is empty.


LEAST_SENT: Final = 2.0  # rows a cut must send each way


def find_surrogates(
    task: TreeTask, question: Question, paired: Sequence[Cells], most: int
) -> tuple[SurrogateQuestion, ...]:
    """Up to `most` attributes, those that agree best with the split first; `paired` are a region's cells of
    every column by the branch of the split.

    Agreement is the part of the rows with a known cell of the split that the surrogate sends as the split
    does, its own empty cells counting against it; it must beat sending all of them to the larger
    side, and a cut must send at least two rows each way, while values may send one (as rpart). A column with
    a direction is none: through it the other column's split would decide which way the prediction goes.
    """
    candidates = [
        surrogate
        for column, cells in zip(task.coding.columns, paired, strict=True)
        if column.position != question.attribute
        if task.limits is None or not task.limits.signs[column.position]
        if (surrogate := _surrogate(column, cells)) is not None
    ]
    chosen: list[SurrogateQuestion] = []
    while candidates and len(chosen) < most:
        chosen.append(candidates.pop(first_best([each.agreement for each in candidates], 1.0)))
    return tuple(chosen)


def _surrogate(column: ColumnCoding, cells: Cells) -> SurrogateQuestion | None:
    """The best use of one attribute, if it beats the larger side."""
    sides = cells.table(column.known + 1, 3)[:, :2]  # [code, branch]; last the rows that no branch takes
    by_branch = sides.sum(axis=0)
    met = np.unique(cells.code[cells.code < column.known])
    both = np.flatnonzero(sides[:-1].sum(axis=1) > 0)
    if len(both) < 2:
        return None
    total = float(by_branch.sum())
    best: tuple[Takes, int, Takes, float] | None
    if isinstance(column.attribute, Nominal):
        best = _by_values(both, sides[both], int(better(by_branch[1], by_branch[0], total)))
    else:
        best = _by_cut(column, both, sides[both], total, met)
    if best is None or not better(best[3] / total, float(by_branch.max()) / total, 1.0):
        return None
    when, then, other, agreed = best
    return SurrogateQuestion(column.position, when, then, other, min(agreed / total, 1.0))


def _by_values(codes: Longs, sides: Floats, larger: int) -> tuple[Takes, int, Takes, float]:
    """Each value to the branch most of its rows follow; where even, to the larger one."""
    to: list[list[int]] = [[], []]
    for code, (first, second) in zip(codes.tolist(), sides.tolist(), strict=True):
        even = abs(first - second) <= TIE * (first + second)
        side = larger if even else int(second > first)
        to[side].append(code)
    return Takes(codes=tuple(to[0])), 0, Takes(codes=tuple(to[1])), float(sides.max(axis=1).sum())


def _by_cut(
    column: ColumnCoding, codes: Longs, sides: Floats, total: float, met: Longs
) -> tuple[Takes, int, Takes, float] | None:
    """The cut that agrees best, the lowest of equals: low values to branch 0, or to branch 1.

    It lies midway to the next code `met` by any row here, also by one that the split cannot place (as
    rpart): such rows are what the surrogate is for.
    """
    low = sides.cumsum(axis=0)[:-1]
    high = sides[::-1].cumsum(axis=0)[::-1][1:]
    sent = np.minimum(low.sum(axis=1), high.sum(axis=1)).tolist()
    straight, crossed = low[:, 0] + high[:, 1], low[:, 1] + high[:, 0]
    agreed = np.stack([straight, crossed], axis=1).ravel()
    allowed = [way for way in range(len(agreed)) if enough(sent[way // 2], LEAST_SENT)]
    best = first_best((agreed[allowed] / total).tolist(), 1.0)
    if best < 0:
        return None
    cut, then = divmod(allowed[best], 2)
    below, above = codes[cut], met[np.searchsorted(met, codes[cut], side="right")]
    steps = column.steps
    when, other = two_sides(column.attribute, float(steps[below]), float(steps[above]))
    return when, then, other, float(agreed[allowed[best]])


# Two groups of a nominal attribute's values: which ways of dividing them are worth a look?


MOST_TRIED: Final = 10  # values; above that there are more than 511 ways


def divisions(counts: Floats, places: Floats | None) -> Bools:
    """[way, value] which values part from the first, for each way tried; counts are [value, level], classes
    in the order of their names, so that values of equal shares do not follow how they are declared.

    Two classes: cuts along the share of the second. Numbers: cuts along `places`, the values' means (or
    medians). Both are exact for their measures (Breiman et al. 1984, 4.5). More classes: every way up to
    ten values, above that cuts along the first principal component of the class shares.

    >>> divisions(np.array([[2.0, 3], [4, 0], [3, 2]]), None).astype(int).tolist()
    [[0, 1, 0], [0, 1, 1]]
    """
    if len(counts) <= 2:
        return _every_way(len(counts))
    if places is not None:
        return _along(places, float(np.abs(places).max(initial=0.0)))
    if counts.shape[1] == 2:
        return _along(proportions(counts)[:, 1], 1.0)
    if len(counts) <= MOST_TRIED:
        return _every_way(len(counts))
    return _along(first_component(counts), 1.0)


def _along(places: Floats, scale: float) -> Bools:
    """Cuts along an order, ascending; values at one place, but for rounding, stay in their own order."""
    rank = np.empty(len(places), dtype=np.int64)
    rank[np.argsort(_rounded(places, scale), kind="stable")] = np.arange(len(places))
    high = rank >= np.arange(1, len(places))[:, None]
    parted: Bools = high != high[:, :1]
    return parted


@lru_cache
def _every_way(values: int) -> Bools:
    """Way w parts value i from the first if bit i − 1 of w is set."""
    ways = np.arange(1, 2 ** (values - 1))[:, None]
    bits: Bools = (ways << 1 >> np.arange(values) & 1).astype(np.bool_)
    bits.flags.writeable = False
    return bits


def first_component(counts: Floats) -> Floats:
    """[value, level] → [value]: each value's place along the first principal component of the level shares.

    The covariance of the shares, weighted by the values' weights, is raised by 100 power iterations from
    the unit vector of its largest diagonal entry.
    """
    share = proportions(counts)
    part = proportions(counts.sum(axis=1))
    centred = share - part @ share
    covariance = centred.T @ (part[:, None] * centred)
    axis = np.zeros(len(covariance))
    widest = np.diag(covariance)
    axis[int(np.argmax(widest >= widest.max() * (1 - 1e-9)))] = 1.0  # the first of equals, but for rounding
    for _ in range(100):
        longer = covariance @ axis
        length = float(np.sqrt((longer * longer).sum()))
        if length <= 1e-300:
            break
        axis = longer / length
    return centred @ axis


def _rounded(places: Floats, scale: float) -> Floats:
    """Places to a billionth of their span: rounding decides no order; a span lost in `scale` is none."""
    low, span = places.min(), np.ptp(places)
    return np.rint((places - low) / span * 1e9) if span > 1e-9 * scale else np.zeros_like(places)
