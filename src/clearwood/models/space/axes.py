"""Axes: each column that conditions ask about, cut into groups of cells that no condition can tell apart.

Glossary. The *cells* of a numeric column are the intervals between all the limits that some condition names,
and one for an empty cell; those of a nominal or ordinal column are its values, one for a value never met, and
one for an empty cell. Cells that satisfy the same conditions form a *group*; no condition can tell them
apart. A set of groups is an integer with one bit for each, so what conditions ask of a row is a *box*: a set
per column.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Bools
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    bounds_of,
    interval,
    one_of,
    takes_missing,
    written,
)
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell

GroupBox: TypeAlias = tuple[tuple[int, int], ...]  # (column, its set of groups), for the columns it restricts
Domains: TypeAlias = list[int]  # [column] a set of groups
Ask: TypeAlias = tuple[int, int]  # a column, and the groups of its cells that satisfy a condition

_LARGEST: Final = sys.float_info.max


@dataclass(frozen=True, slots=True)
class Axis:
    """One column of the space."""

    attribute: Attribute
    limits: tuple[float, ...]  # a numeric column's, ascending
    cells: tuple[Cell, ...]  # a cell of each kind: known ones first, then one never met, then None
    group_of: tuple[int, ...]  # [cell] its group

    @property
    def name(self) -> str:
        return self.attribute.name

    @property
    def groups(self) -> int:
        return max(self.group_of) + 1

    @property
    def known(self) -> int:
        """How many cells are values of the schema, or intervals."""
        return len(self.cells) - (1 if isinstance(self.attribute, Numeric) else 2)

    @property
    def everything(self) -> int:
        return (1 << self.groups) - 1

    def groups_of(self, cells: Sequence[int]) -> int:
        """The set of groups that hold these cells."""
        groups = 0
        for cell in cells:
            groups |= 1 << self.group_of[cell]
        return groups

    def cells_in(self, groups: int) -> list[bool]:
        """[cell] is it in one of these groups?"""
        return [bool(groups >> group & 1) for group in self.group_of]

    def intervals(self, inside: Sequence[bool]) -> list[tuple[float, float]]:
        """The intervals low < x ≤ high that these cells [cell] of a numeric column make up."""
        ends = (-math.inf, *self.limits, math.inf)
        found, low = [], None
        for place, here in enumerate([*inside[: self.known], False]):
            if here and low is None:
                low = ends[place]
            if not here and low is not None:
                found.append((low, ends[place]))
                low = None
        return found

    def example(self, groups: int) -> Cell:
        """A cell of these groups, a known one if there is one."""
        return self.cells[self.first(groups)]

    def first(self, groups: int) -> int:
        """The place of that cell."""
        return next(cell for cell, group in enumerate(self.group_of) if groups >> group & 1)


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes in the order of the columns, and by condition the groups [group] that satisfy it."""

    all: tuple[Axis, ...]
    satisfied: Mapping[Condition, Bools]

    @property
    def places(self) -> dict[str, int]:
        return {axis.name: place for place, axis in enumerate(self.all)}


def axes_of(
    conditions: Iterable[Condition], attribute: Callable[[str], Attribute], order: Callable[[str], int]
) -> Axes:
    """The axes that these conditions cut; columns are known, and put in order, by their names."""
    by_name: dict[str, list[Condition]] = {}
    for condition in dict.fromkeys(conditions):
        by_name.setdefault(condition.name, []).append(condition)
    axes = []
    satisfied: dict[Condition, Bools] = {}
    for name in sorted(by_name, key=order):
        axis, by_condition = _axis(attribute(name), by_name[name])
        axes.append(axis)
        satisfied |= by_condition
    return Axes(tuple(axes), satisfied)


def group_set(held: Bools) -> int:
    """Groups [group] as a set."""
    return int.from_bytes(np.packbits(held, bitorder="little").tobytes(), "little")


