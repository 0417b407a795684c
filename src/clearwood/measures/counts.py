"""Counts: the row weight of each class, the only thing a measure ever sees."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats

Counts: TypeAlias = npt.NDArray[Any]  # [..., class] or [..., branch, class]
ImpurityOf: TypeAlias = Callable[[Counts], Floats]  # [..., class] → [...]

# NumPy's own log2 may differ from the C library's in the last digit; the native code uses the C library's.
_log2 = np.frompyfunc(math.log2, 1, 1)
_log = np.frompyfunc(math.log, 1, 1)


def xlog2x(x: npt.ArrayLike) -> Floats:
    """x · log2 x, with 0 · log2 0 = 0.

    >>> xlog2x([0, 0.5, 8])
    array([ 0. , -0.5, 24. ])
    """
    x = np.asarray(x, dtype=np.float64)
    positive = x > 0
    return np.where(positive, x * np.asarray(_log2(np.where(positive, x, 1.0)), dtype=np.float64), 0.0)


def xlogy(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """x · ln y, with 0 · ln 0 = 0."""
    x, y = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    positive = x > 0
    return np.where(positive, x * np.asarray(_log(np.where(positive, y, 1.0)), dtype=np.float64), 0.0)


def proportions(counts: Counts) -> Floats:
    """Each class's part of the weight; all zero where there is no weight.

    >>> proportions(np.array([[9, 5], [0, 0]])).round(3)
    array([[0.643, 0.357],
           [0.   , 0.   ]])
    """
    counts = np.asarray(counts, dtype=np.float64)
    weight = counts.sum(axis=-1, keepdims=True)
    return counts / np.where(weight > 0, weight, 1.0)
