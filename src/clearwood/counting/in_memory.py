"""Counting in memory: a table's codes in arrays, and the region of every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats, Longs
from clearwood.counting.coding import Code, Coding, codes_of, coding_of
from clearwood.counting.engine import (
    Cells,
    Frontier,
    branches_of,
    ends_of_shares,
    exponent_for,
    units_of_branch,
    whole_units,
)
from clearwood.counting.question import Question, branch_of_code, code_route
from clearwood.models.routing import sent
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table, empty_cells

_MANY: Final = 2_000  # rows; fewer are counted as quickly without native code
_FEW_CELLS: Final = 4096  # are laid out in any case
_WIDE: Final = 4  # times as many cells as rows; more are not laid out, but those that occur are sorted


@dataclass(frozen=True, slots=True, eq=False)
class RowsHere:
    """The rows of a frontier, region by region: where they are, and how much of each. A divided row is here
    several times."""

    row: Longs
    units: Longs
    region: Longs


@dataclass(frozen=True, slots=True, eq=False)
class InMemory:
    """A table in memory as a counting engine; `engine_in_memory` makes it."""

    schema: Schema
    coding: Coding
    numbers: Floats | None
    codes: tuple[Code, ...]  # [column][row]
    level: Longs  # [row]
    weights: Floats  # [row] 0 for a row that is absent
    units: Longs  # [row]
    exponent: int

    @property
    def levels(self) -> int:
        return len(self.schema.classes) if self.numbers is None else len(self.numbers)

    def scaled(self, factors: Floats) -> InMemory:
        weights = self.weights * factors[self.level]
        exponent = exponent_for(weights)
        return replace(self, weights=weights, units=whole_units(weights, exponent), exponent=exponent)

    def root(self) -> Frontier:
        rows = np.flatnonzero(self.units > 0)
        return Frontier(((),), RowsHere(rows, self.units[rows], np.zeros(len(rows), dtype=np.int64)))

    def only(self, frontier: Frontier, regions: Sequence[int]) -> Frontier:
        here = rows_here(frontier)
        ends = np.searchsorted(here.region, np.arange(len(frontier) + 1)).tolist()
        kept = [slice(ends[each], ends[each + 1]) for each in regions]
        return Frontier(
            tuple(frontier.regions[each] for each in regions),
            RowsHere(
                _joined([here.row[each] for each in kept]),
                _joined([here.units[each] for each in kept]),
                np.repeat(np.arange(len(kept)), [each.stop - each.start for each in kept]),
            ),
        )

    def totals(self, frontier: Frontier) -> Cells:
        here = rows_here(frontier)
        return self._cells(
            here, len(frontier), np.zeros(1, dtype=np.uint8), 1, self.level[here.row], self.levels
        )

    def values(self, frontier: Frontier, columns: Sequence[int]) -> list[Cells]:
        here = rows_here(frontier)
        levels = self.level[here.row]
        return [self._of_column(each, here, len(frontier), levels, self.levels) for each in columns]

    def paired(
        self, frontier: Frontier, questions: Mapping[int, Question], columns: Sequence[int]
    ) -> list[Cells]:
        here = rows_here(frontier)
        branch = np.zeros(len(here.row), dtype=np.int64)
        asks = np.zeros(len(here.row), dtype=np.bool_)
        for region, question in questions.items():
            own = slice(*np.searchsorted(here.region, [region, region + 1]).tolist())
            place = self.coding.positions.index(question.attribute)
            of_code = branch_of_code(self.coding.columns[place], question)
            branch[own] = of_code[self.codes[place][here.row[own]]]
            branch[own][branch[own] < 0] = len(question.branches)
            asks[own] = True
        if not asks.all():
            here = RowsHere(here.row[asks], here.units[asks], here.region[asks])
            branch = branch[asks]
        most = max((len(each.branches) for each in questions.values()), default=0) + 1
        return [self._of_column(each, here, len(frontier), branch, most) for each in columns]

    def divide(self, frontier: Frontier, questions: Mapping[int, Question]) -> Frontier:
        here = rows_here(frontier)
        rows, units = [], []
        for region, question in sorted(questions.items()):
            own = slice(*np.searchsorted(here.region, [region, region + 1]).tolist())
            for row, part in self.followers(question, here.row[own], here.units[own]):
                rows.append(row)
                units.append(part)
        region_of = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
        cursor = RowsHere(_joined(rows), _joined(units), region_of)
        return Frontier(branches_of(frontier, questions), cursor)

    def followers(self, question: Question, rows: Longs, units: Longs) -> list[tuple[Longs, Longs]]:
        """By branch: which rows follow it, and how much of each."""

        def taken(test: tuple[int, Bools]) -> Bools:
            place, by_code = test
            return by_code[self.codes[place][rows]]

        gone = sent(code_route(self.coding, question), taken, len(rows))
        ends = ends_of_shares(question.shares) if question.otherwise < 0 else []
        followers = []
        for branch in range(len(question.branches)):
            part = np.where(gone.branch == branch, units, 0)
            if ends:
                part = np.where(gone.branch < 0, units_of_branch(units, ends, branch), part)
            here = part > 0
            followers.append((rows[here], part[here]))
        return followers

    def _of_column(self, column: int, here: RowsHere, regions: int, level: Longs, levels: int) -> Cells:
        known = self.coding.columns[column].known
        return self._cells(here, regions, self.codes[column][here.row], known + 1, level, levels)

    def _cells(
        self, here: RowsHere, regions: int, code: Code, codes: int, level: Longs, levels: int
    ) -> Cells:
        size = regions * codes * levels
        if size > max(_WIDE * len(here.row), _FEW_CELLS):
            place = (here.region * codes + code) * levels + level
            met, inverse = np.unique(place, return_inverse=True)
            sums = np.bincount(inverse, weights=here.units, minlength=len(met)).astype(np.int64)
        else:
            if len(here.row) >= _MANY and len(code) == len(here.row) and code.dtype != np.int64:
                counted = _native.region_counts(
                    [code],
                    [codes - 1],
                    here.region.astype(np.int32),
                    regions,
                    level.astype(np.int32),
                    levels,
                    here.units,
                )
                dense = counted[0].ravel()
            else:
                place = (here.region * codes + code) * levels + level
                # A float holds every sum of units.
                dense = np.bincount(place, weights=here.units, minlength=size).astype(np.int64)
            met = np.flatnonzero(dense)
            sums = dense[met]
        rest, level_of = np.divmod(met, levels)
        region_of, code_of = np.divmod(rest, codes)
        return Cells(region_of, code_of, level_of, sums, self.exponent)


def engine_in_memory(table: Table) -> InMemory:
    """A table as a counting engine. Rows without weight or target are absent; each number has its own code.

    >>> from clearwood.table.attributes import Nominal
    >>> schema = Schema((Nominal("Wind", ("Weak", "Strong")),), Nominal("Play", ("No", "Yes")))
    >>> columns = {"Wind": np.array([0, 0, 1], np.int32), "Play": np.array([1, 1, 0], np.int32)}
    >>> engine = engine_in_memory(Table(schema, columns))
    >>> engine.values(engine.root(), [0])[0].table(2, 2).tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    schema, target = table.schema, table.target
    weights = np.ones(len(table)) if table.weights is None else table.weights.astype(np.float64)
    numeric = isinstance(schema.target, Numeric)
    known = ~empty_cells(target)
    weights = np.where(known, weights, 0.0)
    numbers = None
    if numeric:
        numbers = np.unique(target[weights > 0].astype(np.float64) + 0.0)  # no −0
        level = np.minimum(np.searchsorted(numbers, np.where(known, target, 0.0)), max(len(numbers) - 1, 0))
    else:
        level = np.where(known, target, 0)
    present = replace(table, weights=weights, weights_are="counts", checked=True)
    coding = coding_of(present, None)
    exponent = exponent_for(weights)
    units = whole_units(weights, exponent)
    codes = codes_of(present, coding).columns
    return InMemory(schema, coding, numbers, codes, level.astype(np.int64), weights, units, exponent)


def rows_here(frontier: Frontier) -> RowsHere:
    """The rows of a frontier in memory."""
    assert isinstance(frontier.cursor, RowsHere)
    return frontier.cursor


def _joined(parts: Sequence[Longs]) -> Longs:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