def group_flags(groups: int, count: int) -> Bools:
    """A set as [group] truth values."""
    held = np.frombuffer(groups.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(held, count=count, bitorder="little").view(np.bool_)


def _axis(attribute: Attribute, conditions: list[Condition]) -> tuple[Axis, dict[Condition, Bools]]:
    limits, cells = _cells(attribute, conditions)
    table = _satisfaction(attribute, cells, conditions)
    groups: dict[bytes, int] = {}
    group_of = tuple(groups.setdefault(row.tobytes(), len(groups)) for row in table)
    first = np.unique(np.array(group_of), return_index=True)[1]
    held = table[first]
    return Axis(attribute, limits, cells, group_of), {
        condition: held[:, c] for c, condition in enumerate(conditions)
    }


def _cells(attribute: Attribute, conditions: list[Condition]) -> tuple[tuple[float, ...], tuple[Cell, ...]]:
    if isinstance(attribute, Nominal | Ordinal):
        return (), (*attribute.values, _never_met(attribute.values), None)
    named = {limit for condition in conditions for limit in bounds_of(condition)}
    # Cells are finite: a limit at or beyond the largest number parts nothing.
    limits = tuple(sorted(limit for limit in named if -math.inf < limit < _LARGEST))
    ends = (-math.inf, *limits, math.inf)
    return limits, (*(inside(low, high) for low, high in pairwise(ends)), None)


def _satisfaction(attribute: Attribute, cells: tuple[Cell, ...], conditions: list[Condition]) -> Bools:
    """[cell, condition] does the cell satisfy it? As `holds` defines it, all cells at once."""
    table = np.zeros((len(cells), len(conditions)), dtype=np.bool_)
    known = table[:-1]
    if isinstance(attribute, Numeric):
        numbers = np.array(cells[:-1], dtype=np.float64)
    else:
        places: Mapping[Cell, int] = {cell: place for place, cell in enumerate(cells)}
    for c, condition in enumerate(conditions):
        table[-1, c] = takes_missing(condition)
        match condition:
            case IsMissing():
                pass
            case Equals(_, value):
                known[places[value], c] = True
            case OneOf(_, values, _):
                known[[places[value] for value in values], c] = True
            case AtMost() | Below() | Above() | AtLeast() | Between():
                low, high = bounds_of(condition)
                known[:, c] = (numbers > low) & (numbers <= high)
            case _:
                assert_never(condition)
    return table


def _never_met(values: tuple[str, ...]) -> str:
    """A value that is not among these."""
    name = "(never met)"
    while name in values:
        name = f"({name})"
    return name


def inside(low: float, high: float) -> float:
    """A short number with low < x ≤ high.

    >>> inside(30.0, 50.0), inside(0.21, 0.26), inside(75.0, math.inf), inside(-math.inf, 2.5)
    (50.0, 0.23, 76.0, 2.0)
    """
    whole = 0.0 if high == math.inf and low < 0 else _floor(low) + 1 if high == math.inf else _floor(high)
    if low < whole <= high:
        return whole
    if high == math.inf:
        return math.nextafter(low, math.inf)
    if low == -math.inf:
        return high
    middle = low + (high - low) / 2
    for digits in range(1, 17):
        if low < round(middle, digits) <= high:
            return round(middle, digits)
    return high


def _floor(number: float) -> float:
    return float(math.floor(number)) if abs(number) < 1e15 else number


# Parts of the space in words: the conditions that a row must satisfy to be in it.


_MANY: Final = 5  # values, of which it is shorter to name the others


def region_text(axes: Sequence[Axis], domains: Domains) -> str:
    """`Outlook = Sunny AND Humidity > 75`; `any row` where no column is restricted."""
    texts = [
        _column_text(axis, groups)
        for axis, groups in zip(axes, domains, strict=True)
        if groups != axis.everything
    ]
    if len(texts) > 1:
        texts = [f"({each})" if " or " in each else each for each in texts]
    return " AND ".join(texts) or "any row"


def _column_text(axis: Axis, groups: int) -> str:
    inside = axis.cells_in(groups)
    missing = inside[-1]
    if isinstance(axis.attribute, Nominal | Ordinal):
        text = _values_text(axis, axis.attribute.values, inside)
    else:
        text = " or ".join(str(interval(axis.name, *ends)) for ends in axis.intervals(inside))
    if not text:
        return f"{written(axis.name)} is missing"
    return f"{text} or missing" if missing else text


def _values_text(axis: Axis, values: tuple[str, ...], inside: list[bool]) -> str:
    held = tuple(value for value, here in zip(values, inside, strict=False) if here)
    never_met = inside[len(values)]
    if never_met:
        rest = [value for value in values if value not in held]
        if not rest:
            return f"{written(axis.name)} is known"
        if not held:
            return f"{written(axis.name)} has a value never met"
        if len(rest) < len(held) and len(held) > _MANY:
            return f"{written(axis.name)} not in {{{', '.join(map(written, rest))}}}"
        return f"{one_of(axis.name, held)} or never met"
    if held == values and len(values) > _MANY:
        return f"{written(axis.name)} has a known value"
    return str(one_of(axis.name, held)) if held else ""
