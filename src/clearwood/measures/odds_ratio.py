"""Odds ratio: by how much does a condition multiply the odds of the class?"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.counts import Counts


def odds_ratio(counts: Counts) -> Floats:
    """ad ÷ bc of ((a, b), (c, d)), over [..., 2, 2]; infinite where only bc is 0, NaN where both are.

    Sunny and tennis, 56 cases: the odds are 8 to 12 under the sun and 28 to 8 elsewhere.

    >>> float(odds_ratio(np.array([[8, 12], [28, 8]])).round(3))
    0.19
    """
    counts = np.asarray(counts, dtype=np.float64)
    (a, b), (c, d) = np.moveaxis(counts, (-2, -1), (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = (a * d) / (b * c)
    return ratio
