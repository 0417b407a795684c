"""Groups of rows dealt to parts: as evenly as they allow, by rows and by classes."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.table.attributes import Numeric
from clearwood.table.grouping import RowGroups
from clearwood.table.row_keys import classes_by_name, shuffled_rows
from clearwood.table.table import Table

_MANY: Final = 3_000  # groups: so many small ones are even when dealt in turn


def dealt_groups(
    table: Table, groups: RowGroups, capacities: Floats, seed: int, *, stratified: bool
) -> Longs:
    """[row] the part that its group is dealt to; `capacities` are the parts' shares of the rows.

    Large groups are dealt first, each to the part that then has its classes, and its rows, most evenly: the
    squares of what each part holds beyond its capacity are kept least. Equal groups come in the order that
    the seed draws.
    """
    strata = _strata(table, stratified)
    counts = np.zeros((groups.count, int(strata.max(initial=0)) + 2))
    np.add.at(counts, (groups.of, strata), 1.0)
    counts[:, -1] = counts[:, :-1].sum(axis=1)  # evenly by rows as well
    total = counts.sum(axis=0)
    parts = counts / np.where(total > 0, total, 1.0)
    # A group comes when its first row does: by what is in its rows, never by where they stand.
    _, first = np.unique(groups.of[shuffled_rows(table, seed)], return_index=True)
    by_chance = np.argsort(first)
    order = by_chance[np.argsort(-counts[by_chance, -1], kind="stable")]
    if groups.count > _MANY:
        return _dealt_in_turn(parts, order, capacities)[groups.of]
    held = np.zeros((len(capacities), parts.shape[1]))
    place = np.empty(groups.count, dtype=np.int64)
    rows_held = np.zeros(len(capacities))
    for left, group in zip(range(groups.count, 0, -1), order.tolist(), strict=True):
        mine = parts[group]
        more = ((2 * held + mine) @ mine) / capacities
        empty = np.flatnonzero(rows_held == 0)
        # The last groups go where there is none yet.
        chosen = int(empty[np.argmin(more[empty])]) if len(empty) >= left else int(np.argmin(more))
        place[group] = chosen
        held[chosen] += mine
        rows_held[chosen] += 1
    return place[groups.of]


def _dealt_in_turn(parts: Floats, order: Longs, capacities: Floats) -> Longs:
    """[group] its part: groups of like classes one after another, each part as often as its capacity says."""
    like = order[np.argsort(parts[order, :-1].argmax(axis=1), kind="stable")]
    ends = np.cumsum(capacities) / capacities.sum()
    # Places spread over the parts as evenly as a golden step does, whatever the capacities.
    place = np.empty(len(order), dtype=np.int64)
    place[like] = np.searchsorted(ends, (np.arange(len(order)) * 0.6180339887498949) % 1.0, side="right")
    return np.minimum(place, len(capacities) - 1)


def _strata(table: Table, stratified: bool) -> Longs:
    """[row] what is to be dealt evenly: its class, its fifth by size of a number; 0 for all otherwise."""
    target = table.schema.target
    if not stratified or target is None:
        return np.zeros(len(table), dtype=np.int64)
    cells = table.target
    if isinstance(target, Numeric):
        numbers = np.asarray(cells, dtype=np.float64)
        cuts = np.nanquantile(numbers, (0.2, 0.4, 0.6, 0.8)) if not np.isnan(numbers).all() else np.zeros(0)
        return np.where(np.isnan(numbers), len(cuts) + 1, np.searchsorted(cuts, numbers)).astype(np.int64)
    places = classes_by_name(table)
    return np.where(places >= 0, places, len(target.values)).astype(np.int64)
