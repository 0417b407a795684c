"""Values joined while the gain ratio does not fall: fewer branches than values (C4.5's option -s)."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.ties import TIE
from clearwood.counting.values import Values
from clearwood.measures.counts import xlog2x


def join_values(values: Values) -> list[tuple[int, ...]]:
    """The values with rows here in groups, in order of their lowest codes.

    From one group per value, the pair whose joining gives the best gain ratio is joined (the first of
    equals), as long as the ratio is no lower than before and two groups remain.

    >>> join_values(Values(np.array([[4.0, 0], [0, 3], [5, 0], [0, 0]]), np.zeros(2)))
    [(0, 2), (1,)]
    """
    groups: list[tuple[int, ...]] = [(code,) for code in values.present]
    counts = values.counts[values.present]
    whole = counts.sum(axis=0)
    known, total = float(whole.sum()), float(whole.sum() + values.missing.sum())
    if len(groups) < 2:
        return groups
    node = float(_bits(whole))
    loose = float(xlog2x(total)) - float(xlog2x(values.missing.sum()))

    def ratios(bits: Floats, split: Floats) -> Floats:
        """From Σ of the branches' bits and of their w · log2 w to the gain ratio."""
        split_bits = loose - split
        ratio: Floats = np.where(
            split_bits > 1e-12 * known, (node - bits) / np.where(split_bits > 0, split_bits, 1.0), 0.0
        )
        return ratio

    own, place = _bits(counts), xlog2x(counts.sum(axis=1))
    current = float(ratios(own.sum(), place.sum()))
    while len(groups) > 2:
        first, second = np.triu_indices(len(groups), 1)
        pair = counts[first] + counts[second]
        joined = ratios(
            own.sum() - own[first] - own[second] + _bits(pair),
            place.sum() - place[first] - place[second] + xlog2x(pair.sum(axis=1)),
        )
        chosen = int(np.argmax(joined >= joined.max() - TIE))
        best = float(joined[chosen])
        if best < current - TIE:
            break
        i, j = int(first[chosen]), int(second[chosen])
        groups[i] = tuple(sorted(groups[i] + groups[j]))
        counts[i] += counts[j]
        del groups[j]
        counts = np.delete(counts, j, axis=0)
        own, place, current = _bits(counts), xlog2x(counts.sum(axis=1)), best
    return groups


def _bits(counts: Floats) -> Floats:
    """w · entropy: the bits that encode the class of every row of a branch."""
    bits: Floats = xlog2x(counts.sum(axis=-1)) - xlog2x(counts).sum(axis=-1)
    return bits
