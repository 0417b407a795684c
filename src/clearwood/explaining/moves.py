"""Moves: what one cell may become, and how far that is.

Glossary. An *option* is a cell that a column may hold: option 0 is the cell as it is and costs nothing; the
others follow by cost, and equal costs by value (numbers ascending, values in schema order). Options are the
groups of an axis (`models/space/axes.py`) in another order: a set of them is an integer with one bit for
each, whose lowest bit is its cheapest option, and boxes of options walk through trees and rules as others do.

Costs are Gower's distances: of a number |new − old| ÷ the column's *scale*; of an ordinal value the steps
between the two ÷ the steps from the lowest to the highest; of a nominal value 1; of a cell that was empty, or
held a value never met, 1. Nothing is ever emptied. Numbers are tried once in every interval between the
thresholds that the model has for the column, at the written number nearest to the old one; one with more
decimals than its column has (an age of 38.5) costs 1 more.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Final, Generic, TypeAlias, TypeVar

from clearwood.errors import SettingError
from clearwood.explaining.numbers_between import NumbersBetween
from clearwood.explaining.one_row import Constraints, is_unseen
from clearwood.formulas.conditions import Condition, bounds_of, takes_missing, values_of
from clearwood.models.space.axes import Ask, Domains
from clearwood.records import json_of
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell, Row


@dataclass(frozen=True, slots=True)
class Changed:
    """One cell before and after, and what that costs."""

    name: str
    before: Cell
    after: Cell
    cost: float

    def to_json(self) -> dict[str, Any]:
        return {"column": self.name, **json_of(self, "name")}


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


# Boxes of rows, each column held to some of its options, searched in the order of their cheapest row.
#
# A box's *key* is (cells changed, sum of their costs in schema order, their columns, the options chosen),
# all of its cheapest row. Whatever narrows a box can only raise its key. So a search that
# always takes the box of the lowest key has, when the cheapest row of that box is an answer, the smallest
# change of all.


Options: TypeAlias = Sequence[Moves]  # of the columns that the model asks about, in schema order
Key: TypeAlias = tuple[int, float, tuple[int, ...], tuple[int, ...]]
ChosenOptions: TypeAlias = dict[int, int]  # a column → the option it changes to

MOST_BOXES: Final = 200_000  # a search that has met so many gives up, and says so
_LOOKS: Final = 64  # boxes between two looks at the clock

_T = TypeVar("_T")


class Queue(Generic[_T]):
    """Boxes with what a search knows of each, lowest key first; of equal keys the one that came first."""

    def __init__(self, options: Options, time: SearchTime) -> None:
        self.options = options
        self.met = 0
        self._time = time
        self._stopped = False
        self._heap: list[tuple[Any, ...]] = []

    def put(self, box: Domains, known: _T) -> None:
        self.met += 1
        heappush(self._heap, (*cheapest_key(self.options, box), self.met, box, known))

    def __iter__(self) -> Iterator[tuple[Domains, _T]]:
        taken = 0
        while self._heap and self.met < MOST_BOXES:
            if taken % _LOOKS == 0 and self._time.is_over:
                self._stopped = True
                return
            taken += 1
            *_, box, known = heappop(self._heap)
            yield box, known

    def without_change(self) -> CheapestChange:
        """What is to be said where no box had a change: that is proven if none is left."""
        return CheapestChange(None, not self._heap, self._stopped)


def unchanged(options: Options) -> Domains:
    """The box of all that the row may become."""
    return [moves.all for moves in options]


def asked_of(options: Options) -> Callable[[Condition], Ask]:
    """By condition its column, and the options that satisfy it."""
    columns = {moves.name: column for column, moves in enumerate(options)}

    def ask(condition: Condition) -> Ask:
        column = columns[condition.name]
        return column, options[column].taking(condition)

    return ask


def cheapest_key(options: Options, box: Domains) -> Key:
    """The key of the box's cheapest row."""
    chosen = cheapest_in(box)
    distance = 0.0
    for column, option in chosen.items():
        distance += options[column].costs[option]
    return len(chosen), distance, tuple(chosen), tuple(chosen.values())


def cheapest_in(box: Domains) -> ChosenOptions:
    """The cells that the box's cheapest row changes, in schema order."""
    return {column: (held & -held).bit_length() - 1 for column, held in enumerate(box) if not held & 1}


def row_with(row: Row, options: Options, chosen: ChosenOptions) -> dict[str, Cell]:
    """The row with these cells changed."""
    changed = {options[column].name: options[column].cells[option] for column, option in chosen.items()}
    return {**row, **changed}


def changed_by(options: Options, chosen: ChosenOptions) -> tuple[Changed, ...]:
    """The same as cells before and after."""
    return tuple(options[column].changed(option) for column, option in chosen.items())


# Search time: the moment at which a search ends, done or not, for callers who cannot wait.


@dataclass(frozen=True, slots=True)
class SearchTime:
    """`ends` is a moment of `time.monotonic`; a search looks at it between its steps."""

    ends: float = math.inf

    @property
    def is_over(self) -> bool:
        return self.ends < math.inf and time.monotonic() >= self.ends


def search_time(seconds: float | None) -> SearchTime:
    """So many seconds from now; None is without an end.

    >>> search_time(None).is_over, search_time(0).is_over
    (False, True)
    """
    if seconds is None:
        return SearchTime()
    if not seconds >= 0:
        raise SettingError(f"seconds is the time that the search may take, 0 or more, not {seconds!r}.")
    return SearchTime(time.monotonic() + seconds)
