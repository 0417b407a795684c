"""Trial rows: one row with some of its cells changed, in many ways at once, as a model predicts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Longs
from clearwood.explaining.moves import Changed, SearchTime
from clearwood.explaining.numbers_between import NumberOptions
from clearwood.models.model import Model
from clearwood.predicting.batch import predict_codes, shares
from clearwood.predicting.columns import table_of_row
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Cell, Row
from clearwood.table.table import Table

Change: TypeAlias = tuple[Changed, ...]
Coded: TypeAlias = npt.NDArray[Any]  # cells as a table has them: numbers, or codes of values


class TrialRows:
    """The row, and the classes that it is to reach."""

    def __init__(self, model: Model, row: Row, targets: frozenset[str]) -> None:
        self.model, self.row = model, row
        self.one = table_of_row(model, row)
        self._targets = [model.schema.classes.index(name) for name in targets]

    def coded(self, name: str, cells: Sequence[Cell]) -> Coded:
        """Cells of a column as a table has them."""
        schema = self.one.schema
        if isinstance(schema[name], Numeric):
            return np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
        codes = schema.codes(name)
        return np.array([-1 if cell is None else codes.get(str(cell), -2) for cell in cells], np.int32)

    def answered(self, changed: Mapping[str, Coded], rows: int) -> Bools:
        """[row] does it get one of the classes, with these columns instead of the row's own?"""
        if not rows:
            return np.zeros(0, dtype=np.bool_)
        return np.isin(predict_codes(self.model, self._table(changed, rows)), self._targets)

    def answers(self, change: Change) -> bool:
        """Does the row get one of the classes with these cells changed?"""
        return bool(self.answered(self._columns([change]), 1)[0])

    def leads(self, changes: Sequence[Change], target: str) -> Floats:
        """[change] how far a class's share is ahead of the best other, as logs."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(shares(self.model, self._table(self._columns(changes), len(changes))))
        place = self.model.schema.classes.index(target)
        others = np.delete(logs, place, axis=1).max(axis=1, initial=-np.inf)
        lead: Floats = np.nan_to_num(logs[:, place] - others, nan=-np.inf)
        return lead

    def with_change(self, change: Change) -> Table:
        """The row with these cells changed, as a table of one."""
        return self._table(self._columns([change]), 1)

    def repeated(self, name: str, rows: int) -> Coded:
        """The row's own cell so many times."""
        return np.repeat(self.one.columns[name], rows)

    def _columns(self, changes: Sequence[Change]) -> dict[str, Coded]:
        cells = [{each.name: each.after for each in change} for change in changes]
        names = {name for own in cells for name in own}
        return {name: self.coded(name, [own.get(name, self.row[name]) for own in cells]) for name in names}

    def _table(self, changed: Mapping[str, Coded], rows: int) -> Table:
        columns = {name: self.repeated(name, rows) for name in self.one.columns}
        return replace(self.one, columns={**columns, **changed}, checked=True)


# Cell options: what one cell of a row may become, many at once, and which of them stand for all others.


@dataclass(frozen=True, slots=True, eq=False)
class CellOptions:
    """One column's: numbers between thresholds ascend, and others come as they are tried."""

    name: str
    before: Cell
    after: Sequence[Cell] | Floats  # [option]
    cells: Coded  # [option] the same as a table has them
    costs: Floats  # [option]
    ascending: bool

    def changed(self, option: int) -> Changed:
        """What it is to take an option."""
        after = self.after[option]
        return Changed(
            self.name,
            self.before,
            float(after) if isinstance(after, float) else after,
            float(self.costs[option]),
        )

    def standing(self, cuts: Floats | None) -> Longs:
        """The options that are tried, the cheapest first: of numbers between the same cuts the cheapest, of
        equals the smallest. Where there are no `cuts` all of them."""
        if not self.ascending:
            return np.arange(len(self.cells))
        if cuts is None:
            return np.argsort(self.costs, kind="stable")
        if not len(self.cells):
            return np.arange(0)
        is_first = np.zeros(len(self.cells) + 1, dtype=np.bool_)
        is_first[0] = True
        is_first[np.searchsorted(self.cells, cuts, side="right")] = True
        begins = np.flatnonzero(is_first[:-1])
        least = np.minimum.reduceat(self.costs, begins)
        lengths = np.diff(np.append(begins, len(self.cells)))
        cheapest = np.flatnonzero(self.costs == np.repeat(least, lengths))
        first = cheapest[np.searchsorted(cheapest, begins, side="left")]
        return first[np.lexsort((first, self.costs[first]))]


