"""Likeness: how alike are groups, by p-values that may be too small for a number?"""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.ties import better
from clearwood.measures.contingency import Verdict

FAINT = 1e-290  # below it p loses its digits, and then itself


def likeness(verdict: Verdict) -> Floats:
    """p, or its logarithm where p is too small: one scale, on which the larger is the more alike."""
    return np.where(verdict.p >= FAINT, verdict.p, np.maximum(verdict.log_p, -1e300))


def more_alike(one: float, other: float) -> bool:
    """By more than rounding; `other` may be a level such as 0.05.

    >>> more_alike(0.06, 0.05), more_alike(-3337.6, 0.05), more_alike(-3337.6, -3400.0)
    (True, False, True)
    """
    return better(one, other, abs(other))


def less_alike(one: float, other: float) -> bool:
    return better(-one, -other, abs(other))
