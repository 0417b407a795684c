"""Mixing bits: 64 bits made of 64 others, each depending on all of them, the same on every machine.

It is the finaliser of SplitMix64 (Steele, Lea and Flood 2014), from which folds, rules and ensembles draw:
NumPy's own generators may give other numbers in another version. `native/core/numeric/chance.hpp` has the
same.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

GOLDEN: Final = 0x9E3779B97F4A7C15  # 2⁶⁴ over the golden ratio: the step from one number to the next
_MASK: Final = 2**64 - 1


def mixed(value: int) -> int:
    """The mixed bits of one number, of which the lowest 64 count.

    >>> hex(mixed(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    value &= _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def mixed_all(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """`mixed` of many.

    >>> [int(each) for each in mixed_all(np.array([1, 2], dtype=np.uint64))] == [mixed(1), mixed(2)]
    True
    """
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return values ^ (values >> np.uint64(31))
