"""CART's choice: the two-way split that lowers the impurity most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.counting.cuts import CandidateCuts, count_cuts, everything_known, two_sides
from clearwood.counting.limits import admits
from clearwood.counting.question import Question, Takes, empty_cells
from clearwood.counting.routing import send, taken_by
from clearwood.counting.task import Region, Task, narrowed
from clearwood.counting.ties import better, enough, first_best, which_enough
from clearwood.counting.values import Values, count_values
from clearwood.learners.trees.offers import Offer, Ways, scored, within_limits
from clearwood.learners.trees.surrogates import find_surrogates
from clearwood.learners.trees.two_groups import divisions
from clearwood.table.attributes import Nominal

if TYPE_CHECKING:
    from clearwood.learners.trees.cart import CART

FEW_VALUES: Final = 3  # of a nominal column: each is grouped, however rare


def choose_split(learner: CART, task: Task, region: Region, counts: Floats) -> Question | None:
    """The best question here, or None where nothing can be parted or the decrease is too small.

    A split that lowers nothing is still a split while `min_decrease` is 0: its parts may be
    separated further down.
    """
    if not large_enough(learner, task, counts):
        return None
    near = narrowed(task, region)
    counts = near.counts(region)
    mixed = float(near.impurity(counts))
    return settle(learner, task, region, counts, mixed, consider(learner, near, region, mixed))[1]


def large_enough(learner: CART, task: Task, counts: Floats) -> bool:
    """Has the node the rows that a question and two branches need?"""
    return enough(float(task.rows(counts)), least_rows(learner))


def least_rows(learner: CART) -> float:
    return max(learner.min_rows, 2 * learner.min_leaf)


def consider(learner: CART, task: Task, region: Region, mixed: float) -> list[Offer]:
    """What every attribute offers, in schema order; `mixed` is the impurity here."""
    usable = [position for position, column in enumerate(task.columns) if column is not None]
    grouped = [position for position in usable if isinstance(task.schema.attributes[position], Nominal)]
    cut = [position for position in usable if position not in grouped]
    joins = learner.missing == "direction"
    ways = {
        **{
            position: _groups(learner, task, values)
            for position, values in zip(grouped, count_values(task, grouped, region), strict=True)
        },
        **{
            position: _cuts(task, position, cuts, joins)
            for position, cuts in zip(cut, count_cuts(task, cut, region), strict=True)
        },
    }
    parted: Sequence[Ways] = [ways[position] for position in usable]
    plain = bool((task.factors == 1).all())
    sides = [each.weights if plain else task.rows(each.counts) for each in parted]
    smaller = np.concatenate([np.empty(0), *(np.minimum(*each.T) for each in sides)])
    allowed = which_enough(smaller, learner.min_leaf)
    parted, allowed = within_limits(task, region, usable, parted, allowed)
    return [
        _best_way(position, ways, mixed)
        for position, ways in zip(usable, scored(parted, allowed, task.impurity), strict=True)
    ]


def choose(offers: Sequence[Offer], mixed: float) -> Offer | None:
    """The largest decrease, the first of equals."""
    valid = [each for each in offers if not each.out]
    best = first_best([each.scores[0] for each in valid], mixed)
    return None if best < 0 else valid[best]


def settle(
    learner: CART, task: Task, region: Region, counts: Floats, mixed: float, offers: list[Offer]
) -> tuple[list[Offer], Question | None]:
    """The question to ask, if any; an offer that its surrogates take beyond a limit is out, and the next is
    tried."""
    near = narrowed(task, region)
    while (chosen := choose(offers, mixed)) and lowers_enough(learner, near, counts, mixed, chosen):
        question = with_surrogates(learner, task, chosen.question(), region)
        if task.limits is None or admits(task, question, region, send(task, question, region)):
            return offers, question
        offers = [replace(each, out="not admitted") if each is chosen else each for each in offers]
    return offers, None


def lowers_enough(learner: CART, task: Task, counts: Floats, mixed: float, offer: Offer) -> bool:
    """Is the decrease, as a part of the whole table's, at least `min_decrease`?"""
    part = float(task.weight(counts) / task.weights.sum())
    return not better(learner.min_decrease, part * offer.scores[0], mixed)


def with_surrogates(learner: CART, task: Task, question: Question, region: Region) -> Question:
    """The question with the side for cells it cannot place, and the attributes that stand in for them."""
    question = replace(question, otherwise=_larger_side(task, question, region))
    if learner.missing == "surrogates" and task.has_missing[question.attribute]:
        return replace(question, surrogates=find_surrogates(task, question, region, learner.surrogates))
    return question


def _groups(learner: CART, task: Task, values: Values) -> Ways:
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
    far = divisions(rows, places) if codes else np.zeros((0, len(rows)), dtype=np.bool_)

    def branches(way: int) -> tuple[Takes, Takes]:
        return _group(codes, ~far[way], joins_missing), _group(codes, far[way], joins_missing)

    # One product of two plain matrices, [way and side, value] and [value, level].
    goes = np.stack([~far, far], axis=1).reshape(2 * len(far), len(rows)).astype(np.float64)
    counts = (goes @ rows).reshape(len(far), 2, task.levels)
    aside = task.whole(values.counts[~kept].sum(axis=0))
    return Ways(counts, task.weight(counts), task.whole(missing) + aside, branches, aside=aside)


def _group(codes: list[int], goes: Bools, joins_missing: bool) -> Takes:
    """The values that go one way; the last place, with `joins_missing`, is that of the empty cells."""
    taken = tuple(code for code, here in zip(codes, goes.tolist(), strict=False) if here)
    return Takes(codes=taken, or_missing=joins_missing and bool(goes[-1]))


def _cuts(task: Task, position: int, cuts: CandidateCuts, may_join: bool) -> Ways:
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


def _best_way(position: int, ways: Ways, scale: float) -> Offer:
    best = first_best(ways.scores, scale)
    if best < 0:
        return Offer(position, ways, out="not admitted" if ways.barred.any() else "too small")
    return Offer(position, ways, best, (float(ways.scores[best]),))


def _larger_side(task: Task, question: Question, region: Region) -> int:
    """The branch with more weight of known cells; the first if they are even."""
    branch = taken_by(task, question, region)
    empty = empty_cells(task.schema.attributes[question.attribute], task.cells(question.attribute, region))
    first, second = (float(region.weights[(branch == side) & ~empty].sum()) for side in (0, 1))
    return int(better(second, first, first + second))
