"""Gain: how much purer are the branches than the node, on average over its rows?"""

from __future__ import annotations

import numpy as np

from clearwood.measures.counts import Counts, Floats, Impurity, shares
from clearwood.measures.entropy import entropy


def gain(counts: Counts, impurity: Impurity = entropy) -> Floats:
    """[candidate, branch, class] → [candidate]: impurity of the node − Σ share · impurity of the branch.

    Outlook on the fourteen days of tennis, (yes, no) when sunny, overcast and rainy:

    >>> float(gain(np.array([[2, 3], [4, 0], [3, 2]])).round(3))
    0.247
    """
    counts = np.asarray(counts, dtype=np.float64)
    share = shares(counts.sum(axis=-1))
    fall: Floats = impurity(counts.sum(axis=-2)) - (share * impurity(counts)).sum(axis=-1)
    return fall
