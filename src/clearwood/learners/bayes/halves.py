"""Exact sums as the native counters hand them over: two halves of 64 bits, in units of a power of two."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.models.exact import Exact, scaled

Halves: TypeAlias = npt.NDArray[np.uint64]  # [cell, 2]


def whole_sums(halves: Halves, exponent: int) -> list[Exact]:
    """[cell] the sums; whole numbers where they are.

    >>> whole_sums(np.array([[3, 0], [4, 0]], dtype=np.uint64), -1)
    [Fraction(3, 2), 2]
    """
    if exponent == 0 and not halves[:, 1].any():
        lower: list[Exact] = halves[:, 0].tolist()
        return lower
    return [scaled(low + (high << 64), exponent) for low, high in halves.tolist()]
