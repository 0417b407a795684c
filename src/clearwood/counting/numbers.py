"""Numbers as a target: a region is the weight of each value, or for squared errors three sums."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures import ErrorOf
from clearwood.measures.counts import Counts
from clearwood.records import dataclass

_FAR: Final = 10  # standard deviations; sums from farther off would lose digits that decide
_CRUMBS: Final = 1e-12  # of Σw·d²: less than this is what rounding left of nothing


@dataclass(frozen=True, slots=True, eq=False)
class WeightByValue:
    """The weight of each distinct value: does for every error."""

    values: Floats  # [level], ascending
    error_of: ErrorOf

    def centre_and_error(self, counts: Counts) -> tuple[Floats, Floats]:
        """[..., level] → the centre and the error, both [...]."""
        return self.error_of(self.values, counts)


@dataclass(frozen=True, slots=True, eq=False)
class BySums:
    """Σw, Σw·d and Σw·d² of the distances d = y − `origin`: all that the mean and squared errors need."""

    y: Floats  # [row]
    origin: float

    def centre_and_error(self, counts: Counts) -> tuple[Floats, Floats]:
        """[..., sum] → the mean and Σw·(y − mean)² = Σw·d² − (Σw·d)² ÷ Σw, both [...].

        >>> mean, error = BySums(np.empty(0), 0.0).centre_and_error(np.array([3.0, 9.0, 41.0]))
        >>> float(mean), float(error)
        (3.0, 14.0)
        """
        weight, distance, square = counts[..., 0], counts[..., 1], counts[..., 2]
        n = np.where(weight > 0, weight, 1.0)
        error = square - distance**2 / n
        return (
            np.where(weight > 0, self.origin + distance / n, 0.0),
            np.where(error > _CRUMBS * square, error, 0.0),
        )


def offset_of(y: Floats, weights: Floats) -> float:
    """From where to measure these numbers: 0, unless that is far off; then a round number near their mean.

    >>> [offset_of(np.array(y), np.ones(3)) for y in ([1.0, 2.0, 6.0], [2019.5, 2021.0, 2022.0])]
    [0.0, 2021.0]
    """
    if not len(y):
        return 0.0
    mean = float(np.average(y, weights=weights))
    spread = math.sqrt(float(np.average((y - mean) ** 2, weights=weights)))
    if abs(mean) <= _FAR * spread:
        return 0.0
    return round(mean, -math.floor(math.log10(spread))) if spread > 0 else float(y[0])
