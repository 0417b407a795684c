"""Two shares of the same rows: how far apart may they be, given the rows on which they differ?"""

from __future__ import annotations

import math
from statistics import NormalDist


def tango_interval(
    only_first: float, only_second: float, rows: float, confidence: float = 0.95
) -> tuple[float, float]:
    """The interval of the difference (only_first − only_second) ÷ rows by Tango's score (1998), which at a
    difference of 0 is McNemar's chi-square; it also has a width where no row differs.

    Airway hyper-responsiveness before and after a transplant (Bentur et al. 2009; 21 patients):

    >>> [round(end, 3) for end in tango_interval(1, 7, 21)]
    [-0.517, -0.026]
    """
    if rows <= 0:
        return -1.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    middle = (only_first - only_second) / rows

    def end(sign: float) -> float:
        inside, outside = middle, sign
        for _ in range(80):
            between = (inside + outside) / 2
            if abs(_score(only_first, only_second, rows, between)) > z:
                outside = between
            else:
                inside = between
        return (inside + outside) / 2

    return end(-1.0), end(1.0)


def _score(first: float, second: float, rows: float, difference: float) -> float:
    """How many standard errors the rows are from this difference, the other share at its likeliest."""
    a = 2 * rows
    b = -first - second + (2 * rows - first + second) * difference
    c = -second * difference * (1 - difference)
    likeliest = (math.sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a)
    variance = rows * (2 * likeliest + difference * (1 - difference))
    away = first - second - rows * difference
    if variance <= 0:
        return 0.0 if away == 0 else math.copysign(math.inf, away)
    return away / math.sqrt(variance)
