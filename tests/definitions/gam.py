"""GAM by its definition: bags, rounds, one small tree per column in turn, or four quadrants per pair.

The native code (`native/core/ensembles/gam.cpp`) gives the same tables; a property test demands it. The step
of a column stands in `gam_definition.py`, since derivations show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import chance_key, drawn_below
from clearwood.learners.ensembles.gam import GAM
from clearwood.learners.ensembles.gam_definition import (
    CUTTING,
    CellSums,
    beyond_chance,
    derivatives_in_units,
    gain_of,
    newton_factor,
    newton_in_units,
    step_of_term,
    summed_by_cell,
    times_drawn_in_bag,
)
from clearwood.learners.ensembles.gam_task import (
    POWER_BITS,
    REACH,
    STEP_BITS,
    UNIT,
    Boosted,
    GamTask,
    GamTerm,
    Start,
    WatchRounds,
    curves,
    powers_of_e,
)

_ABREAST: Final = 4  # terms that take their steps from the same scores
_FAR: Final = 1 << 30  # no score goes beyond, however many terms agree
_WORTH_A_ROUND: Final = 1e-4  # of the loss: what falls by less, while patience lasts, is no gain
_JUDGED_AT_ONCE: Final = 4096  # rows whose losses are added up before these sums are
_FREE_OF_CROSS: Final = 5.0  # three quadrants, and a pair that was sought among all
_FREE_OF_BEST_CROSS: Final = 9.0  # and the cross that was sought
_ROWS_OF_A_QUADRANT: Final = 20  # fewer tell nothing of a pair: one row of a rare class would outweigh all
_NOTHING: Final = 1e-9  # beside a sum of weights, so that none is 0


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
            _go_round(task, bag, terms, number, chance_key(settings.seed, place, CUTTING))
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
    settings, factor = task.settings, newton_factor(task)
    slope, curve = derivatives_in_units(task, bag.scores)
    for place, term in enumerate(terms):
        if place % _ABREAST == 0:
            slope, curve = derivatives_in_units(task, bag.scores)
        counts = summed_by_cell(bag.times, term)
        chance = chance_key(key, number, place) if number <= settings.smoothing else None
        for s in range(len(task.base)):
            slopes, curves = (summed_by_cell(bag.times * each[:, s], term) / UNIT for each in (slope, curve))
            sums = CellSums(slopes, curves, counts)
            if term.wide:
                steps = _pair_step(term, settings, factor, sums, chance)
            else:
                steps, _ = step_of_term(term, settings, factor, sums, chance)
            bag.points[place][s] += steps
            bag.scores[:, s] += steps[term.codes]
        if place % _ABREAST < _ABREAST - 1 and place + 1 < len(terms):
            continue
        if task.loss != "squared":
            bag.scores = np.clip(bag.scores, -_FAR, _FAR)


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


def _pair_step(term: GamTerm, settings: GAM, factor: float, sums: CellSums, chance: int | None) -> Longs:
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
    gain = sum(gain_of(slope, curve, settings.l2) for _, slope, curve in moves)
    part = factor * beyond_chance(gain, _FREE_OF_CROSS if chance is not None else _FREE_OF_BEST_CROSS)
    for inside, slope, curve in moves:
        steps[inside] = newton_in_units(part, slope, curve, settings.l2)
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
                    gain += gain_of(float(slopes[inside].sum()), float(curves[inside].sum()), l2)
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
                gains[-1] += gain - gain_of(float(slopes.sum()), float(curves.sum()), _NOTHING)
    return gains


def softplus_at(scores: Longs) -> Floats:
    """ln(1 + e^s) at scores in units."""
    curve = curves()[2]
    at = np.clip(scores, -REACH * UNIT, REACH * UNIT - 1) + REACH * UNIT
    place, part = at >> STEP_BITS, (at & ((1 << STEP_BITS) - 1)) / (1 << STEP_BITS)
    between = curve[place] + (curve[place + 1] - curve[place]) * part
    return np.where(scores >= REACH * UNIT, scores / UNIT, between)


def natural_log(numbers: Floats) -> Floats:
    """ln of numbers from 1 up, by a series of our own.

    >>> round(float(natural_log(np.array([2.0]))[0]), 12)
    0.69314718056
    """
    part, twos = np.frexp(numbers)
    low = part < 0.70710678118654752
    part, twos = np.where(low, 2 * part, part), np.where(low, twos - 1, twos)
    z = (part - 1.0) / (part + 1.0)
    square = z * z
    total = np.zeros_like(z)
    for k in range(21, 0, -2):
        total = total * square + 1.0 / k
    return np.asarray(2.0 * z * total + twos * 0.69314718055994531)
