"""Resampling: rows drawn anew, as weights of the rows there are, and the interval that their scores give.

Rows that belong together are drawn together, or not at all.
Rows that no score can tell apart are drawn together, so that a tree of a few leaves is resampled in no time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Longs
from clearwood.scoring import ScoredOf, WeighedScore
from clearwood.scoring.predictions import ClassPredictions, Predictions

DRAWS: Final = 2_000
_FEWEST: Final = 400  # of very many rows: their scores scatter evenly
_WORK: Final = 16_000_000  # cells of all draws together
_CHUNK: Final = 160_000  # cells at once, so that they stay near the processor
_LEFT_OUT_SINGLY: Final = 1_500  # rows that are left out one by one; of more, in blocks
_BLOCKS: Final = 400
_KNOWN: Final = 0.95  # of the draws must have the score
_NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """Predictions without repetition: each stands for `counts` rows, and weighs `each` when it is drawn.

    `units` number, from 0, the groups that are drawn as wholes; None: rows are drawn.
    """

    predictions: Predictions
    counts: Floats  # [row]
    each: Floats  # [row]
    units: Longs | None = None  # [row]

    @property
    def rows(self) -> int:
        """How many rows a resample has."""
        return max(1, round(float(self.counts.sum())))


def distinct_rows(predictions: Predictions, of: ScoredOf) -> Distinct:
    """The rows that differ in what a score of this kind asks.

    A weight that is a count is so many rows; any other goes with its row when it is drawn.
    """
    apart = predictions.weights_are in ("sampling", "importance")
    keys = [predictions.truth.astype(np.float64)]
    if of != "shares":
        keys.append(predictions.answers.astype(np.float64))
    if apart:
        keys.append(predictions.weights)
    if predictions.units is not None:
        keys.append(predictions.units.astype(np.float64))
    columns = np.column_stack(keys)
    if of == "shares" and isinstance(predictions, ClassPredictions):
        columns = np.hstack([columns, predictions.shares])
    if not len(columns):
        return Distinct(predictions, np.zeros(0), np.zeros(0))
    _, first, place = np.unique(_as_one(columns), return_index=True, return_inverse=True)
    if of == "shares":  # in the order of the last share, so that rankings need not order every draw
        order = np.argsort(-columns[first, -1], kind="stable")
        first, place = first[order], np.argsort(order)[place.ravel()]
    weights = np.ones(len(columns)) if apart else predictions.weights
    counts = np.bincount(place.ravel(), weights, minlength=len(first)).astype(np.float64)
    kept = predictions.take(first)
    each = kept.weights if apart else np.ones(len(first))
    units = None if kept.units is None else np.unique(kept.units, return_inverse=True)[1].ravel()
    return Distinct(replace(kept, weights=counts * each), counts, each, units)


def bootstrap_intervals(
    distinct: Distinct, statistics: Mapping[str, WeighedScore], *, seed: int = 0, work: int = 1
) -> tuple[dict[str, tuple[float, float] | None], int]:
    """The BCa interval at 95 % of each statistic (Efron 1987), and how many resamples it comes from.

    None where the score is one that most resamples cannot tell, or is the same in all of them. `work` is how
    many times as much a draw costs as a sum over its rows.
    """
    size = len(distinct.counts)
    draws = int(np.clip(_WORK // max(1, size * work), _FEWEST, DRAWS))
    names = list(statistics)
    drawn: dict[str, list[Floats]] = {name: [] for name in names}
    left: dict[str, list[Floats]] = {name: [] for name in names}
    for weights in _resamples(distinct, draws, seed):
        for name in names:
            drawn[name].append(statistics[name].of(weights))
    without, times = _left_out(distinct, seed)
    for weights in without:
        for name in names:
            left[name].append(statistics[name].of(weights))
    whole = (distinct.counts * distinct.each)[None]
    return {
        name: bca(
            float(statistics[name].of(whole)[0]),
            np.concatenate(drawn[name]),
            np.concatenate(left[name]),
            times,
        )
        for name in names
    }, draws


def bca(
    value: float, drawn: Floats, left_out: Floats, times: Floats | None = None, confidence: float = 0.95
) -> tuple[float, float] | None:
    """The interval from scores of resamples, corrected for their bias, and for how the spread changes with
    the value, which the scores with rows `left_out` in turn tell (each so many `times`).
    """
    known = drawn[~np.isnan(drawn)]
    if np.isnan(value) or len(known) < _KNOWN * len(drawn) or not len(known) or not np.ptp(known) > 0:
        return None
    below = (np.count_nonzero(known < value) + np.count_nonzero(known == value) / 2) / len(known)
    bias = _NORMAL.inv_cdf(float(np.clip(below, 0.5 / len(known), 1 - 0.5 / len(known))))
    times = np.ones(len(left_out)) if times is None else times
    told = ~np.isnan(left_out)
    parts, weights = left_out[told], times[told]
    change = 0.0
    if len(parts):
        apart = np.average(parts, weights=weights) - parts
        spread = float(weights @ apart**2)
        change = float(weights @ apart**3) / (6 * spread**1.5) if spread > 0 else 0.0
    levels = []
    for level in ((1 - confidence) / 2, (1 + confidence) / 2):
        z = bias + _NORMAL.inv_cdf(level)
        room = 1 - change * z
        levels.append(_NORMAL.cdf(bias + z / room) if room > 0 else float(z > 0))
    low, high = np.quantile(known, np.clip(levels, 0.0, 1.0))
    return float(low), float(high)


def _resamples(distinct: Distinct, draws: int, seed: int) -> Iterator[Floats]:
    """Weights [draw, row] of rows drawn with replacement, as many as there are, in chunks."""
    chance = np.random.default_rng(seed)
    size, rows = len(distinct.counts), distinct.rows
    if distinct.units is not None:
        yield from _units_drawn(distinct, distinct.units, draws, chance)
        return
    at_once = max(1, _CHUNK // max(size, 1))
    whole = bool((distinct.counts == np.round(distinct.counts)).all())
    one_by_one = whole and rows <= 8 * size
    owner = np.repeat(np.arange(size), distinct.counts.astype(np.int64)) if one_by_one else None
    for start in range(0, draws, at_once):
        some = min(at_once, draws - start)
        if owner is not None:
            taken = owner[chance.integers(0, rows, size=(some, rows))]
            taken += np.arange(some)[:, None] * size
            times = np.bincount(taken.ravel(), minlength=some * size).reshape(some, size)
        else:
            times = chance.multinomial(rows, distinct.counts / distinct.counts.sum(), size=some)
        yield times * distinct.each


def _units_drawn(
    distinct: Distinct, units: Longs, draws: int, chance: np.random.Generator
) -> Iterator[Floats]:
    """Weights [draw, row] of groups drawn with replacement, as many as there are."""
    groups = int(units.max()) + 1
    whole, at_once = distinct.counts * distinct.each, max(1, _CHUNK // len(units))
    for start in range(0, draws, at_once):
        some = min(at_once, draws - start)
        taken = chance.integers(0, groups, size=(some, groups)) + np.arange(some)[:, None] * groups
        times = np.bincount(taken.ravel(), minlength=some * groups).reshape(some, groups)
        yield times[:, units] * whole


def _left_out(distinct: Distinct, seed: int) -> tuple[Iterator[Floats], Floats]:
    """Weights [case, row] with one row, or group, less, and how many rows are such; of many rows, or groups,
    with a block less."""
    counts, size, units = distinct.counts, len(distinct.counts), distinct.units
    whole, at_once = counts * distinct.each, max(1, _CHUNK // max(1, size))
    singles = size if units is None else int(units.max()) + 1
    blocks = singles > _LEFT_OUT_SINGLY
    cases = _BLOCKS if blocks else singles
    block = np.random.default_rng(seed + 1).permutation(singles) % _BLOCKS if blocks else np.arange(singles)
    block = block if units is None else block[units]
    as_wholes = blocks or units is not None
    less = whole if as_wholes else np.minimum(counts, 1.0) * distinct.each

    def weights() -> Iterator[Floats]:
        for start in range(0, cases, at_once):
            some = min(at_once, cases - start)
            without = np.repeat(whole[None], some, axis=0)
            rows = np.flatnonzero((block >= start) & (block < start + some))
            without[block[rows] - start, rows] -= less[rows]
            yield without

    return weights(), np.ones(cases) if as_wholes else counts


def _as_one(columns: Floats) -> npt.NDArray[np.void]:
    """[row] all cells of a row as one value that can be compared."""
    columns = np.ascontiguousarray(columns + 0.0)  # −0 becomes 0
    return columns.view(np.dtype((np.void, columns.dtype.itemsize * columns.shape[1]))).ravel()
