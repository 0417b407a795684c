"""GAM by its definition: bags, rounds, one small tree per column in turn, or four quadrants per pair.

The native code (`native/core/ensembles/gam.cpp`) gives the same tables; tests demand it. Sums are of whole
numbers, so that they may be taken in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import chance_key, drawn_below, drawn_with_replacement
from clearwood.learners.ensembles.gam_task import (
    POWER_BITS,
    UNIT,
    Boosted,
    GamTask,
    GamTerm,
    Start,
    WatchRounds,
    logistic_shares,
    natural_log,
    powers_of_e,
    softmax_shares,
    softplus_at,
)

if TYPE_CHECKING:
    from clearwood.learners.ensembles.gam import GAM

_DRAWING: Final = 0x6A11  # the purpose of a bag's key
_CUTTING: Final = 0x6A12  # and of the key of cuts that fall by chance
_ABREAST: Final = 4  # terms that take their steps from the same scores
_FAR: Final = 1 << 30  # no score goes beyond, however many terms agree
_LARGEST_STEP: Final = 8.0  # a leaf of one class would go on for ever
_WORTH_A_ROUND: Final = 1e-4  # of the loss: what falls by less, while patience lasts, is no gain
_JUDGED_AT_ONCE: Final = 4096  # rows whose losses are added up before these sums are
_GAIN_BY_CHANCE: Final = 0.75  # of a step, for each leaf that was free to move
_FREE_OF_CROSS: Final = 5.0  # three quadrants, and a pair that was sought among all
_FREE_OF_BEST_CROSS: Final = 9.0  # and the cross that was sought
_ROWS_OF_A_QUADRANT: Final = 20  # fewer tell nothing of a pair: one row of a rare class would outweigh all
_NOTHING: Final = 1e-9  # beside a sum of weights, so that none is 0
_SMOOTHING: Final = 10.0  # values are put in order by slope ÷ (curve + this), as LightGBM does


def times_drawn_in_bag(task: GamTask, bag: int) -> Longs:
    """[row] how often the bag draws it, with replacement."""
    key = chance_key(task.settings.seed, bag, _DRAWING)
    return drawn_with_replacement(key, len(task), task.draws, task.cumulative)


def boost(task: GamTask, start: Start, terms: Sequence[GamTerm], watch: WatchRounds | None = None) -> Boosted:
    """Rounds over the terms in every bag, until the loss of the rows has not fallen for `patience` rounds,
    or, where cuts no longer fall by chance, by less than is worth a round.

    Each row is evaluated by the mean of the bags that did not draw it: a bag alone varies more than their
    mean, and would stop too early.
    """
    settings, classes, cells = task.settings, len(task.base), sum(term.cells for term in terms)
    kept, best = np.zeros((task.bags, classes, cells), dtype=np.int64), 0
    running = [
        _Bag(times_drawn_in_bag(task, bag), _begun(task, start, bag), terms, classes)
        for bag in range(task.bags)
    ]
    if not terms or all((bag.times > 0).all() for bag in running):  # nothing to evaluate a round by: no step
        return Boosted(kept, best, [])
    losses, mark = [_mean_loss(task, running)], 0  # the mark: the last round with a gain worth going on for
    for number in range(1, settings.rounds + 1):
        for place, bag in enumerate(running):
            _go_round(task, bag, terms, number, chance_key(settings.seed, place, _CUTTING))
        losses.append(_mean_loss(task, running))
        if losses[-1] < losses[best]:
            best, kept = number, np.stack([np.concatenate(bag.points, axis=1) for bag in running])
        if losses[-1] < losses[mark] * (1.0 - _WORTH_A_ROUND):
            mark = number
        tired = number > settings.smoothing and number - mark >= settings.patience
        if tired or number - best >= settings.patience:
            break
        if watch is not None and watch(number, losses[-1]):
            return Boosted(kept, best, losses, interrupted=True)
    return Boosted(kept, best, losses)


@dataclass(frozen=True, slots=True, eq=False)
class _CellSums:
    """Σ of first and second derivatives by cell, on the scale of scores, and the drawn rows."""

    slopes: Floats
    curves: Floats
    counts: Longs

    def of(self, cells: list[int]) -> tuple[float, float]:
        """Slope and curvature of these cells together."""
        return float(self.slopes[cells].sum()), float(self.curves[cells].sum())


class _Bag:
    """How often a bag drew each row, the scores [row, score] of all, and the points that led there."""

    def __init__(self, times: Longs, scores: Longs, terms: Sequence[GamTerm], classes: int) -> None:
        self.times, self.scores = times, scores
        self.points = [np.zeros((classes, term.cells), dtype=np.int64) for term in terms]


def _begun(task: GamTask, start: Start, bag: int) -> Longs:
    """[row, score] before the first round."""
    scores = np.tile(task.base, (len(task), 1))
    offset = 0
    for term in start.terms:
        assert start.points is not None
        scores += start.points[bag][:, offset + term.codes.astype(np.int64)].T
        offset += term.cells
    return scores if task.loss == "squared" else np.clip(scores, -_FAR, _FAR)


def _go_round(task: GamTask, bag: _Bag, terms: Sequence[GamTerm], number: int, key: int) -> None:
    settings, factor = task.settings, _factor(task)
    slope, curve = _derivatives(task, bag.scores)
    for place, term in enumerate(terms):
        if place % _ABREAST == 0:
            slope, curve = _derivatives(task, bag.scores)
        counts = _by_cell(bag.times, term)
        chance = chance_key(key, number, place) if number <= settings.smoothing else None
        for s in range(len(task.base)):
            slopes, curves = (_by_cell(bag.times * each[:, s], term) / UNIT for each in (slope, curve))
            steps, _ = _step(term, settings, factor, _CellSums(slopes, curves, counts), chance)
            bag.points[place][s] += steps
            bag.scores[:, s] += steps[term.codes]
        if place % _ABREAST < _ABREAST - 1 and place + 1 < len(terms):
            continue
        if task.loss != "squared":
            bag.scores = np.clip(bag.scores, -_FAR, _FAR)


def _factor(task: GamTask) -> float:
    """What a Newton step is multiplied by: of many classes each one's own score moves the others too."""
    classes = len(task.base)
    return task.settings.rate * ((classes - 1) / classes if task.loss == "softmax" else 1.0)


