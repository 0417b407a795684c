"""Chance by counter: a random number is a function of what it is for, never of how many were drawn before.

So the same seed gives the same model at any number of threads, and in any order of work. The native code has
the same numbers (`native/core/numeric/chance.hpp`).
"""

import math
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
    return (draws(key, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


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


# Bootstrap: rows drawn with replacement, as the number of times each was (Efron 1979).
#
# Bagging, forests and the bags of an additive model draw here, each by a key of its own; the native code
# has the same draws (`native/core/numeric/chance.hpp`).


def drawn_with_replacement(key: int, rows: int, draws: int, ends: Floats | None = None) -> Longs:
    """[row] how often it comes up in so many draws; `ends` are running sums of the rows' weights, which are
    then their chances, and without them every row is as likely.

    >>> from clearwood.counting.chance import chance_key
    >>> drawn_with_replacement(chance_key(7), 5, 5).tolist()
    [1, 0, 2, 1, 1]
    """
    drawn = below_all(key, draws, rows) if ends is None else _rows_at(ends, parts(key, draws) * ends[-1])
    return np.bincount(drawn, minlength=rows)


def units_drawn_with_replacement(key: int, ends: Floats) -> Longs:
    """[row] the same of rows whose weights are whole numbers: each unit is a row, and as many are drawn.

    >>> import numpy as np
    >>> from clearwood.counting.chance import chance_key
    >>> int(units_drawn_with_replacement(chance_key(7), np.array([2.0, 3.0, 5.0])).sum())
    5
    """
    units = int(ends[-1])
    return np.bincount(_rows_at(ends, below_all(key, units, units)), minlength=len(ends))


def bootstrap(key: int, rows: int, weights: Floats | None, most_units: float = math.inf) -> Longs:
    """[row] how often it comes up in as many draws as there are rows; weights that are whole numbers, and not
    more than `most_units` together, count rows that are alike."""
    if weights is None:
        return drawn_with_replacement(key, rows, rows)
    ends = np.cumsum(weights)
    if ends[-1] <= most_units and weights_are_units(weights):
        return units_drawn_with_replacement(key, ends)
    return drawn_with_replacement(key, rows, rows, ends)


def weights_are_units(weights: Floats) -> bool:
    """Are all weights whole numbers, so that each unit can be drawn as a row?"""
    return bool((weights == np.floor(weights)).all())


def _rows_at(ends: Floats, places: Floats | Longs) -> Longs:
    """The rows in whose part of the weight the places fall; rounding never leads beyond the last."""
    return np.minimum(np.searchsorted(ends, places, side="right"), len(ends) - 1)
