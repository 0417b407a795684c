"""Folding: which rows to learn from and which to hold out, the same on every machine."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.errors import SettingError
from clearwood.table.attributes import Numeric
from clearwood.table.dealing_groups import dealt_groups
from clearwood.table.dividing_by_time import folds_forward, latest_held_out
from clearwood.table.grouping import rows_that_stay_together
from clearwood.table.row_keys import classes_by_name, shuffled_rows
from clearwood.table.shuffling import shuffled as shuffled
from clearwood.table.table import Table

RowPositions: TypeAlias = npt.NDArray[np.int64]  # positions, ascending


def folds(
    table: Table, k: int = 10, seed: int = 0, *, stratified: bool = True
) -> list[tuple[RowPositions, RowPositions]]:
    """k pairs (rows to learn from, rows held out); each row is held out once.

    Which fold a row falls into depends on the seed and on what is in the row, never on where it stands.
    `stratified` deals each class out evenly; rows without a class, and numbers, are dealt as they come. Rows
    that a design keeps together, and copies of one row, stay in one fold, and fewer groups than k are as many
    folds. Where a design is by time, each fold learns from all rows before it: the earliest are not held out,
    and few times have fewer folds.
    """
    rows = len(table)
    if not 2 <= k <= rows:
        raise SettingError(f"folds must be between 2 and the number of rows ({rows}), not {k}.")
    if table.times is not None and (forward := folds_forward(table.times, k)):
        return forward
    groups = rows_that_stay_together(table)
    if groups is not None:
        if groups.count < 2:
            raise SettingError(
                "The rows to fold are of one group, whose rows stay together: nothing can be held out."
            )
        k = min(k, groups.count)
        place = dealt_groups(table, groups, np.full(k, 1 / k), seed, stratified=stratified)
        return [(np.flatnonzero(place != each), np.flatnonzero(place == each)) for each in range(k)]
    fold = np.empty(rows, dtype=np.int64)
    fold[_dealt(table, seed, stratified)] = np.arange(rows) % k
    return [(np.flatnonzero(fold != each), np.flatnonzero(fold == each)) for each in range(k)]


def hold_out(
    table: Table, part: float = 0.3, seed: int = 0, *, stratified: bool = True
) -> tuple[RowPositions, RowPositions]:
    """One pair (training rows, held-out rows); `part` is the share that is held out, rounded to whole rows.

    Each run of neighbours in the dealt order gives its share, so that every class does. Where a design is by
    time, the latest rows are held out.
    """
    rows = len(table)
    count = round(part * rows) if 0 < part < 1 else 0
    if not 0 < count < rows:
        raise SettingError(f"part must leave rows on both sides: {part!r} of {rows} rows does not.")
    if table.times is not None and (latest := latest_held_out(table.times, count)) is not None:
        return latest
    groups = rows_that_stay_together(table)
    if groups is not None and groups.count > 1:
        place = dealt_groups(table, groups, np.array([1 - part, part]), seed, stratified=stratified)
        return np.flatnonzero(place == 0), np.flatnonzero(place == 1)
    taken = np.diff(np.arange(rows + 1) * count // rows) > 0
    held = np.zeros(rows, dtype=np.bool_)
    held[_dealt(table, seed, stratified)] = taken
    return np.flatnonzero(~held), np.flatnonzero(held)


def _dealt(table: Table, seed: int, stratified: bool) -> RowPositions:
    """Rows in the order of dealing: shuffled by their content, then class by class, in the order of names."""
    order = shuffled_rows(table, seed)
    if stratified and table.schema.target is not None and not isinstance(table.schema.target, Numeric):
        order = order[np.argsort(classes_by_name(table)[order], kind="stable")]
    return order
