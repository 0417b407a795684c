"""Phi: how strongly do two yes-or-no questions go together, from −1 to 1, however many the rows?"""

from __future__ import annotations

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
