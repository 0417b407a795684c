"""Pairs by cost: two cells that change together, all of them in the order of what they cost.

The rows of pairs of all columns are predicted together, some thousands at a time, so that the search can end
with the first that does and look at the clock between. A number stands for all others between the same
thresholds in reach (`cuts_in_reach.py`): the cheapest of them, which comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.explain.cell_options import CellOptions
from clearwood.explain.search_time import SearchTime
from clearwood.explain.trial_rows import Change, TrialRows

_MOST: Final = 2_000_000  # pairs; where there are more, cells are changed one after another
_FIRST_BLOCK: Final = 1024  # rows predicted together: cheap changes do most often
_BLOCK: Final = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """[pair] Two columns, by their places among the options, an option of each, and the cost of both."""

    columns: Longs  # [pair, 2]
    options: Longs  # [pair, 2]
    cost: Floats


@dataclass(frozen=True, slots=True)
class PairSearch:
    """The cheapest pair that does; None: none does, or there were too many (`complete` is False) or the time
    was over (`stopped`)."""

    pair: Change | None
    complete: bool = True
    stopped: bool = False


def cheapest_pair(
    options: Sequence[CellOptions],
    rows: TrialRows,
    standing: Callable[[int, int], Longs],
    search_time: SearchTime,
) -> PairSearch:
    """The cheapest two cells that do together, of equals those that come first; `standing` are the options
    [·] of one column that stand for all, beside changes of another."""
    pairs = _all_pairs(options, standing)
    if pairs is None:
        return PairSearch(None, complete=False)
    order = np.argsort(pairs.cost, kind="stable")
    start, size = 0, _FIRST_BLOCK
    while start < len(order):
        if search_time.is_over:
            return PairSearch(None, complete=False, stopped=True)
        block = order[start : start + size]
        does = np.flatnonzero(_answered(options, rows, pairs, block))
        if len(does):
            best = block[does[0]]
            both = zip(pairs.columns[best].tolist(), pairs.options[best].tolist(), strict=True)
            return PairSearch(tuple(options[column].changed(option) for column, option in both))
        start, size = start + size, _BLOCK
    return PairSearch(None)


def _all_pairs(options: Sequence[CellOptions], standing: Callable[[int, int], Longs]) -> _Pairs | None:
    """In the order of the columns and their options; None where there are too many."""
    columns, chosen, costs = [], [], []
    total = 0
    for one, two in combinations(range(len(options)), 2):
        ones, twos = standing(one, two), standing(two, one)
        total += len(ones) * len(twos)
        if total > _MOST:
            return None
        grid = np.empty((len(ones), len(twos), 2), dtype=np.int64)
        grid[:, :, 0], grid[:, :, 1] = ones[:, None], twos
        chosen.append(grid.reshape(-1, 2))
        columns.append((one, two))
        costs.append((options[one].costs[ones][:, None] + options[two].costs[twos]).ravel())
    none = np.empty((0, 2), dtype=np.int64)
    both = np.array(columns, dtype=np.int64).reshape(-1, 2)
    return _Pairs(
        np.repeat(both, [len(each) for each in chosen], axis=0),
        np.concatenate([none, *chosen]),
        np.concatenate([np.empty(0), *costs]),
    )


def _answered(options: Sequence[CellOptions], rows: TrialRows, pairs: _Pairs, block: Longs) -> Bools:
    return answered_with(options, rows, pairs.columns[block], pairs.options[block])


def answered_with(options: Sequence[CellOptions], rows: TrialRows, columns: Longs, chosen: Longs) -> Bools:
    """[row] does it get one of the classes, with these columns [row, ·] at these options of theirs?"""
    changed = {}
    for place, each in enumerate(options):
        cells = rows.repeated(each.name, len(columns))
        for side in range(columns.shape[1]):
            own = np.flatnonzero(columns[:, side] == place)
            cells[own] = each.cells[chosen[own, side]]
        changed[each.name] = cells
    return rows.answered(changed, len(columns))
