"""Cuts in reach: the thresholds of trees that still count when a row changes in one cell, or in two.

A forest has thousands of thresholds for a column; with all other cells as they are a row comes to few of
them. Numbers between the same thresholds in reach lead every tree to the same leaves, so that one of them
stands for all.

Down each tree go all nodes that the row could come to, each with the columns that would have to change for
it; those that need more than may change are left. Where the row's own cell decides nothing (it is missing, or
was never met) every branch is taken to be in reach: a threshold too many costs time, one too few would be
wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.models.nodes import Nodes
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

_NONE: Final = -1  # no column


@dataclass(frozen=True, slots=True)
class CutsInReach:
    """By column and the columns (sorted, at most two) that change before it is asked: its thresholds."""

    by_changed: Mapping[tuple[int, tuple[int, ...]], Floats]

    def of(self, column: int, other: int | None = None) -> Floats:
        """The thresholds of a column that count if it alone changes, or together with another; in no order,
        and some of them twice."""
        subsets: list[tuple[int, ...]] = [(), (column,)]
        if other is not None:
            subsets += [(other,), (min(column, other), max(column, other))]
        met = [self.by_changed[column, each] for each in subsets if (column, each) in self.by_changed]
        return np.concatenate(met) if met else np.empty(0)


def cuts_in_reach(nodes: Nodes, roots: Longs, row: Table, *, cells_changed: Literal[1, 2]) -> CutsInReach:
    """Those of the trees that begin at these roots, for a table of one row that changes in so many cells."""
    cells = _cells(row)
    is_numeric = np.array([isinstance(each, Numeric) for each in row.schema.attributes])
    met: list[Floats] = []  # [·, 4] column, the two that changed, threshold
    at = roots.astype(np.int64)
    changed = np.full((len(at), 2), _NONE, dtype=np.int64)
    while len(at):
        splits = nodes.end[at] > at + 1
        at, changed = at[splits], changed[splits]
        met += _surrogate_cuts(nodes, at, changed)
        child, above = _children(nodes, at)
        column = nodes.attribute[child].astype(np.int64)
        before = changed[above]
        numeric = is_numeric[column]
        for limit in (nodes.low, nodes.high):
            met.append(np.column_stack((column, before, limit[child]))[numeric])
        takes = _takes(nodes, child, column, numeric, cells)
        decides = np.zeros(len(at), dtype=np.bool_)
        decides[above[takes]] = True
        at, changed = _in_reach(child, column, before, decides[above] & ~takes, cells_changed)
    return CutsInReach(_grouped(met, cells_changed))


def _in_reach(child: Longs, column: Longs, before: Longs, turned: Bools, most: int) -> tuple[Longs, Longs]:
    """The nodes for which so many columns at most have to change, and these, smallest first."""
    first, second = before[:, 0].copy(), before[:, 1].copy()
    another = turned & (column != first) & (column != second)
    alone = another & (first == _NONE)
    too_many = another & ((second if most == 2 else first) != _NONE)
    join = another & ~alone & ~too_many
    second[join] = np.maximum(first[join], column[join])
    first[join] = np.minimum(first[join], column[join])
    first[alone] = column[alone]
    return child[~too_many], np.column_stack((first, second))[~too_many]


def _cells(row: Table) -> Floats:
    """[attribute] the row's numbers and codes."""
    return np.array(
        [row.columns[each.name][0] if each.name in row.columns else np.nan for each in row.schema.attributes],
        dtype=np.float64,
    )


def _takes(nodes: Nodes, at: Longs, column: Longs, numeric: Bools, cells: Floats) -> Bools:
    """[node] does the branch into it take the row?"""
    own = cells[column]
    missing = np.where(numeric, np.isnan(own), own == -1)
    with np.errstate(invalid="ignore"):
        between = (nodes.low[at] < own) & (own <= nodes.high[at])
    start = nodes.set_start[at].astype(np.int64)
    sizes = nodes.set_start[at + 1].astype(np.int64) - start
    owner = np.repeat(np.arange(len(at)), sizes)
    places = np.arange(len(owner)) + np.repeat(start - np.cumsum(sizes) + sizes, sizes)
    held = np.zeros(len(at), dtype=np.bool_)
    held[owner[nodes.set_codes[places] == own[owner]]] = True
    taken: Bools = np.where(numeric, between, held) | (missing & nodes.or_missing[at])
    return taken


def _children(nodes: Nodes, at: Longs) -> tuple[Longs, Longs]:
    """All children of these splits, and of which each is."""
    found, above = [], []
    child, own = at + 1, np.arange(len(at))
    while len(child):
        found.append(child)
        above.append(own)
        child = nodes.end[child].astype(np.int64)
        more = child < nodes.end[at[own]]
        child, own = child[more], own[more]
    empty = np.empty(0, dtype=np.int64)
    return np.concatenate([empty, *found]), np.concatenate([empty, *above])


def _surrogate_cuts(nodes: Nodes, at: Longs, changed: Longs) -> list[Floats]:
    if not len(nodes.s_attribute):
        return []
    counts = (nodes.s_start[at + 1] - nodes.s_start[at]).astype(np.int64)
    each = np.repeat(np.arange(len(at)), counts)
    places = np.repeat(nodes.s_start[at], counts) + np.arange(len(each)) - np.repeat(
        np.cumsum(counts) - counts, counts
    )  # fmt: skip
    return [np.column_stack((nodes.s_attribute[places], changed[each], nodes.s_limit[places]))]


def _grouped(met: list[Floats], most: int) -> dict[tuple[int, tuple[int, ...]], Floats]:
    cuts = np.concatenate([np.empty((0, 4)), *met])
    column, first, second = cuts[:, 0], cuts[:, 1], cuts[:, 2]
    needs_more = ((second if most == 2 else first) != _NONE) & (column != first) & (column != second)
    cuts = cuts[np.isfinite(cuts[:, 3]) & ~needs_more]
    # Thresholds of one key lie side by side.
    cuts = cuts[np.lexsort(cuts.T[::-1])]
    begins = np.flatnonzero((np.diff(cuts[:, :3], axis=0) != 0).any(axis=1)) + 1
    grouped = {}
    for part in np.split(cuts, begins) if len(cuts) else []:
        of, *changed = (int(each) for each in part[0, :3])
        grouped[of, tuple(each for each in changed if each != _NONE)] = np.unique(part[:, 3])
    return grouped
