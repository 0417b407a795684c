"""A forest's task: columns, target and weights of a table, and every setting with its default filled in."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import (
    chance_key,
    drawn_with_replacement,
    draws,
    units_drawn_with_replacement,
    weights_are_units,
)
from clearwood.counting.coding import CodedColumns
from clearwood.records import dataclass
from clearwood.table.table import Column

# What random numbers are for. A key is made of the seed, the tree, the branches (0 or 1) from the root to the
# node, and one of these.
ROWS: Final = 2
COLUMNS: Final = 3
CUTS: Final = 4

ONE_BY_ONE: Final = 3  # a nominal column of so many values has none that is too rare
MOST_DRAWS: Final = 2**26  # up to this weight, squares of counts are exact


@dataclass(frozen=True, slots=True, eq=False)
class ForestTask:
    """What every tree of a forest is grown from."""

    coded: CodedColumns
    classes: int  # 0: the target is a number
    target: Column
    weights: Floats | None
    order: Longs  # [place] the rows by what is in them, in which they are drawn from
    factors: Floats  # [class] from priors and costs; empty: 1 each
    measure: str
    drawn_columns: int
    part: float  # of the rows, without replacement; 0: as many as there are, with replacement
    random_cuts: bool
    max_depth: int  # −1: no limit
    min_rows: float
    min_leaf: float
    min_value: float
    seed: int


def drawn_weights(task: ForestTask, tree: int) -> Floats:
    """[row] what a row weighs in a tree: how often it was drawn, or its weight where rows are a part.

    With replacement: weights that are whole are counts, each unit is a row of its own, and as many are
    drawn as there are; of other weights a row's is its chance in each of as many draws as there are rows.
    """
    key, rows, order = chance_key(task.seed, tree, ROWS), len(task.target), task.order
    weights = None if task.weights is None else task.weights[order]
    drawn = np.empty(rows)
    drawn[order] = (
        _part(rows, weights, task.part, key) if task.part > 0 else _with_replacement(rows, weights, key)
    )
    return drawn


def _with_replacement(rows: int, weights: Floats | None, key: int) -> Floats:
    ends = None if weights is None else np.cumsum(weights)
    if ends is not None and weights is not None and ends[-1] <= MOST_DRAWS and weights_are_units(weights):
        return units_drawn_with_replacement(key, ends).astype(np.float64)
    return drawn_with_replacement(key, rows, rows, ends).astype(np.float64)


def _part(rows: int, weights: Floats | None, part: float, key: int) -> Floats:
    """Row after row is taken with the chance (still needed) ÷ (still there): each set is as likely."""
    needed = max(1, int(np.ceil(part * rows)))
    taken = np.zeros(rows)
    for row, bits in enumerate(draws(key, rows).tolist()):
        if (bits * (rows - row)) >> 64 < needed:
            taken[row] = 1.0 if weights is None else weights[row]
            needed -= 1
    return taken
