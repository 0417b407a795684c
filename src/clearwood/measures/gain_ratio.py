"""Gain ratio: which part of the split information tells us about the class?"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.counts import Counts
from clearwood.measures.entropy import entropy
from clearwood.measures.gain import gain
from clearwood.measures.split_information import split_information


def gain_ratio(counts: Counts) -> Floats:
    """[candidate, branch, class] → [candidate]: gain ÷ split information; 0 where all rows follow one branch.

    >>> float(gain_ratio(np.array([[2, 3], [4, 0], [3, 2]])).round(4))
    0.1564
    """
    return ratio(gain(counts, entropy), split_information(np.asarray(counts, dtype=np.float64).sum(axis=-1)))


def ratio(gained: Floats, bits: Floats) -> Floats:
    """gain ÷ bits of split information, 0 where there are none."""
    bits = np.asarray(bits)
    quotient: Floats = np.where(bits > 0, gained / np.where(bits > 0, bits, 1.0), 0.0)
    return quotient
