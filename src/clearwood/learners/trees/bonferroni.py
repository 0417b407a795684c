"""Bonferroni: in how many ways could the categories have been merged into as many groups?"""

from __future__ import annotations

import math
from functools import lru_cache
from math import comb


def ways_ordinal(categories: int, groups: int) -> int:
    """Neighbours only.

    >>> ways_ordinal(4, 2), ways_ordinal(5, 3), ways_ordinal(10, 3)
    (3, 6, 36)
    """
    return comb(categories - 1, groups - 1)


def ways_nominal(categories: int, groups: int) -> int:
    """Any with any: the Stirling number of the second kind, by its recurrence.

    >>> ways_nominal(4, 2), ways_nominal(5, 3), ways_nominal(10, 3)
    (7, 25, 9330)
    """
    return _stirling(categories)[groups]


def ways_floating(categories: int, groups: int) -> int:
    """Neighbours, and one category (missing, it counts too) that may join any group or stand alone.

    >>> ways_floating(4, 2), ways_floating(5, 3), ways_floating(10, 3)
    (5, 12, 92)
    """
    return comb(categories - 2, groups - 2) + groups * comb(categories - 2, groups - 1)


def ways_exhaustive(categories: int, *, nominal: bool) -> int:
    """The tables looked at on the way from all categories down to two groups, as SPSS counts them."""
    return categories * (categories**2 - 1) // 2 if nominal else categories * (categories - 1) // 2


def adjust(p: float, log_p: float, ways: int) -> tuple[float, float]:
    """p × ways, at most 1, and its logarithm; either may be more, or less, than a float can hold.

    >>> adjust(0.01, math.log(0.01), 3)[0], adjust(0.5, math.log(0.5), 10**400), adjust(0.0, -3337.5, 1)
    (0.03, (1.0, 0.0), (0.0, -3337.5))
    """
    log = min(0.0, log_p + math.log(ways))
    return (min(1.0, p * ways) if p >= 1e-290 and ways < 10**300 else math.exp(log)), log


@lru_cache(maxsize=256)
def _stirling(categories: int) -> tuple[int, ...]:
    """S(categories, 0), S(categories, 1), …"""
    row = [1]
    for _ in range(categories):
        row = [0, *(row[k - 1] + k * (row[k] if k < len(row) else 0) for k in range(1, len(row) + 1))]
    return tuple(row)
