"""The interval of an AUC: DeLong's variance, on the scale of log odds."""

from __future__ import annotations

import math

from clearwood.arrays import Bools, Floats
from clearwood.measures.p_values import normal_quantile
from clearwood.measures.wilson import wilson
from clearwood.scoring.differences.same_rows import areas_under_curves


def auc_interval(
    shares: Floats, own: Bools, weights: Floats, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Of shares that should be larger for rows of the class (`own`); a weight w is w equal rows. None where a
    class has one row.

    On the scale of log odds the distribution of an AUC near 1 is more even, and no end is beyond 0 or 1. An
    AUC of 0 or 1 has no spread: it gets Wilson's interval, as if of as many pairs as the rarer side has rows.

    >>> import numpy as np
    >>> shares = np.array([0.9, 0.8, 0.3, 0.7, 0.2, 0.1])
    >>> own = np.array([True, True, True, False, False, False])
    >>> [round(end, 3) for end in auc_interval(shares, own, np.ones(6))]
    [0.261, 0.995]
    """
    placed = areas_under_curves(shares[None], own, weights)
    area, variance = float(placed.areas[0]), float(placed.covariances[0, 0])
    if math.isnan(variance):
        return None
    if not variance > 0 or not 0 < area < 1:
        rows = min(float(weights[own].sum()), float(weights[~own].sum()))
        low, high = wilson(area * rows, rows, confidence)
        return float(low), float(high)
    reach = float(normal_quantile(0.5 + confidence / 2)) * math.sqrt(variance) / (area * (1 - area))
    centre = math.log(area / (1 - area))
    return _share(centre - reach), _share(centre + reach)


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else 0.0
