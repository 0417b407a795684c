"""The arrays that most of the house passes on, by the type of their elements."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int32]
Longs: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

T = TypeVar("T", bound=np.generic)


def distinct(values: npt.NDArray[T]) -> npt.NDArray[T]:
    """The different values in order, as `np.unique` has them, which imports NumPy's masked arrays to say so.

    >>> distinct(np.array([2, 1, 2])).tolist()
    [1, 2]
    """
    ordered = np.sort(values, axis=None)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def weights_by_cell(cells: npt.NDArray[np.integer], weights: Floats, count: int) -> Floats:
    """[cell] the weight of the rows of each cell, to the last digit the same in any order of rows.

    >>> weights_by_cell(np.array([0, 2, 0]), np.array([0.5, 1.0, 0.25]), 3).tolist()
    [0.75, 0.0, 1.0]
    """
    if (weights != np.rint(weights)).any():  # sums of whole numbers have no order
        order = np.argsort(weights)
        cells, weights = cells[order], weights[order]
    return np.bincount(cells, weights, minlength=count).astype(np.float64, copy=False)
