"""Rows drawn anew: what another sample of the same size might have been, by the bootstrap (Efron 1979)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import chance_key, drawn_with_replacement, weights_are_units
from clearwood.learners.ensembles.member_rows import times_drawn
from clearwood.table.aside import set_aside
from clearwood.table.folding import groups_in
from clearwood.table.row_keys import rows_by_content
from clearwood.table.table import Table

_ANEW: Final = 0xA9E3  # tells these draws from those that a learner makes by the same seed


def drawn_anew(
    table: Table, samples: int, seed: int, group: str | None = None
) -> Iterator[tuple[Longs, Table]]:
    """So many samples: how often each row was drawn [row], and the table of those rows.

    Weights that are whole numbers stand for so many rows, and as many are drawn. Rows with other weights are
    drawn alike, and keep them: a survey's spread is that of the people who were asked. With a `group` column
    whole groups of rows are drawn, and the column is set aside. A row that was drawn twice has twice the
    weight: as two rows it could be learned from and judge at once, where a learner cross-validates.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [int(times.sum()) for times, _ in drawn_anew(days, 3, seed=0)]
    [14, 14, 14]
    """
    key = chance_key(seed, _ANEW)
    rows = table if group is None else set_aside(table, (group,), "rows are drawn by it")
    groups = None if group is None else groups_in(table, group)
    order = rows_by_content(rows)
    own = np.ones(len(table)) if table.weights is None else table.weights
    units = weights_are_units(own)
    for place in range(samples):
        if groups is not None:
            drawn = drawn_with_replacement(chance_key(key, place), groups.count, groups.count)
            times = drawn[groups.of]
        elif units:
            times = times_drawn(table, key, place, order)
            yield times, _weighing(rows, times, times.astype(np.float64))
            continue
        else:
            times = np.zeros(len(table), dtype=np.int64)
            times[order] = drawn_with_replacement(chance_key(key, place), len(table), len(table))
        yield times, _weighing(rows, times, times * own)


def _weighing(table: Table, times: Longs, weights: Floats) -> Table:
    """The rows that were drawn, with these weights, which are on the scale of rows."""
    drawn = np.flatnonzero(times)
    return replace(table.take(drawn), weights=weights[drawn], weights_are="counts")
