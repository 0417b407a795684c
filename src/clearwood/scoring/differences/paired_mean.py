"""Paired means: two numbers of each row, and by how much their means differ."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.scoring.differences.mean_difference import MeanDifference
from clearwood.table.weights import effective_rows


def paired_mean(first: Floats, second: Floats, weights: Floats, *, counts: bool) -> MeanDifference:
    """The mean of first − second over the rows, with the spread of these differences: Student's paired t.
    Weights are `counts` of equal rows, or of a sample, whose squares make the error.

    >>> import numpy as np
    >>> tested = paired_mean(np.array([1.0, 2, 4]), np.array([0.0, 2, 2]), np.ones(3), counts=True)
    >>> tested.mean, round(tested.standard_error, 4), tested.df
    (1.0, 0.5774, 2.0)
    """
    total = float(weights.sum())
    if not total:
        return MeanDifference(math.nan, math.nan, 1, _NAME)
    apart = first - second
    mean = float((apart * weights).sum()) / total
    rows = total if counts else effective_rows(weights)
    if rows <= 1:
        return MeanDifference(mean, math.nan, 1, _NAME)
    squares = (apart - mean) ** 2
    if counts:
        variance = float((squares * weights).sum()) / total / (total - 1)
    else:
        variance = float((squares * weights**2).sum()) / total**2 * rows / (rows - 1)
    return MeanDifference(mean, math.sqrt(variance), rows - 1, _NAME)


def paired_mean_of_groups(first: Floats, second: Floats, weights: Floats, units: Longs) -> MeanDifference:
    """The mean of first − second over the rows, with the spread of the groups' sums: rows of one number in
    `units` belong together, and only groups vary by themselves (a ratio of sums, Cochran 1977).

    >>> rows = np.array([1.0, 1, 0, 0, 1, 1]), np.zeros(6), np.ones(6), np.array([0, 0, 1, 1, 2, 2])
    >>> tested = paired_mean_of_groups(*rows)
    >>> round(tested.mean, 4), round(tested.standard_error, 4), tested.df, tested.test
    (0.6667, 0.3333, 2, 'paired t-test over 3 groups')
    """
    numbers, group = np.unique(units, return_inverse=True)
    groups, total = len(numbers), float(weights.sum())
    name = f"{_NAME} over {groups} groups"
    if not total:
        return MeanDifference(math.nan, math.nan, 1, name)
    apart = first - second
    mean = float((apart * weights).sum()) / total
    if groups < 2:
        return MeanDifference(mean, math.nan, 1, name)
    sums = np.bincount(group.ravel(), (apart - mean) * weights)
    variance = float((sums**2).sum()) / total**2 * groups / (groups - 1)
    return MeanDifference(mean, math.sqrt(variance), groups - 1, name)


_NAME: Final = "paired t-test"
