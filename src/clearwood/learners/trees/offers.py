"""Offers: what an attribute could ask at a node, every way of it with its score, before one is chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.counting.cuts import CandidateCuts
from clearwood.counting.engine import Frontier
from clearwood.counting.question import Question, Takes
from clearwood.counting.ties import enough, first_best
from clearwood.learners.directions import Bounds
from clearwood.learners.trees.counted import Region, TreeTask, regions_at
from clearwood.measures.impurity import ImpurityOf, proportions
from clearwood.measures.information import gain
from clearwood.records import dataclass

if TYPE_CHECKING:
    from clearwood.learners.trees.cart import CART
    from clearwood.learners.trees.id3 import ID3

# Why an attribute offers nothing: its value is known from above; its rows follow fewer than two branches
# that are large enough; too few of its cells are known; nothing is gained; all of it goes against a limit.
Out: TypeAlias = Literal["", "used above", "too small", "too few known", "no gain", "not admitted"]

_MANY: Final = 50_000  # ways; more are scored attribute by attribute, which stay in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """Every way looked at to part an attribute's cells here."""

    counts: Floats  # [way, branch, level]
    weights: Floats  # [way, branch]
    missing: float  # the weight of the cells that no branch takes: empty ones, and values set aside
    branches: Callable[[int], tuple[Takes, ...]]  # of a way
    cuts: CandidateCuts | None = None  # the ways, where they are cuts
    scores: Floats = field(default_factory=lambda: np.empty(0))
    # [way] by which the best is taken; NaN where its branches are too small, or it is barred
    barred: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    # [way] large enough, but against a limit; none where nothing is limited
    aside: float = 0.0  # the weight of the values that are too rare to be grouped

    @property
    def allowed(self) -> Longs:
        """The ways whose branches are large enough, and go against no limit."""
        return np.flatnonzero(~np.isnan(self.scores))


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """An attribute's best way, with the scores by which attributes are compared; or why there is none."""

    attribute: int
    ways: Ways | None = None
    best: int = -1
    scores: tuple[float, ...] = ()
    out: Out = ""

    def question(self) -> Question:
        """The best way as a question."""
        assert self.ways is not None
        share = proportions(self.ways.weights[self.best])
        return Question(self.attribute, self.ways.branches(self.best), self.scores, tuple(share.tolist()))


def score_of(task: TreeTask, ways: Ways, way: int) -> float:
    """What a way gains, to the last digit as a tree keeps it."""
    if task.measure not in MEASURED:
        return float(ways.scores[way])
    counts = ways.counts[way]
    return split_gain(task.measure, counts, float(counts.sum()) + ways.missing)


def best_offer(task: TreeTask, position: int, ways: Ways, scale: float) -> Offer:
    """The way of the best score, the first of equals."""
    best = first_best(ways.scores, scale)
    if best < 0:
        return Offer(position, ways, out="not admitted" if ways.barred.any() else "too small")
    return Offer(position, ways, best, (score_of(task, ways, best),))


def least_rows(learner: ID3 | CART) -> float:
    """The rows that a question and two branches need."""
    return max(learner.min_rows, 2 * learner.min_leaf)


def has_least_rows(learner: ID3 | CART, region: Region) -> bool:
    return enough(float(region.task.rows(region.counts)), least_rows(learner))


def within_limits(
    region: Region,
    attributes: Sequence[int],
    parted: Sequence[Ways],
    allowed: Bools,
    *,
    spreads: bool = False,
) -> tuple[Sequence[Ways], Bools]:
    """The ways of these attributes, each with those that a limit bars, and which are allowed all the same.

    `allowed` has the ways of all attributes end to end. With `spreads` the rows that no side of a cut takes
    go down both.
    """
    if region.task.limits is None:
        return parted, allowed
    made, start = [], 0
    allowed = allowed.copy()
    for attribute, ways in zip(attributes, parted, strict=True):
        here = slice(start, start := start + len(ways.counts))
        # The last way to cut, where empty cells are a side by themselves, has no order.
        ordered = np.arange(len(ways.counts)) < 2 * len(ways.cuts.counts) if ways.cuts else False
        spread = ways.cuts.missing if spreads and ways.cuts else None
        kept = admitted(region, attribute, ways.counts, ordered, spread)
        made.append(replace(ways, barred=allowed[here] & ~kept))
        allowed[here] &= kept
    return made, allowed


def scored(parted: Sequence[Ways], allowed: Bools, impurity: ImpurityOf) -> list[Ways]:
    """The ways of several attributes with their gains, those not allowed without: scored all at once.

    `allowed` has the ways of all attributes end to end. A gain counts for the part of the weight that
    follows a branch.
    """
    sizes = [len(each.counts) for each in parted]
    if len(parted) > 1 and len(allowed) > _MANY:
        parts = np.split(allowed, np.cumsum(sizes)[:-1])
        return [scored([each], part, impurity)[0] for each, part in zip(parted, parts, strict=True)]
    if not parted:
        return []
    most = max(each.counts.shape[1] for each in parted)
    some = np.flatnonzero(allowed)
    # Level by level, as counts lie in memory.
    tried = _joined([_wide(each.counts, most) for each in parted]).T.take(some, axis=-1).T
    weights = _joined([_wide(each.weights, most) for each in parted]).take(some, axis=0)
    missing = np.repeat([each.missing for each in parted], sizes).take(some)
    taken = weights.sum(axis=1)
    scores = np.full(len(allowed), np.nan)
    scores[some] = taken / (taken + missing) * gain(tried, impurity, weights)
    ends = np.cumsum(sizes)
    return [
        replace(each, scores=scores[end - size : end])
        for each, size, end in zip(parted, sizes, ends.tolist(), strict=True)
    ]


