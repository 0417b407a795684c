"""Chance by counter: a random number is a function of what it is for, never of how many were drawn before.

So the same seed gives the same model at any number of threads, and in any order of work. The native code has
the same numbers (`native/core/numeric/chance.hpp`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Longs
from clearwood.mixing import GOLDEN, mixed, mixed_all

_MASK: Final = 2**64 - 1


def chance_key(*places: int) -> int:
    """The key of a purpose: of a seed, a tree, a node's path, what it is for.

    >>> chance_key(0, 1) == chance_key(0, 1), chance_key(0, 1) == chance_key(1, 0)
    (True, False)
    """
    key = 0
    for place in places:
        key = mixed((key ^ mixed((place + GOLDEN) & _MASK)) + GOLDEN)
    return key


def draw(key: int, k: int) -> int:
    """The k-th 64 bits of a key."""
    return mixed(key + (k + 1) * GOLDEN)


def drawn_below(key: int, k: int, limit: int) -> int:
    """The k-th whole number from 0 to limit − 1.

    >>> [drawn_below(chance_key(7), k, 6) for k in range(5)]
    [3, 2, 5, 0, 3]
    """
    return (draw(key, k) * limit) >> 64


def draws(key: int, count: int) -> npt.NDArray[np.uint64]:
    """[k] the first so many 64 bits of a key."""
    with np.errstate(over="ignore"):
        return mixed_all(np.uint64(key) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN))


def parts(key: int, count: int) -> Floats:
    """[k] numbers from 0 up to, but not including, 1; each is a multiple of 2⁻⁵³."""
    numbers: Floats = (draws(key, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return numbers


def below_all(key: int, count: int, limit: int) -> Longs:
    """[k] the whole numbers of `drawn_below`, for limits under 2³².

    >>> below_all(chance_key(7), 5, 6).tolist()
    [3, 2, 5, 0, 3]
    """
    bits = draws(key, count)
    high, low = bits >> np.uint64(32), bits & np.uint64(0xFFFFFFFF)
    size = np.uint64(limit)
    return ((high * size + ((low * size) >> np.uint64(32))) >> np.uint64(32)).astype(np.int64)


def shuffled_places(key: int, count: int) -> Longs:
    """The numbers 0 … count − 1 in random order, each order as likely as any other (Fisher and Yates).

    >>> shuffled_places(chance_key(3), 5).tolist()
    [1, 4, 2, 0, 3]
    """
    order = np.arange(count, dtype=np.int64)
    for k in range(count - 1, 0, -1):
        other = drawn_below(key, k, k + 1)
        order[k], order[other] = order[other], order[k]
    return order
