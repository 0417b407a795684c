"""Nemenyi: how far apart must two mean ranks be, of all pairs, to differ by more than chance explains?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.arrays import Floats

_STEPS: Final = 600  # of the integral; it is exact to rounding with far fewer
_WIDE: Final = 9.0  # standard deviations beyond which nothing is left


def critical_difference(learners: int, tables: int, alpha: float = 0.05) -> float:
    """q √(k(k + 1) ÷ 6N), with q the studentised range's quantile for infinite degrees of freedom over √2
    (Nemenyi 1963; Demšar 2006).

    >>> round(critical_difference(4, 14), 2), round(critical_difference(4, 14, 0.1), 2)
    (1.25, 1.12)
    """
    return range_quantile(1 - alpha, learners) / math.sqrt(2) * _unit(learners, tables)


def nemenyi_p(apart: float, learners: int, tables: int) -> float:
    """How often chance alone gives some pair of mean ranks so far apart.

    >>> round(nemenyi_p(critical_difference(4, 14), 4, 14), 6)
    0.05
    """
    return max(0.0, 1 - range_below(abs(apart) / _unit(learners, tables) * math.sqrt(2), learners))


def not_told_apart(mean_ranks: Sequence[float], least: float) -> tuple[tuple[int, ...], ...]:
    """The largest groups of two or more whose mean ranks all lie within the critical difference, best first.

    >>> not_told_apart([3.143, 2.000, 2.893, 1.964], 1.17)
    ((3, 1, 2), (1, 2, 0))
    """
    order = sorted(range(len(mean_ranks)), key=lambda place: (mean_ranks[place], place))
    groups: list[tuple[int, ...]] = []
    reached = 0
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and mean_ranks[order[last + 1]] - mean_ranks[order[first]] <= least:
            last += 1
        if last > first and last + 1 > reached:
            groups.append(tuple(order[first : last + 1]))
        reached = max(reached, last + 1)
    return tuple(groups)


def range_below(width: float, count: int) -> float:
    """The probability that so many standard normal numbers lie within this width of one another.

    >>> round(range_below(3.6331613, 4), 5)
    0.95
    """
    if width <= 0:
        return 0.0
    z, density, below = _normal()
    inside = (_below(z + width) - below) ** (count - 1)
    return float(count * (density * inside).sum() * (z[1] - z[0]))


@lru_cache(maxsize=256)
def range_quantile(p: float, count: int) -> float:
    """The width within which so many standard normal numbers lie with this probability.

    >>> round(range_quantile(0.95, 4), 3), round(range_quantile(0.95, 2) / math.sqrt(2), 3)
    (3.633, 1.96)
    """
    low, high = 0.0, 1.0
    while range_below(high, count) < p:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if range_below(middle, count) < p else (low, middle)
    return (low + high) / 2


def _unit(learners: int, tables: int) -> float:
    """The standard error of the difference of two mean ranks."""
    return math.sqrt(learners * (learners + 1) / (6 * tables))


@lru_cache(maxsize=1)
def _normal() -> tuple[Floats, Floats, Floats]:
    """Places, the normal density there, and the probability below them."""
    z = np.linspace(-_WIDE, _WIDE, _STEPS + 1)
    return z, np.exp(-z * z / 2) / math.sqrt(2 * math.pi), _below(z)


def _below(z: Floats) -> Floats:
    return np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in z.tolist()])
