"""Where a number of a column lies against a constant, as a document reads the column's cells: scaled, and
perhaps in single precision."""

from __future__ import annotations

import math

import numpy as np

from clearwood.arrays import Floats
from clearwood.importing.features import ScalingStep
from clearwood.importing.moved_thresholds import at_most_float32, below_float32, largest_double


def limits(value: float, steps: tuple[ScalingStep, ...], *, is_single: bool) -> tuple[float, float]:
    """The largest number of the column that is at most the value after these steps, and the largest below it.

    >>> limits(2.0, (), is_single=False)
    (2.0, 1.9999999999999998)
    """
    if steps:
        if is_single:
            value = float(np.float32(value))

        def at(x: Floats) -> Floats:
            scaled = scaled_number(steps, x)
            return scaled.astype(np.float32).astype(np.float64) if is_single else scaled

        upto, before = (
            float(largest_double(holds, 1)[0])
            for holds in (lambda x: at(x) <= value, lambda x: at(x) < value)
        )
        return upto, before
    if not is_single:
        return value, math.nextafter(value, -math.inf)
    single = np.array([np.float32(value)], dtype=np.float64)
    return float(at_most_float32(single)[0]), float(below_float32(single)[0])


def margins(value: float, *, is_single: bool) -> tuple[float, float]:
    """The same of the margin of an interval, which stays a double where cells are in single precision.

    >>> margins(7.9, is_single=True)[0] < 7.9
    True
    """
    upto = float(at_most_float32(np.array([value]))[0]) if is_single else value
    if is_single and float(np.float32(value)) != value:
        return upto, upto
    return upto, limits(value, (), is_single=is_single)[1]


def scaled_number(steps: tuple[ScalingStep, ...], numbers: Floats) -> Floats:
    """[·] the numbers of a column after these steps."""
    with np.errstate(over="ignore", invalid="ignore"):
        for step in steps:
            numbers = step(numbers)
    return numbers
