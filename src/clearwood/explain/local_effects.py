"""Accumulated local effects: how the answer changes from each value of a column to the next, added up.

Each row is asked at the two ends of its own interval only, so that no row is made that is unlike all others
(Apley and Zhu 2020). What the mean of these differences adds up to is moved to a mean of 0 over the rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.explain.dependence import Asked, Dependence
from clearwood.explain.value_order import by_likeness
from clearwood.models.kinds import check_kind
from clearwood.models.model import Model
from clearwood.table.attributes import Ordinal


def local_effects(
    model: Model, table: Any, column: str, *, points: int = 40, rows: int = 10_000, seed: int = 0
) -> Dependence:
    """What each value of a column adds to the mean prediction, accumulated over steps between neighbours.

    Numbers are cut at `points` quantiles. Ordinal values stand in their order, nominal ones so that those
    whose rows are alike in the other columns are neighbours. Rows with an empty cell are left out.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> effect = local_effects(cw.C45().learn(days), days, "Humidity", points=4)
    >>> effect.scores[0], effect.places, [round(each, 3) for each in effect.mean[:, 0].tolist()]
    ("Don't Play", (65.0, 75.0, 85.0, 96.0), [-0.107, -0.107, 0.143, 0.143])
    """
    check_kind("local_effects", model)
    whole("points", points, 2)
    whole("rows", rows, 1)
    asked = Asked.of(model, table, column, rows, seed)
    places, effects = _of_numbers(asked, points) if asked.numeric else _of_values(asked)
    return asked.dependence("local", places, effects, np.empty((0, *effects.shape)))


def _of_numbers(asked: Asked, points: int) -> tuple[tuple[float, ...], Floats]:
    ends = np.unique(asked.quantiles(np.linspace(0, 1, points)))
    numbers = asked.cells.astype(np.float64)
    rows = np.flatnonzero(np.isfinite(numbers) & (asked.weights > 0))
    weights = asked.weights[rows]
    if len(ends) < 2:
        return tuple(ends.tolist()), np.zeros((1, asked.answers(asked.cells[:1], slice(1)).shape[1]))
    # The first interval has both of its ends, each other one its upper end alone.
    interval = np.maximum(np.searchsorted(ends, numbers[rows]) - 1, 0)
    change = asked.answers(ends[interval + 1], rows) - asked.answers(ends[interval], rows)
    steps = _means(interval, change, weights, len(ends) - 1)
    effects = np.concatenate([np.zeros((1, change.shape[1])), np.cumsum(steps, axis=0)])
    within = np.bincount(interval, weights, minlength=len(ends) - 1)
    middle = np.average((effects[1:] + effects[:-1]) / 2, axis=0, weights=within)
    return tuple(ends.tolist()), effects - middle


def _of_values(asked: Asked) -> tuple[tuple[str, ...], Floats]:
    codes = asked.cells.astype(np.int64)
    within = np.bincount(codes[codes >= 0], asked.weights[codes >= 0], minlength=len(asked.values))
    present = np.flatnonzero(within > 0)
    if not isinstance(asked.model.schema[asked.column], Ordinal):
        present = by_likeness(asked.table, asked.column, codes, asked.weights, present)
    place = np.full(len(asked.values), -1)
    place[present] = np.arange(len(present))
    rows = np.flatnonzero((codes >= 0) & (asked.weights > 0))
    at, weights = place[codes[rows]], asked.weights[rows]
    own = asked.answers(codes[rows], rows)
    after = asked.answers(present[np.minimum(at + 1, len(present) - 1)], rows) - own
    before = own - asked.answers(present[np.maximum(at - 1, 0)], rows)
    # The step from one value to the next is that of the rows at both of them.
    step = np.concatenate([at, at - 1])
    change, twice = np.concatenate([after, before]), np.concatenate([weights, weights])
    inside = (step >= 0) & (step < len(present) - 1)
    steps = _means(step[inside], change[inside], twice[inside], len(present) - 1)
    effects = np.concatenate([np.zeros((1, own.shape[1])), np.cumsum(steps, axis=0)])
    middle = np.average(effects, axis=0, weights=within[present])
    return tuple(asked.values[code] for code in present.tolist()), effects - middle


def _means(group: Longs, numbers: Floats, weights: Floats, groups: int) -> Floats:
    """[group, score] by weight; 0 of a group without rows."""
    total = np.bincount(group, weights, minlength=groups)
    sums = [np.bincount(group, weights * each, minlength=groups) for each in numbers.T]
    means: Floats = np.divide(
        np.array(sums).T, total[:, None], out=np.zeros((groups, len(sums))), where=total[:, None] > 0
    )
    return means
