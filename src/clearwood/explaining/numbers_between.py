"""Numbers between thresholds: in each interval the written number nearest to a cell, and its cost.

What does not depend on the row is worked out once for a column: how its thresholds are written, and the
smallest and the largest written number of every interval.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.explaining.one_row import FARTHEST, Constraints, scale_of
from clearwood.explaining.written_numbers import (
    all_just_above,
    all_just_below,
    are_written,
    decimals_by,
    fitting_decimals,
)
from clearwood.models.model import Model, kept
from clearwood.models.space.space_of import thresholds_of


class NumberOptions(NamedTuple):
    """[option] what a number may become, ascending, and what that costs."""

    numbers: Floats
    costs: Floats


@dataclass(frozen=True, slots=True, eq=False)
class NumbersBetween:
    """The intervals of one column: up to its first threshold, between each two, and above its last."""

    limits: Floats
    _fits: tuple[bool, ...]  # [decimals] is every threshold on a number of so many, or between two?
    _ends: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)  # by decimals, of each interval

    @staticmethod
    def of(thresholds: Collection[float]) -> NumbersBetween:
        limits = np.array(sorted(thresholds), dtype=np.float64)
        return NumbersBetween(limits, fitting_decimals(limits))

    def options(self, name: str, cell: float | None, constraints: Constraints) -> NumberOptions:
        """One number of every interval that the cell is not in, where the constraints allow it."""
        decimals = decimals_by(cell, self._fits)
        low = np.concatenate(([-math.inf], self.limits))
        high = np.concatenate((self.limits, [math.inf]))
        inside = np.zeros(len(low), dtype=np.bool_) if cell is None else (low < cell) & (cell <= high)
        limited = (constraints.ranges or {}).get(name)
        if limited is None:
            smallest, largest = self._of_decimals(decimals, low, high)
        else:
            high = np.minimum(high, limited[1])
            smallest, largest = all_just_above(low, high, decimals), all_just_below(low, high, decimals)
        if cell is None:
            # The largest number of an interval, or where it has no end the smallest; of all numbers 0.
            after = np.where(high < math.inf, largest, np.where(low > -math.inf, smallest, 0.0))
        else:
            after = np.where(high < cell, largest, smallest)
        if limited is not None:
            after = np.maximum(after, limited[0])
        may = ~inside & (low < after) & (after <= high) & _allowed(name, cell, after, constraints)
        numbers = after[may]
        if cell is None:
            costs = np.ones(len(numbers))
        else:
            with np.errstate(over="ignore"):
                costs = np.minimum(
                    np.abs(numbers - cell) / scale_of(self.limits, name, constraints), FARTHEST
                )
        return NumberOptions(numbers, costs + ~are_written(numbers, decimals))

    def _of_decimals(self, decimals: int, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        ends = self._ends.get(decimals)
        if ends is None:
            ends = all_just_above(low, high, decimals), all_just_below(low, high, decimals)
            self._ends[decimals] = ends
        return ends


@kept
def numbers_between(model: Model) -> Mapping[str, NumbersBetween]:
    """By numeric column that has thresholds in the model."""
    return {name: NumbersBetween.of(limits) for name, limits in thresholds_of(model).items()}


def _allowed(name: str, cell: float | None, after: Floats, constraints: Constraints) -> Bools:
    allowed = np.ones(len(after), dtype=np.bool_)
    if cell is not None and name in constraints.only_up:
        allowed &= after >= cell
    if cell is not None and name in constraints.only_down:
        allowed &= after <= cell
    if constraints.ranges is not None and name in constraints.ranges:
        low, high = constraints.ranges[name]
        allowed &= (low <= after) & (after <= high)
    return allowed
