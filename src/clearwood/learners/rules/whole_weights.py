"""Weights in whole units: sums that no order of adding can change, so that equal scores are equal."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.table.table import Weights

Units: TypeAlias = npt.NDArray[np.int64]  # [row]

_MOST: Final = 2**40  # units in all: a million times as many still fit a long
_PARTS: Final = 100  # of the lightest row that are tried as the unit


def whole_weights(weights: Weights) -> tuple[Units, float]:
    """Each weight as a number of units, and the unit: a part of the lightest weight that all are made of.

    Weights that share no such part are rounded, to about a billionth of the heaviest of a thousand rows.

    >>> whole_weights(np.array([0.1, 0.3, 0.25]))[0].tolist()
    [2, 6, 5]
    >>> whole_weights(np.array([1.0, 1.0, 3.0]))
    (array([1, 1, 3]), 1.0)
    """
    lightest, total = float(weights.min()), float(weights.sum())
    for parts in range(1, _PARTS + 1):
        unit = lightest / parts
        if total / unit > _MOST:
            break
        exact = weights / unit
        units = np.rint(exact)
        if (np.abs(exact - units) <= 1e-9 * units).all():
            return units.astype(np.int64), unit
    unit = total / _MOST
    return np.maximum(np.rint(weights / unit), 1.0).astype(np.int64), unit
