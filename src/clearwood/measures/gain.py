"""Gain: how much purer are the branches than the node, on average over its rows?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.counts import Counts, ImpurityOf, proportions
from clearwood.measures.entropy import entropy


def gain(counts: Counts, impurity: ImpurityOf = entropy, weights: Floats | None = None) -> Floats:
    """[candidate, branch, class] → [candidate]: impurity of the node − Σ share · impurity of the branch.

    `weights` [candidate, branch] are the sums over the classes, given if they are there already.

    Outlook on the fourteen days of tennis, (yes, no) when sunny, overcast and rainy:

    >>> float(gain(np.array([[2, 3], [4, 0], [3, 2]])).round(3))
    0.247
    """
    counts = np.asarray(counts, dtype=np.float64)
    share = proportions(counts.sum(axis=-1) if weights is None else weights)
    fall: Floats = impurity(counts.sum(axis=-2)) - (share * impurity(counts)).sum(axis=-1)
    return fall


def gains(tables: Sequence[Counts], impurity: ImpurityOf = entropy) -> Floats:
    """The gains of tables [branch, class] that differ in their branches, one for each; 0 without a branch.

    >>> gains([np.array([[2, 3], [4, 0], [3, 2]]), np.array([[6, 2], [3, 3]]), np.empty((0, 2))]).round(3)
    array([0.247, 0.048, 0.   ])
    """
    sizes = np.array([len(table) for table in tables], dtype=np.int64)
    gained = np.zeros(len(sizes))
    held = sizes > 0
    if not held.any():
        return gained
    starts = np.cumsum(sizes[held]) - sizes[held]
    counts = np.concatenate(tables).astype(np.float64)
    whole = np.add.reduceat(counts, starts, axis=0)
    total = np.repeat(whole.sum(axis=-1), sizes[held])
    share = counts.sum(axis=-1) / np.where(total > 0, total, 1.0)
    gained[held] = impurity(whole) - np.add.reduceat(share * impurity(counts), starts)
    return gained
