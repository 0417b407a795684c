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

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from clearwood.explain.constraints import Constraints
from clearwood.explain.numbers_between import NumbersBetween
from clearwood.explain.one_row import is_unseen
from clearwood.models.conditions import Condition, bounds_of, takes_missing, values_of
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.row import Cell


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
    attribute: Attribute,
    cell: Cell,
    between: NumbersBetween | Collection[float] | None,
    constraints: Constraints,
) -> Moves:
    """The options of a column whose thresholds in the model are these, if it is numeric.

    >>> moves = moves_of(Numeric("Humidity"), 80.0, [70.0, 75.0], Constraints())
    >>> moves.cells, moves.costs
    ((80.0, 75.0, 70.0), (0.0, 1.0, 2.0))
    """
    name = attribute.name
    options: list[tuple[float, int, Cell]] = []
    if name not in constraints.fixed:
        if isinstance(attribute, Numeric):
            assert not isinstance(cell, str)
            if not isinstance(between, NumbersBetween):
                between = NumbersBetween.of(between or ())
            numbers, paid = between.options(name, cell, constraints)
            options = list(zip(paid.tolist(), range(len(paid)), numbers.tolist(), strict=True))
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