def _joined(arrays: Sequence[Floats]) -> Floats:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _wide(counts: Floats, branches: int) -> Floats:
    """The same with as many branches as this, the last of them empty."""
    more = branches - counts.shape[1]
    return np.pad(counts, ((0, 0), (0, more), (0, 0))[: counts.ndim]) if more else counts


# Settling: the best offer of each region becomes its question, unless a limit bars it.


Questions: TypeAlias = Mapping[int, Question]  # by region of a frontier


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What came of a region's offers: those that were barred are out."""

    offers: list[Offer]
    question: Question | None = None


def settled(
    frontier: Frontier,
    regions: Sequence[Region],
    offers: Sequence[list[Offer]],
    choose: Callable[[Region, list[Offer]], Offer | None],
    completed: Callable[[Questions], Questions] = lambda questions: questions,
) -> list[Settled]:
    """The question of each region, if any, for all regions at once; an offer that its divided rows take
    beyond a limit is out, and the region's next is tried. `completed` says where the rows go that no branch
    takes."""
    done = [Settled(each) for each in offers]
    waiting = list(range(len(regions)))
    while waiting:
        chosen = {place: choose(regions[place], done[place].offers) for place in waiting}
        best = {place: each for place, each in chosen.items() if each is not None}
        questions = completed({place: each.question() for place, each in best.items()})
        barred = _barred(frontier, regions, questions)
        for place, question in questions.items():
            if place not in barred:
                done[place] = Settled(done[place].offers, question)
                continue
            out = best[place]
            left = [replace(each, out="not admitted") if each is out else each for each in done[place].offers]
            done[place] = Settled(left)
        waiting = barred
    return done


def _barred(frontier: Frontier, regions: Sequence[Region], questions: Questions) -> list[int]:
    """The regions whose question goes against a limit once all rows have followed its branches."""
    limited = {place: each for place, each in questions.items() if regions[place].task.limits is not None}
    if not limited:
        return []
    task = regions[0].task
    below = iter(regions_at(task, task.engine.divide(frontier, limited)))
    return [
        place
        for place, question in sorted(limited.items())
        if not admits(regions[place], question, [next(below) for _ in question.branches])
    ]


# Scores of a split from its counts, by plain sums in one order: native growers report the very same numbers.
#
# While ways to split are compared, their gains are computed many at once, in an order that suits the
# processor; what a tree keeps is computed here.


_OfParts: TypeAlias = Callable[[Sequence[float]], float]


def split_gain(measure: str, counts: Floats, weight: float) -> float:
    """The decrease of impurity by counts [branch, class], for the part of the weight that follows a branch.

    >>> import numpy as np
    >>> split_gain("entropy", np.array([[2.0, 3], [4, 0], [3, 2]]), 14.0)
    0.24674981977443933
    """
    branches: list[list[float]] = counts.tolist()
    whole: list[float] = [sum(each) for each in zip(*branches, strict=True)]
    known: float = sum(whole)
    gain = _impurity(measure, whole, known)
    for each in branches:
        here: float = sum(each)
        gain -= here / known * _impurity(measure, each, here)
    return known / weight * gain


def split_bits(weights: Floats, weight: float) -> float:
    """The bits of knowing which branch a row follows; the rows that follow none are one more.

    >>> import numpy as np
    >>> round(split_bits(np.array([5.0, 4, 5]), 14.0), 3)
    1.577
    """
    few: list[float] = weights.tolist()
    bits = -_xlog2x((weight - sum(few)) / weight)
    for each in few:
        bits -= _xlog2x(each / weight)
    return bits


def _impurity(measure: str, counts: Sequence[float], weight: float) -> float:
    return MEASURED[measure]([each / weight for each in counts]) if weight > 0 else 0.0


def _entropy(parts: Sequence[float]) -> float:
    bits = 0.0
    for each in parts:
        bits -= _xlog2x(each)
    return bits


def _gini(parts: Sequence[float]) -> float:
    same = 0.0
    for each in parts:
        same += each * each
    return 1.0 - same


def _xlog2x(x: float) -> float:
    return x * math.log2(x) if x > 0 else 0.0


# By the names of `clearwood.measures`; a split by another measure keeps the score by which it was chosen.
MEASURED: Final[Mapping[str, _OfParts]] = {
    "entropy": _entropy,
    "gini": _gini,
    "error": lambda parts: 1.0 - max(parts),
}


# Limits at a node: are its branches within the bounds, and what lies below them between which?


def limited_value(task: TreeTask, counts: Floats) -> Floats:
    """[..., level] → [...]: what is limited, with the factors of priors and costs, which change no order."""
    if task.numbers is not None:
        return task.numbers.centre_and_error(counts)[0]
    whole = counts.sum(axis=-1)
    return counts[..., -1] / np.where(whole > 0, whole, 1.0)


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
