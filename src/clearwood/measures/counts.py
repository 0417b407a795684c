"""Counts: the row weight of each class, the only thing a measure ever sees."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats

Counts: TypeAlias = npt.NDArray[Any]  # [..., class] or [..., branch, class]
ImpurityOf: TypeAlias = Callable[[Counts], Floats]  # [..., class] → [...]

# Logarithms are native: NumPy's own may differ in the last digit from the C library's, which learners use.


def xlog2x(x: npt.ArrayLike) -> Floats:
    """x · log2 x, with 0 · log2 0 = 0.

    >>> xlog2x([0, 0.5, 8])
    array([ 0. , -0.5, 24. ])
    """
    x = np.asarray(x, dtype=np.float64)
    # Entry by entry as they lie in memory: counts mostly lie level by level.
    across = x.T if x.flags.f_contiguous else x
    scaled = _native.xlog2x(across.ravel()).reshape(across.shape)
    return scaled.T if across is not x else scaled


def xlogy(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """x · ln y, with 0 · ln 0 = 0."""
    x, y = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    return _native.xlogy(x.ravel(), y.ravel()).reshape(x.shape)


def proportions(counts: Counts) -> Floats:
    """Each class's part of the weight; all zero where there is no weight.

    >>> proportions(np.array([[9, 5], [0, 0]])).round(3)
    array([[0.643, 0.357],
           [0.   , 0.   ]])
    """
    counts = np.asarray(counts, dtype=np.float64)
    weight = counts.sum(axis=-1, keepdims=True)
    return counts / np.where(weight > 0, weight, 1.0)
