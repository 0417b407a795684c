"""DeLong: how sure is an AUC, from how each row stands among the rows of the other side?

Source: DeLong, DeLong and Clarke-Pearson (1988); by midranks in n log n: Sun and Xu (2014).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.measures.p_values import normal_quantile
from clearwood.measures.wilson import wilson


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """Where each row stands: of a row of the class the part of the others with a smaller share, of another
    row the part of the class's rows with a larger one; equal shares count half. Both have the AUC as mean."""

    own: Floats  # [row of the class]
    others: Floats  # [other row]
    own_weights: Floats
    others_weights: Floats

    @property
    def auc(self) -> float:
        """The area under the ROC curve."""
        return float(self.own @ self.own_weights / self.own_weights.sum())


def placements(shares: Floats, own: Bools, weights: Floats | None = None) -> Placements:
    """The placements of rows that are of the class or not; a weight w is w equal rows.

    >>> placed = placements(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False]))
    >>> placed.own.tolist(), placed.auc
    ([1.0, 0.75], 0.875)
    """
    weights = np.ones(len(shares)) if weights is None else weights
    order = np.argsort(shares, kind="stable")
    ordered, is_own, weighed = shares[order], own[order], weights[order]
    starts = np.append(True, np.diff(ordered) != 0)
    step = np.cumsum(starts) - 1
    of_own = np.bincount(step, weighed * is_own)
    of_others = np.bincount(step, weighed * ~is_own)
    smaller_others = np.cumsum(of_others) - of_others / 2
    larger_own = of_own.sum() - np.cumsum(of_own) + of_own / 2
    at = np.empty(len(shares), dtype=np.int64)
    at[order] = step
    return Placements(
        smaller_others[at[own]] / of_others.sum(),
        larger_own[at[~own]] / of_own.sum(),
        weights[own],
        weights[~own],
    )


def placement_covariance(one: Placements, two: Placements) -> float:
    """The covariance of two AUCs on the same rows; of one with itself its variance.

    NaN where a side has no more than one row.
    """
    total = 0.0
    for first, second, weights in (
        (one.own, two.own, one.own_weights),
        (one.others, two.others, one.others_weights),
    ):
        rows = float(weights.sum())
        if not rows > 1:
            return float("nan")
        apart = (first - first @ weights / rows) * (second - second @ weights / rows)
        total += float(weights @ apart) / (rows - 1) / rows
    return total


def auc_interval(placed: Placements, confidence: float = 0.95) -> tuple[float, float] | None:
    """On the scale of log odds, where the distribution of an AUC near 1 is more even, so that no end is
    beyond 0 or 1. None where a side has one row.

    An AUC of 0 or 1 has no spread: Wilson's interval, as if of so many pairs as the rarer side has rows.
    """
    area, variance = placed.auc, placement_covariance(placed, placed)
    if math.isnan(variance):
        return None
    rows = min(float(placed.own_weights.sum()), float(placed.others_weights.sum()))
    if not variance > 0 or not 0 < area < 1:
        low, high = wilson(area * rows, rows, confidence)
        return float(low), float(high)
    reach = float(normal_quantile(0.5 + confidence / 2)) * math.sqrt(variance) / (area * (1 - area))
    centre = math.log(area / (1 - area))
    return _share(centre - reach), _share(centre + reach)


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else 0.0
