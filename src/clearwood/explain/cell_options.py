"""Cell options: what one cell of a row may become, many at once, and which of them stand for all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.explain.moves import Changed
from clearwood.explain.numbers_between import NumberOptions
from clearwood.explain.trial_rows import Coded
from clearwood.table.row import Cell


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
