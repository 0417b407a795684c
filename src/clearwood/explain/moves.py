"""Moves: what one cell may become, and how far that is.

Glossary. An *option* is a cell that a column may hold: option 0 is the cell as it is and costs nothing; the
others follow by cost, and equal costs by value (numbers ascending, values in schema order). A set of options
is an integer with one bit for each, so that its lowest bit is its cheapest option.

Costs are Gower's distances: of a number |new − old| ÷ the column's *scale*; of an ordinal value the steps
between the two ÷ the steps from the lowest to the highest; of a nominal value 1; of a cell that was empty, or
held a value never met, 1. Nothing is ever emptied. Numbers are tried once in every interval between the
thresholds that the model has for the column, at the written number nearest to the old one; one with more
decimals than its column has (an age of 38.5) costs 1 more.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from clearwood.explain.constraints import Constraints
from clearwood.explain.one_row import is_unseen
from clearwood.explain.written_numbers import decimals_of, is_written, just_above, just_below
from clearwood.models.conditions import Condition, bounds_of, takes_missing, values_of
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.row import Cell

_LARGEST: Final = sys.float_info.max
_FARTHEST: Final = 1e300


@dataclass(frozen=True, slots=True)
class Changed:
    """One cell before and after, and what that costs."""

    name: str
    before: Cell
    after: Cell
    cost: float


@dataclass(frozen=True, slots=True)
class CheapestChange:
    """Where a search ended: the cells to change, or None; `proven` unless it left some out, `stopped` where
    the time was over."""

    cells: tuple[Changed, ...] | None
    proven: bool = True
    stopped: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """The options of one column."""

    name: str
    cells: tuple[Cell, ...]  # [option]
    costs: tuple[float, ...]  # [option]
    _of_value: Mapping[str, int]  # a nominal or ordinal column: the options with this value
    _numbers: Sequence[float]  # a numeric column: its options' numbers, ascending, …
    _up_to: Sequence[int]  # … and the options among the first 0, 1, 2, … of them

    @property
    def all(self) -> int:
        return (1 << len(self.cells)) - 1

    def changed(self, option: int) -> Changed:
        """What it is to take an option."""
        return Changed(self.name, self.cells[0], self.cells[option], self.costs[option])

    def some(self) -> list[Changed]:
        """All that the cell may become, the cheapest first."""
        return [self.changed(option) for option in range(1, len(self.cells))]

    def taking(self, condition: Condition) -> int:
        """The options that satisfy the condition."""
        options = int(self.cells[0] is None and takes_missing(condition))
        if self._up_to:
            low, high = bounds_of(condition)
            return options | (self._below(high) & ~self._below(low))
        for value in values_of(condition):
            options |= self._of_value.get(value, 0)
        return options

    def _below(self, limit: float) -> int:
        return self._up_to[bisect_right(self._numbers, limit)]


def moves_of(
    attribute: Attribute, cell: Cell, thresholds: Collection[float], constraints: Constraints
) -> Moves:
    """The options of a column whose thresholds in the model are these.

    >>> moves = moves_of(Numeric("Humidity"), 80.0, [70.0, 75.0], Constraints())
    >>> moves.cells, moves.costs
    ((80.0, 75.0, 70.0), (0.0, 1.0, 2.0))
    """
    name = attribute.name
    options: list[tuple[float, int, Cell]] = []
    if name not in constraints.fixed:
        if isinstance(attribute, Numeric):
            assert not isinstance(cell, str)
            options = _numbers(name, cell, sorted(thresholds), constraints)
        elif isinstance(attribute, Nominal | Ordinal):
            options = _values(attribute, cell, constraints)
    options.sort(key=lambda option: option[:2])
    cells = (cell, *(after for _, _, after in options))
    costs = (0.0, *(cost for cost, _, _ in options))
    if isinstance(attribute, Numeric):
        ranked = sorted((float(each), bit) for bit, each in enumerate(cells) if each is not None)
        up_to = [0]
        for _, bit in ranked:
            up_to.append(up_to[-1] | 1 << bit)
        return Moves(name, cells, costs, {}, [value for value, _ in ranked], up_to)
    return Moves(name, cells, costs, {str(v): 1 << b for b, v in enumerate(cells) if v is not None}, (), ())


def scale_of(thresholds: Collection[float], name: str, constraints: Constraints) -> float:
    """How far is far: the range given for the column; else from the model's lowest threshold to
    its highest; of a single threshold its size."""
    low, high = (constraints.ranges or {}).get(name, (0.0, 0.0))
    if not low < high:
        low, high = min(thresholds, default=0.0), max(thresholds, default=0.0)
    return min(high - low, _LARGEST) or abs(low) or 1.0


def way(cell: float, after: float, scale: float) -> float:
    """How far it is from one number to another, in scales; at most so far that several still have a sum.

    >>> way(-1.5, 0.0, 2.0), way(-1.5, 0.0, 5e-324)
    (0.75, 1e+300)
    """
    return min(abs(after - cell) / scale, _FARTHEST)


def _numbers(
    name: str, cell: float | None, limits: list[float], constraints: Constraints
) -> list[tuple[float, int, Cell]]:
    decimals, scale = decimals_of(cell, limits), scale_of(limits, name, constraints)
    bottom, top = (constraints.ranges or {}).get(name, (-math.inf, math.inf))
    ends = [-math.inf, *limits, math.inf]
    options: list[tuple[float, int, Cell]] = []
    for place, (low, high) in enumerate(pairwise(ends)):
        if cell is not None and low < cell <= high:
            continue
        high = min(high, top)
        if cell is None:
            after = _any_number(low, high, decimals)
        elif high < cell:
            after = just_below(low, high, decimals)
        else:
            after = just_above(low, high, decimals)
        after = max(after, bottom)
        if low < after <= high and constraints.allows(name, after if cell is None else cell, after):
            cost = 1.0 if cell is None else way(cell, after, scale)
            options.append((cost + (not is_written(after, decimals)), place, after))
    return options


def _any_number(low: float, high: float, decimals: int) -> float:
    """For an empty cell: the largest number of the interval, or where it has no end the smallest."""
    if high < math.inf:
        return just_below(low, high, decimals)
    return just_above(low, high, decimals) if low > -math.inf else 0.0


def _values(
    attribute: Nominal | Ordinal, cell: Cell, constraints: Constraints
) -> list[tuple[float, int, Cell]]:
    known = cell is not None and not is_unseen(attribute, cell)
    now = attribute.values.index(str(cell)) if known else -1
    options: list[tuple[float, int, Cell]] = []
    for place, value in enumerate(attribute.values):
        if place == now:
            continue
        if known and isinstance(attribute, Ordinal):
            if not constraints.allows(attribute.name, now, place):
                continue
            options.append((abs(place - now) / (len(attribute.values) - 1), place, value))
        else:
            options.append((1.0, place, value))
    return options
