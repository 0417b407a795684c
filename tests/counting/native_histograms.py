"""Histograms: whole numbers of rows added up by region and code.

They are whole, so that batches of rows may be added in any order and by any number of threads; what is
returned says nothing of rows that were not given, and two batches' sums are added by `+`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood import _native
from clearwood.arrays import Ints, Longs
from clearwood.counting.coding import Code


def class_counts(
    columns: Sequence[Code],
    known: Sequence[int],
    region: Ints,
    regions: int,
    target: Ints,
    classes: int,
    units: Longs | None = None,
    threads: int = 0,
) -> list[Longs]:
    """[column][region, code, class] how many rows, or their units; a row of a region below 0 is left out.

    >>> codes = np.array([0, 1, 1, 2], dtype=np.uint8)
    >>> region, target = np.zeros(4, dtype=np.int32), np.array([0, 1, 0, 1], dtype=np.int32)
    >>> class_counts([codes], [2], region, 1, target, 2)[0].tolist()
    [[[1, 0], [1, 1], [0, 1]]]
    """
    return _native.region_counts(list(columns), list(known), region, regions, target, classes, units, threads)


def gradient_sums(
    columns: Sequence[Code],
    known: Sequence[int],
    region: Ints,
    regions: int,
    g: Longs,
    h: Longs,
    threads: int = 0,
) -> list[Longs]:
    """[column][region, code, 2] sums of g and h, in whole units; a row of a region below 0 is left out.

    The weight of rows is summed in the same way, as the g or h of another call.

    >>> codes, region = np.array([0, 1, 1, 2], dtype=np.uint8), np.zeros(4, dtype=np.int32)
    >>> g, h = np.array([5, -1, 2, 0]), np.array([1, 1, 1, 1])
    >>> gradient_sums([codes], [2], region, 1, g, h)[0].tolist()
    [[[5, 1], [1, 2], [0, 1]]]
    """
    sums = _native.region_sums(list(columns), list(known), region, regions, g, h, threads)
    return np.split(sums, np.cumsum([each + 1 for each in known])[:-1], axis=1)
