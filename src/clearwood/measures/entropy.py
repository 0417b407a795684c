"""Entropy: how many bits does it take to say which class a row of this branch has?"""

from __future__ import annotations

from clearwood.measures.counts import Counts, Floats, shares, xlog2x


def entropy(counts: Counts) -> Floats:
    """−Σ p · log2 p over the classes: 0 when all rows agree, log2 c when c classes are even.

    Nine days of tennis played and five not (Quinlan 1986):

    >>> [round(float(entropy(days)), 3) for days in ([9, 5], [7, 7], [4, 0])]
    [0.94, 1.0, 0.0]
    """
    bits: Floats = 0.0 - xlog2x(shares(counts)).sum(axis=-1)
    return bits
