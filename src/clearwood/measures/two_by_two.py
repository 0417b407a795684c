"""A 2×2 table in one number: phi, and the odds ratio."""

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.counts import Counts


def phi(counts: Counts) -> Floats:
    """(ad − bc) ÷ √(product of the four margins) of ((a, b), (c, d)), over [..., 2, 2]; 0 where one is empty.

    Without its sign it is √(χ² ÷ rows). Sunny and tennis, 56 cases:

    >>> float(phi(np.array([[8, 12], [28, 8]])).round(3))
    -0.378
    """
    counts = np.asarray(counts, dtype=np.float64)
    (a, b), (c, d) = np.moveaxis(counts, (-2, -1), (0, 1))
    # Root by root: the product of four large margins need not be finite.
    spread = np.sqrt((a + b) * (c + d)) * np.sqrt((a + c) * (b + d))
    coefficient: Floats = (a * d - b * c) / np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, np.clip(coefficient, -1.0, 1.0), 0.0)


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