def _derivatives(task: GamTask, scores: Longs) -> tuple[Longs, Longs]:
    """[row, score] first and second derivative of the loss, in units."""
    if task.loss == "squared":
        return scores - task.numbers[:, None], np.full_like(scores, UNIT)
    if task.loss == "logistic":
        share = logistic_shares(scores)
        true = task.classes[:, None].astype(np.int64)
    else:
        share = softmax_shares(scores)
        true = (task.classes[:, None] == np.arange(scores.shape[1])).astype(np.int64)
    return share - true * UNIT, (share * (UNIT - share)) // UNIT


def _mean_loss(task: GamTask, bags: Sequence[_Bag]) -> float:
    """Of the rows, each at the mean score of the bags that did not draw it; those that all drew are out."""
    count = np.sum([bag.times == 0 for bag in bags], axis=0)
    evaluated = np.flatnonzero(count > 0)
    sums = np.sum([bag.scores * (bag.times == 0)[:, None] for bag in bags], axis=0)
    scores = sums[evaluated] // count[evaluated, None]
    if task.loss == "squared":
        off = (scores[:, 0] - task.numbers[evaluated]) / UNIT
        loss = off * off
    elif task.loss == "logistic":
        loss = softplus_at(np.where(task.classes[evaluated] > 0, -scores[:, 0], scores[:, 0]))
    else:
        own = scores[np.arange(len(scores)), task.classes[evaluated]]
        total = powers_of_e(scores).sum(axis=1) * 2.0**-POWER_BITS
        loss = natural_log(total) + (scores.max(axis=1) - own) / UNIT
    weights = np.ones(len(task)) if task.weights is None else task.weights
    parts: dict[int, tuple[float, float]] = {}
    for row, each in zip(evaluated.tolist(), loss.tolist(), strict=True):
        added, whole = parts.get(row // _JUDGED_AT_ONCE, (0.0, 0.0))
        weight = float(weights[row])
        parts[row // _JUDGED_AT_ONCE] = added + weight * each, whole + weight
    whole = sum(part[1] for part in parts.values())
    return sum(part[0] for part in parts.values()) / whole if whole > 0 else 0.0


def _by_cell(amounts: Longs, term: GamTerm) -> Longs:
    sums = np.zeros(term.cells, dtype=np.int64)
    np.add.at(sums, term.codes, amounts)
    return sums


def _step(
    term: GamTerm, settings: GAM, factor: float, sums: _CellSums, chance: int | None
) -> tuple[Longs, list[float]]:
    """[cell] what it is moved by, in units, and which part of Newton's step that is."""
    if term.wide:
        return _pair_step(term, settings, factor, sums, chance), []
    slopes, curves, counts, l2 = sums.slopes, sums.curves, sums.counts, settings.l2
    missing = term.cells - 2
    steps, factors = np.zeros(term.cells, dtype=np.int64), [0.0] * term.cells
    drawn = [cell for cell in range(missing + (not term.ordered)) if counts[cell]]
    if not term.ordered:
        drawn.sort(key=lambda cell: (slopes[cell] * UNIT) / (curves[cell] * UNIT + _SMOOTHING * UNIT))
    if chance is None or not term.ordered:
        runs = _best_runs(drawn, sums, settings, term.direction)
    else:
        runs = _chance_runs(drawn, counts, settings, chance)
    if term.direction:
        runs = _pooled(runs, drawn, sums, l2, term.direction)
    if len(runs) > 1:
        inside = [sums.of(drawn[a:b]) for a, b in runs]
        gain = sum(_gain(*each, l2) for each in inside)
        gain -= _gain(sum(each[0] for each in inside), sum(each[1] for each in inside), l2)
        # Values were put in order by their slopes: each of them was free to move.
        part = factor * _beyond_chance(gain, (len(runs) if term.ordered else len(drawn)) - 1)
        factors = [part] * term.cells
        for low, high in runs:
            cells = drawn[low:high]
            moved = _newton(part, *sums.of(cells), l2)
            if term.ordered:
                steps[0 if low == 0 else drawn[low] : missing if high == len(drawn) else drawn[high]] = moved
            else:
                steps[cells] = moved
    if term.ordered and counts[missing] >= settings.min_leaf:
        part = factor * _beyond_chance(_gain(slopes[missing], curves[missing], l2), 1)
        factors[missing] = part
        steps[missing] = _newton(part, slopes[missing], curves[missing], l2)
    return steps, factors


def _beyond_chance(gain: float, free: float) -> float:
    """How much of a step is taken: what chance alone would gain is left out (James and Stein 1961)."""
    chance = _GAIN_BY_CHANCE * free
    return 1.0 - chance / gain if gain > chance else 0.0


def _best_runs(drawn: list[int], sums: _CellSums, settings: GAM, direction: int) -> list[tuple[int, int]]:
    """The leaves of the tree that always splits the run of cells with most to gain."""
    runs = [(0, len(drawn))]
    while len(runs) < settings.leaves:
        cuts = [_best_cut(drawn[a:b], sums, settings, direction) for a, b in runs]
        best = max(range(len(runs)), key=lambda i: cuts[i][0])  # the first of equals
        if not cuts[best][0] > 0:
            break
        low, high = runs[best]
        cut = low + cuts[best][1]
        runs[best : best + 1] = [(low, cut), (cut, high)]
    return runs


def _chance_runs(drawn: list[int], counts: Longs, settings: GAM, chance: int) -> list[tuple[int, int]]:
    """The runs between cuts that fall by chance; one that would leave too few rows on a side is left out."""
    size = len(drawn)
    cuts = (
        sorted(1 + drawn_below(chance, k, size - 1) for k in range(settings.leaves - 1)) if size > 1 else []
    )
    runs, low = list[tuple[int, int]](), 0
    for cut in cuts:
        inside, beyond = counts[drawn[low:cut]].sum(), counts[drawn[cut:]].sum()
        if inside >= settings.min_leaf and beyond >= settings.min_leaf:
            runs.append((low, cut))
            low = cut
    return [*runs, (low, size)]


def _turns(direction: int, left: tuple[float, float], right: tuple[float, float], l2: float) -> bool:
    """Do Newton's steps of two neighbours, each a slope and a curvature, go against the direction?"""
    low, high = (-slope / (curve + l2) for slope, curve in (left, right))
    return bool(high < low if direction > 0 else high > low if direction < 0 else False)


def _pooled(
    runs: list[tuple[int, int]], drawn: list[int], sums: _CellSums, l2: float, direction: int
) -> list[tuple[int, int]]:
    """Neighbours whose steps go against the direction are one run (pool adjacent violators)."""
    pooled = list[tuple[int, int]]()
    for run in runs:
        pooled.append(run)
        while len(pooled) > 1:
            left, right = (sums.of(drawn[low:high]) for low, high in pooled[-2:])
            if not _turns(direction, left, right, l2):
                break
            pooled[-2:] = [(pooled[-2][0], pooled[-1][1])]
    return pooled


def _best_cut(cells: list[int], sums: _CellSums, settings: GAM, direction: int) -> tuple[float, int]:
    """The largest gain of a cut and how many cells are before it; 0 where none has enough rows and goes in
    the direction."""
    (slope, curve), l2 = sums.of(cells), settings.l2
    best = (0.0, 0)
    for cut in range(1, len(cells)):
        if min(sums.counts[cells[:cut]].sum(), sums.counts[cells[cut:]].sum()) < settings.min_leaf:
            continue
        s, c = sums.of(cells[:cut])
        if _turns(direction, (s, c), (slope - s, curve - c), l2):
            continue
        gain = _gain(s, c, l2) + _gain(slope - s, curve - c, l2) - _gain(slope, curve, l2)
        if gain > best[0]:
            best = (gain, cut)
    return best


def _gain(slope: float, curve: float, l2: float) -> float:
    return slope * slope / (curve + l2)


def _newton(factor: float, slope: float, curve: float, l2: float) -> int:
    newton = min(max(-slope / (curve + l2), -_LARGEST_STEP), _LARGEST_STEP)
    return int(np.rint(factor * newton * UNIT))


def _pair_step(term: GamTerm, settings: GAM, factor: float, sums: _CellSums, chance: int | None) -> Longs:
    """Four quadrants around the cross that gains most, or one by chance; those with enough rows move."""
    steps = np.zeros((len(term.first), len(term.second)), dtype=np.int64)
    slopes, curves = sums.slopes.reshape(steps.shape), sums.curves.reshape(steps.shape)
    counts = sums.counts.reshape(steps.shape)
    places = np.array(term.first), np.array(term.second)
    if chance is None:
        _, quadrants = best_quadrants(
            *places, slopes, curves, counts, l2=settings.l2, least=settings.min_leaf
        )
    else:
        a, b = (drawn_below(chance, k, max(int(places[k].max()), 1)) for k in (0, 1))
        quadrants = quadrants_of(*places, a, b)
    moves = [
        (inside, float(slopes[inside].sum()), float(curves[inside].sum()))
        for inside in quadrants
        if counts[inside].sum() >= settings.min_leaf
    ]
    gain = sum(_gain(slope, curve, settings.l2) for _, slope, curve in moves)
    part = factor * _beyond_chance(gain, _FREE_OF_CROSS if chance is not None else _FREE_OF_BEST_CROSS)
    for inside, slope, curve in moves:
        steps[inside] = _newton(part, slope, curve, settings.l2)
    return steps.ravel()


def quadrants_of(first: Longs, second: Longs, a: int, b: int) -> list[tuple[Longs, ...]]:
    """The cells up to (a, b), beside, below, and beyond both; a place of −1 is in none."""
    rows = [(first >= 0) & ((first <= a) == low) for low in (True, False)]
    columns = [(second >= 0) & ((second <= b) == left) for left in (True, False)]
    return [np.ix_(in_rows, in_columns) for in_rows in rows for in_columns in columns]


def best_quadrants(
    first: Longs, second: Longs, slopes: Floats, curves: Floats, counts: Longs, *, l2: float, least: int
) -> tuple[float, list[tuple[Longs, ...]]]:
    """The largest gain of four quadrants, and the cells of each; none where there is nothing to cut."""
    best, chosen = 0.0, list[tuple[Longs, ...]]()
    for a in range(first.max()):
        for b in range(second.max()):
            quadrants, gain = quadrants_of(first, second, a, b), 0.0
            for inside in quadrants:
                if counts[inside].sum() >= least:
                    gain += _gain(float(slopes[inside].sum()), float(curves[inside].sum()), l2)
            if gain > best:
                best, chosen = gain, quadrants
    return best, chosen


def rank(
    task: GamTask, residuals: Longs, terms: Sequence[GamTerm], places: Sequence[Sequence[int]]
) -> list[float]:
    """[pair of terms, in order] what four quadrants cut off the residual sum of squares."""
    gains = []
    for i, j in combinations(range(len(terms)), 2):
        gains.append(0.0)
        if max(places[i]) < 1 or max(places[j]) < 1:
            continue
        at = np.array(places[i])[terms[i].codes], np.array(places[j])[terms[j].codes]
        here = (at[0] >= 0) & (at[1] >= 0)
        inside = tuple(each[here] for each in at)
        weights = np.ones(len(task)) if task.weights is None else task.weights
        shape = max(places[i]) + 1, max(places[j]) + 1
        curves, counts = np.zeros(shape), np.zeros(shape, dtype=np.int64)
        np.add.at(curves, inside, weights[here])
        np.add.at(counts, inside, 1)
        for s in range(residuals.shape[1]):
            slopes = np.zeros(shape)
            np.add.at(slopes, inside, weights[here] * (residuals[here, s] / UNIT))
            gain, quadrants = best_quadrants(
                np.arange(shape[0]),
                np.arange(shape[1]),
                slopes,
                curves,
                counts,
                l2=_NOTHING,
                least=_ROWS_OF_A_QUADRANT,
            )
            if quadrants:
                gains[-1] += gain - _gain(float(slopes.sum()), float(curves.sum()), _NOTHING)
    return gains


@dataclass(frozen=True, slots=True)
class GamLeaf:
    """A leaf of one step: its cells, the drawn rows there, the sums, and the step in units."""

    score: int
    cells: tuple[int, ...]
    rows: int
    slope: float
    curve: float
    factor: float  # the rate, less what chance would gain
    step: int


def first_leaves(task: GamTask, term: GamTerm) -> list[GamLeaf]:
    """The leaves of the very first step: of the first bag, by this column; none where nothing is cut."""
    times, settings, factor = times_drawn_in_bag(task, 0), task.settings, _factor(task)
    if not (times == 0).any():
        return []
    slope, curve = _derivatives(task, np.tile(task.base, (len(task), 1)))
    counts = _by_cell(times, term)
    chance = chance_key(chance_key(settings.seed, 0, _CUTTING), 1, 0) if settings.smoothing else None
    leaves = []
    for s in range(len(task.base)):
        slopes, curves = (_by_cell(times * each[:, s], term) / UNIT for each in (slope, curve))
        steps, factors = _step(term, settings, factor, _CellSums(slopes, curves, counts), chance)
        drawn = sorted((int(steps[c]), c) for c in range(term.cells) if counts[c] and steps[c])
        for _, same in groupby(drawn, itemgetter(0)):
            cells = tuple(cell for _, cell in same)
            inside = list(cells)
            sums = float(slopes[inside].sum()), float(curves[inside].sum())
            leaves.append(
                GamLeaf(s, cells, int(counts[inside].sum()), *sums, factors[cells[0]], int(steps[cells[0]]))
            )
    return sorted(leaves, key=lambda leaf: (leaf.score, leaf.cells))