def of_numbers(name: str, before: Cell, options: NumberOptions) -> CellOptions:
    """The options of a number between thresholds."""
    return CellOptions(name, before, options.numbers, options.numbers, options.costs, ascending=True)


def of_changes(name: str, before: Cell, changed: Sequence[Changed], cells: Coded) -> CellOptions:
    """These changes of a cell, in their order; `cells` are what they lead to."""
    costs = np.array([each.cost for each in changed], dtype=np.float64)
    return CellOptions(name, before, [each.after for each in changed], cells, costs, ascending=False)


# Pairs by cost: two cells that change together, all of them in the order of what they cost.
#
# The rows of pairs of all columns are predicted together, some thousands at a time, so that the search can
# end with the first that does and look at the clock between. A number stands for all others between the
# same thresholds in reach (`change_by_trial.py`): the cheapest of them, which comes first.


_MOST: Final = 2_000_000  # pairs; where there are more, cells are changed one after another
_FIRST_BLOCK: Final = 1024  # rows predicted together: cheap changes do most often
_BLOCK: Final = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """[pair] Two columns, by their places among the options, an option of each, and the cost of both."""

    columns: Longs  # [pair, 2]
    options: Longs  # [pair, 2]
    cost: Floats


@dataclass(frozen=True, slots=True)
class PairSearch:
    """The cheapest pair that does; None: none does, or there were too many (`complete` is False) or the time
    was over (`stopped`)."""

    pair: Change | None
    complete: bool = True
    stopped: bool = False


def cheapest_pair(
    options: Sequence[CellOptions],
    rows: TrialRows,
    standing: Callable[[int, int], Longs],
    search_time: SearchTime,
) -> PairSearch:
    """The cheapest two cells that do together, of equals those that come first; `standing` are the options
    [·] of one column that stand for all, beside changes of another."""
    pairs = _all_pairs(options, standing)
    if pairs is None:
        return PairSearch(None, complete=False)
    order = np.argsort(pairs.cost, kind="stable")
    start, size = 0, _FIRST_BLOCK
    while start < len(order):
        if search_time.is_over:
            return PairSearch(None, complete=False, stopped=True)
        block = order[start : start + size]
        does = np.flatnonzero(answered_with(options, rows, pairs.columns[block], pairs.options[block]))
        if len(does):
            best = block[does[0]]
            both = zip(pairs.columns[best].tolist(), pairs.options[best].tolist(), strict=True)
            return PairSearch(tuple(options[column].changed(option) for column, option in both))
        start, size = start + size, _BLOCK
    return PairSearch(None)


def _all_pairs(options: Sequence[CellOptions], standing: Callable[[int, int], Longs]) -> _Pairs | None:
    """In the order of the columns and their options; None where there are too many."""
    columns, chosen, costs = [], [], []
    total = 0
    for one, two in combinations(range(len(options)), 2):
        ones, twos = standing(one, two), standing(two, one)
        total += len(ones) * len(twos)
        if total > _MOST:
            return None
        grid = np.empty((len(ones), len(twos), 2), dtype=np.int64)
        grid[:, :, 0], grid[:, :, 1] = ones[:, None], twos
        chosen.append(grid.reshape(-1, 2))
        columns.append((one, two))
        costs.append((options[one].costs[ones][:, None] + options[two].costs[twos]).ravel())
    none = np.empty((0, 2), dtype=np.int64)
    both = np.array(columns, dtype=np.int64).reshape(-1, 2)
    return _Pairs(
        np.repeat(both, [len(each) for each in chosen], axis=0),
        np.concatenate([none, *chosen]),
        np.concatenate([np.empty(0), *costs]),
    )


def answered_with(options: Sequence[CellOptions], rows: TrialRows, columns: Longs, chosen: Longs) -> Bools:
    """[row] does it get one of the classes, with these columns [row, ·] at these options of theirs?"""
    changed = {}
    for place, each in enumerate(options):
        cells = rows.repeated(each.name, len(columns))
        for side in range(columns.shape[1]):
            own = np.flatnonzero(columns[:, side] == place)
            cells[own] = each.cells[chosen[own, side]]
        changed[each.name] = cells
    return rows.answered(changed, len(columns))
