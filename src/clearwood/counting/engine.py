"""A CountingEngine: says how often each class occurs with each code of a column, in each region of a table.

A region is a path of questions, a frontier is the regions of one level. The counts are whole units of weight,
so that they are the same in whatever order, and in however many parts, the rows are added up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.coding import Coding
from clearwood.counting.question import Question
from clearwood.table.schema import Schema

_BITS: Final = 52  # of what a whole table weighs in units: a float then holds every sum of them


@dataclass(frozen=True, slots=True)
class Descent:
    """One question on the way to a region, and the branch that leads there."""

    question: Question
    branch: int


Path: TypeAlias = tuple[Descent, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Frontier:
    """Regions of the table, each by the questions asked above it; the root's path is empty.

    An engine may hang on it what it needs to find their rows again.
    """

    regions: tuple[Path, ...]
    cursor: object = None

    def __len__(self) -> int:
        return len(self.regions)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What weighs anything, by region, code and level, in this order: `units` · 2^−`exponent` of a row.

    The level is that of the target or, of paired cells, the branch. Every sum of units is below 2⁵³.
    """

    region: Longs  # [cell] by its place in the frontier
    code: Longs  # [cell] of the column; 0 where none is counted
    level: Longs  # [cell]
    units: Longs  # [cell]
    exponent: int

    def of(self, region: int) -> Cells:
        """The cells of one region."""
        here = slice(*np.searchsorted(self.region, [region, region + 1]).tolist())
        return Cells(self.region[here], self.code[here], self.level[here], self.units[here], self.exponent)

    def floats(self) -> Floats:
        """[cell] the weights in rows; no digit is lost."""
        return np.ldexp(self.units.astype(np.float64), -self.exponent)

    def table(self, codes: int, levels: int) -> Floats:
        """[code, level] the weights of one region's cells, level by level in memory."""
        counts = np.zeros((levels, codes))
        counts[self.level, self.code] = self.floats()
        return counts.T


class CountingEngine(Protocol):
    """A table that answers how much weight lies where, wherever its rows are.

    The columns are those of the coding, by their place in it. The levels are the classes, or the distinct
    numbers of a numeric target, `numbers`.
    """

    @property
    def schema(self) -> Schema: ...
    @property
    def coding(self) -> Coding: ...
    @property
    def numbers(self) -> Floats | None:
        """[level] of a numeric target, ascending."""

    def scaled(self, factors: Floats) -> CountingEngine:
        """The same table with every row's weight times the factor of its class, in whole units."""

    def root(self) -> Frontier:
        """The whole table as one region."""

    def only(self, frontier: Frontier, regions: Sequence[int]) -> Frontier:
        """Some of the regions, in this order."""

    def totals(self, frontier: Frontier) -> Cells:
        """[region, level]."""

    def values(self, frontier: Frontier, columns: Sequence[int]) -> list[Cells]:
        """[region, code, level] for each of these columns."""

    def paired(
        self, frontier: Frontier, questions: Mapping[int, Question], columns: Sequence[int]
    ) -> list[Cells]:
        """[region, code, branch] for each column, of the regions that ask; the branch is the first whose
        condition holds for the row's own cell, and one more than the last where none does."""

    def divide(self, frontier: Frontier, questions: Mapping[int, Question]) -> Frontier:
        """The branches of all regions that ask, region by region; the other regions are left behind."""


def branches_of(frontier: Frontier, questions: Mapping[int, Question]) -> tuple[Path, ...]:
    """The paths of all branches, in the order of `divide`."""
    return tuple(
        (*frontier.regions[region], Descent(question, branch))
        for region, question in sorted(questions.items())
        for branch in range(len(question.branches))
    )


# Whole units: weights that can be added up in any order.


def exponent_for(weights: Floats) -> int:
    """The unit is 2^−exponent of a row: the finest of which all rows together have at most 2⁵².

    Of a thousand rows that is 2⁻⁴² of a row, of ten millions 2⁻²⁸.

    >>> exponent_for(np.ones(1000)), exponent_for(np.full(10, 0.1))
    (42, 52)
    """
    total = float(weights.sum())
    if total != np.floor(total) or total > 2.0**_BITS or (weights != np.floor(weights)).any():
        total = math.fsum(weights.tolist())  # whole numbers have the same sum in any order
    return _BITS - math.ceil(math.log2(total)) if total > 0 else _BITS


def whole_units(weights: Floats, exponent: int) -> Longs:
    """[row] its weight in units; what weighs anything weighs one at least."""
    units = np.floor(np.ldexp(weights, exponent) + 0.5).astype(np.int64)
    return np.where(weights > 0, np.maximum(units, 1), 0)


def ends_of_shares(shares: Sequence[float]) -> list[float]:
    """[branch] the running sum of the shares; the last branch that has one takes what is left.

    >>> ends_of_shares([0.25, 0.5, 0.25, 0.0])
    [0.25, 0.75, 1.0, 1.0]
    """
    ends, end = [], 0.0
    last = max((branch for branch, share in enumerate(shares) if share > 0), default=-1)
    for branch, share in enumerate(shares):
        end = 1.0 if branch >= last else end + share
        ends.append(end)
    return ends


def units_of_branch(units: Longs, ends: Sequence[float], branch: int) -> Longs:
    """[row] the units that follow a branch, where every branch takes its share: one at least, if it has any.

    >>> ends = ends_of_shares([1 / 3, 1 / 3, 1 / 3])
    >>> [units_of_branch(np.array([10]), ends, branch).tolist() for branch in range(3)]
    [[3], [4], [3]]
    """
    low = ends[branch - 1] if branch else 0.0
    if not ends[branch] > low:
        return np.zeros_like(units)
    part: Longs = np.maximum(_up_to(units, ends[branch]) - _up_to(units, low), 1)
    return part


def _up_to(units: Longs, end: float) -> Longs:
    """Rounded to the nearest unit, halves up: as any database can."""
    rounded: Longs = np.floor(units * end + 0.5).astype(np.int64)
    return rounded
