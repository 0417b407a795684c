"""Wilson's interval: between which shares does the true one lie, given what was counted?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.measures.p_values import normal_quantile


def wilson(count: npt.ArrayLike, total: npt.ArrayLike, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Lower and upper end of the interval for count ÷ total (Wilson 1927); (0, 1) where nothing was counted.

    Nine of fourteen days:

    >>> low, high = wilson(9, 14)
    >>> float(low.round(3)), float(high.round(3))
    (0.388, 0.837)
    """
    count, total = np.asarray(count, dtype=np.float64), np.asarray(total, dtype=np.float64)
    z = normal_quantile(0.5 + confidence / 2)
    n = np.where(total > 0, total, 1.0)
    p = count / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = np.where(total > 0, np.where(count > 0, np.maximum(centre - reach, 0.0), 0.0), 0.0)
    high = np.where(total > 0, np.where(count < total, np.minimum(centre + reach, 1.0), 1.0), 1.0)
    return low, high
