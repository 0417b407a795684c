"""Dividing by time: later rows judge what was learned from earlier ones; rows of one time stay together."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats, Longs


def folds_forward(times: Floats, folds: int) -> list[tuple[Longs, Longs]]:
    """At most so many pairs (all earlier rows, the rows of a block), of blocks of about as many rows; fewer
    where there are few times, and none where there is one. The first block never judges.

    >>> pairs = folds_forward(np.array([3.0, 1.0, 2.0, 1.0]), 5)
    >>> [(learn.tolist(), judge.tolist()) for learn, judge in pairs]
    [([1, 3], [2]), ([1, 2, 3], [0])]
    """
    begins = first_times(times, min(folds + 1, len(np.unique(times))))
    if len(begins) < 2:
        return []
    ends = np.append(begins[2:], np.inf)
    return [
        (np.flatnonzero(times < begin), np.flatnonzero((times >= begin) & (times < end)))
        for begin, end in zip(begins[1:], ends, strict=True)
    ]


def latest_held_out(times: Floats, count: int) -> tuple[Longs, Longs] | None:
    """The earlier rows, and about so many of the latest; None where all rows are of one time.

    >>> [rows.tolist() for rows in latest_held_out(np.array([1.0, 4.0, 2.0, 3.0]), 2)]
    [[0, 2], [1, 3]]
    """
    distinct, counts = np.unique(times, return_counts=True)
    if len(distinct) < 2:
        return None
    later = np.cumsum(counts[::-1])[::-1][1:]  # [time after the first] the rows from it on
    begin = distinct[1:][int(np.abs(later - count).argmin())]
    return np.flatnonzero(times < begin), np.flatnonzero(times >= begin)


def first_times(times: Floats, blocks: int) -> Floats:
    """The first time of each block of about as many rows; rows of one time are in one block. Of fewer times
    than blocks: those there are."""
    distinct, counts = np.unique(times, return_counts=True)
    if len(distinct) < blocks:
        return distinct
    starts = np.cumsum(counts) - counts
    chosen = [0]
    for block in range(1, blocks):
        at = int(np.searchsorted(starts, block * len(times) / blocks))
        chosen.append(min(max(at, chosen[-1] + 1), len(distinct) - (blocks - block)))
    return np.asarray(distinct[chosen])
