"""The step of an additive model's column by its definition: one small tree, whose leaves take Newton's step.

The native code (`native/core/ensembles/gam.cpp`) takes the same steps; tests demand it, with the rounds and
pairs that `tests/definitions/gam.py` defines. Sums are of whole numbers, so that their order does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import chance_key, drawn_below, drawn_with_replacement
from clearwood.learners.ensembles.gam_task import (
    UNIT,
    GamTask,
    GamTerm,
    logistic_shares,
    softmax_shares,
)

if TYPE_CHECKING:
    from clearwood.learners.ensembles.gam import GAM

_DRAWING: Final = 0x6A11  # the purpose of a bag's key
CUTTING: Final = 0x6A12  # and of the key of cuts that fall by chance
_LARGEST_STEP: Final = 8.0  # a leaf of one class would go on for ever
_GAIN_BY_CHANCE: Final = 0.75  # of a step, for each leaf that was free to move
_SMOOTHING: Final = 10.0  # values are put in order by slope ÷ (curve + this), as LightGBM does


def times_drawn_in_bag(task: GamTask, bag: int) -> Longs:
    """[row] how often the bag draws it, with replacement."""
    key = chance_key(task.settings.seed, bag, _DRAWING)
    return drawn_with_replacement(key, len(task), task.draws, task.cumulative)


@dataclass(frozen=True, slots=True, eq=False)
class CellSums:
    """Σ of first and second derivatives by cell, on the scale of scores, and the drawn rows."""

    slopes: Floats
    curves: Floats
    counts: Longs

    def of(self, cells: list[int]) -> tuple[float, float]:
        """Slope and curvature of these cells together."""
        return float(self.slopes[cells].sum()), float(self.curves[cells].sum())


def newton_factor(task: GamTask) -> float:
    """What a Newton step is multiplied by: of many classes each one's own score moves the others too."""
    classes = len(task.base)
    return task.settings.rate * ((classes - 1) / classes if task.loss == "softmax" else 1.0)


def derivatives_in_units(task: GamTask, scores: Longs) -> tuple[Longs, Longs]:
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


def summed_by_cell(amounts: Longs, term: GamTerm) -> Longs:
    sums = np.zeros(term.cells, dtype=np.int64)
    np.add.at(sums, term.codes, amounts)
    return sums


def step_of_term(
    term: GamTerm, settings: GAM, factor: float, sums: CellSums, chance: int | None
) -> tuple[Longs, list[float]]:
    """[cell] what it is moved by, in units, and which part of Newton's step that is."""
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
        gain = sum(gain_of(*each, l2) for each in inside)
        gain -= gain_of(sum(each[0] for each in inside), sum(each[1] for each in inside), l2)
        # Values were put in order by their slopes: each of them was free to move.
        part = factor * beyond_chance(gain, (len(runs) if term.ordered else len(drawn)) - 1)
        factors = [part] * term.cells
        for low, high in runs:
            cells = drawn[low:high]
            moved = newton_in_units(part, *sums.of(cells), l2)
            if term.ordered:
                steps[0 if low == 0 else drawn[low] : missing if high == len(drawn) else drawn[high]] = moved
            else:
                steps[cells] = moved
    if term.ordered and counts[missing] >= settings.min_leaf:
        part = factor * beyond_chance(gain_of(slopes[missing], curves[missing], l2), 1)
        factors[missing] = part
        steps[missing] = newton_in_units(part, slopes[missing], curves[missing], l2)
    return steps, factors


def beyond_chance(gain: float, free: float) -> float:
    """How much of a step is taken: what chance alone would gain is left out (James and Stein 1961)."""
    chance = _GAIN_BY_CHANCE * free
    return 1.0 - chance / gain if gain > chance else 0.0


def _best_runs(drawn: list[int], sums: CellSums, settings: GAM, direction: int) -> list[tuple[int, int]]:
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
    runs: list[tuple[int, int]], drawn: list[int], sums: CellSums, l2: float, direction: int
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


def _best_cut(cells: list[int], sums: CellSums, settings: GAM, direction: int) -> tuple[float, int]:
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
        gain = gain_of(s, c, l2) + gain_of(slope - s, curve - c, l2) - gain_of(slope, curve, l2)
        if gain > best[0]:
            best = (gain, cut)
    return best


def gain_of(slope: float, curve: float, l2: float) -> float:
    return slope * slope / (curve + l2)


def newton_in_units(factor: float, slope: float, curve: float, l2: float) -> int:
    newton = min(max(-slope / (curve + l2), -_LARGEST_STEP), _LARGEST_STEP)
    return int(np.rint(factor * newton * UNIT))


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
    times, settings, factor = times_drawn_in_bag(task, 0), task.settings, newton_factor(task)
    if not (times == 0).any():
        return []
    slope, curve = derivatives_in_units(task, np.tile(task.base, (len(task), 1)))
    counts = summed_by_cell(times, term)
    chance = chance_key(chance_key(settings.seed, 0, CUTTING), 1, 0) if settings.smoothing else None
    leaves = []
    for s in range(len(task.base)):
        slopes, curves = (summed_by_cell(times * each[:, s], term) / UNIT for each in (slope, curve))
        steps, factors = step_of_term(term, settings, factor, CellSums(slopes, curves, counts), chance)
        drawn = sorted((int(steps[c]), c) for c in range(term.cells) if counts[c] and steps[c])
        for _, same in groupby(drawn, itemgetter(0)):
            cells = tuple(cell for _, cell in same)
            inside = list(cells)
            sums = float(slopes[inside].sum()), float(curves[inside].sum())
            leaves.append(
                GamLeaf(s, cells, int(counts[inside].sum()), *sums, factors[cells[0]], int(steps[cells[0]]))
            )
    return sorted(leaves, key=lambda leaf: (leaf.score, leaf.cells))
