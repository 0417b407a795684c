"""Sampling: rows of common classes left out, or rows of rare classes taken several times, by chance."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.balancing.balancer import Balancer
from clearwood.balancing.class_weights import class_totals
from clearwood.bounds import Within
from clearwood.counting.chance import below_all, chance_key
from clearwood.registry import checked
from clearwood.table.row_keys import places_by_name, rows_by_content, shuffled_rows
from clearwood.table.table import Table

Ratio: TypeAlias = Annotated[
    float,
    Within(0, 1, including_high=True),
    "How much a rarer class weighs at least beside a commoner one, afterwards; 1: all weigh alike.",
]
_PURPOSE: Final = 0x6F766572  # so that these draws are no learner's


@checked
def sample_less(table: Table, seed: int = 0, *, ratio: Ratio = 1.0) -> Table:
    """Of each class so many rows at random that the rarest weighs `ratio` times as much, or more."""
    totals = class_totals(table)
    most = totals[totals > 0].min() / ratio
    kept = np.ones(len(table), dtype=np.bool_)
    every = shuffled_rows(table, seed)
    for code in np.flatnonzero(totals > most).tolist():
        order = every[table.target[every] == code]
        kept[order[_nearest(_weights(table, order), float(most)) :]] = False
    return table.take(np.flatnonzero(kept))


@checked
def sample_more(table: Table, seed: int = 0, *, ratio: Ratio = 1.0) -> Table:
    """Every row, and rows of each class again, drawn with replacement, until it weighs `ratio` times as much
    as the commonest, or more; a row drawn again has its weight again."""
    totals = class_totals(table)
    least = totals.max() * ratio
    rows = [np.arange(len(table))]
    order, places = rows_by_content(table), places_by_name(table.schema.classes)
    for code in np.flatnonzero((totals > 0) & (totals < least)).tolist():
        own, key = order[table.target[order] == code], chance_key(seed, _PURPOSE, int(places[code]))
        rows.append(own[_drawn(table, own, float(least - totals[code]), key)])
    return table.take(np.concatenate(rows))


def _drawn(table: Table, own: Longs, needed: float, key: int) -> Longs:
    """Places among a class's rows, drawn until their weight is as near to what is needed as can be."""
    weights = _weights(table, own)
    count = int(np.ceil(needed / weights.mean())) + 1
    while True:
        places = below_all(key, count, len(own))
        if weights[places].sum() >= needed:
            return places[: _nearest(weights[places], needed)]
        count *= 2


def _weights(table: Table, rows: Longs) -> Floats:
    return np.ones(len(rows)) if table.weights is None else table.weights[rows]


def _nearest(weights: Floats, total: float) -> int:
    """How many of the first weights add up to what is nearest to the total; at least one.

    >>> _nearest(np.array([1.0, 1.0, 1.0, 1.0]), 2.4), _nearest(np.array([5.0, 1.0]), 1.0)
    (2, 1)
    """
    return int(np.argmin(np.abs(np.cumsum(weights) - total))) + 1


UNDER: Final = Balancer(sample_less, "Rows of common classes are left out, by chance.", draws=True)
OVER: Final = Balancer(sample_more, "Rows of rare classes are taken again, by chance.", draws=True)
