"""Shuffling: an order of rows that depends on a seed alone, the same on every machine."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Longs
from clearwood.mixing import GOLDEN, mixed_all


def shuffled(rows: int, seed: int) -> Longs:
    """The positions 0 … rows − 1 in an order that depends on the seed alone (splitmix64 of each position).

    >>> shuffled(6, seed=1).tolist() == shuffled(6, seed=1).tolist()
    True
    """
    with np.errstate(over="ignore"):
        places = np.arange(1, rows + 1, dtype=np.uint64) * np.uint64(GOLDEN)
        bits = mixed_all(places + np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95))
    return np.argsort(bits, kind="stable")
