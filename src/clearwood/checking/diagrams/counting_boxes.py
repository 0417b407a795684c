"""How many boxes a product parts its rows into: the ways to its ends, those through one pair counted once."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.checking.diagrams.product import DiagramProduct

_MOST: Final = 2**53  # beyond, sums would be rounded, and programs that read JSON could not have them


def count_boxes(product: DiagramProduct) -> int:
    """The boxes in which the two diagrams differ; no two share a row. More than 2⁵³ are not told apart."""
    counts = [np.zeros(len(level.pairs)) for level in product.levels]
    counts[-1][:] = 1.0
    for level in range(len(product.levels) - 2, -1, -1):
        own = product.levels[level]
        if not len(own.pairs):
            continue
        then = np.sort(own.then, axis=1)
        new = np.diff(then, axis=1, prepend=-1) != 0  # groups that lead to one pair are one box
        place, _ = np.nonzero(new)
        reached = then[new]
        levels = product.levels_of(reached)
        for below in np.unique(levels).tolist():
            there = levels == below
            known = np.searchsorted(product.levels[below].pairs, reached[there])
            counts[level] += np.bincount(place[there], counts[below][known], minlength=len(own.pairs))
    first = next((each for each in counts if len(each)), np.zeros(1))
    return int(min(first[0], _MOST))
