"""The smallest change where evidence adds up, or shares are adjusted: cells are changed and predicted.

One cell first. Values and intervals are all tried, and the written numbers of a number without thresholds. Of
more than 5,000 some are: steps away from where it is grow by two in a hundred, and between the last that does
not do and the first that does, halving finds the nearest. Then pairs of cells, where such a number is
tried at some places and then brought back as near as it goes. Then the cell that helps most, one after
another. *Proven* the smallest are one cell, unless a number may have been passed over, and pairs without such
numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.explaining.moves import Changed, CheapestChange, SearchTime, moves_of
from clearwood.explaining.number_line import NumberLine
from clearwood.explaining.numbers_between import numbers_between
from clearwood.explaining.one_row import Constraints
from clearwood.explaining.trial_rows import (
    CellOptions,
    Change,
    TrialRows,
    answered_with,
    cheapest_pair,
    of_changes,
    of_numbers,
)
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used, space_of
from clearwood.table.attributes import Numeric, Text
from clearwood.table.raw import Cell, Row
from clearwood.table.table import Table


def change_by_trial(
    model: Model,
    row: Row,
    constraints: Constraints,
    targets: frozenset[str],
    to: str | None,
    time: SearchTime,
) -> CheapestChange:
    """The smallest change that makes the answer one of the wanted classes, of those that were tried."""
    trial = _Trial(model, row, constraints, targets, time)
    if not trial.lines:
        return CheapestChange(None)
    alone = trial.alone()
    if alone:
        proven = trial.is_sure(to) and not trial.stopped
        return CheapestChange((min(alone, key=lambda each: each.cost),), proven, trial.stopped)
    pair = trial.pair()
    if pair is not None:
        return CheapestChange(pair, proven=not trial.on_a_line)
    change = trial.one_after_another(model.schema.classes if to is None else (to,))
    return CheapestChange(change, proven=False, stopped=trial.stopped)


class _Trial:
    """The columns that may change, each as its options or as a line of numbers; `stopped` where the time was
    over before all was tried."""

    def __init__(
        self, model: Model, row: Row, constraints: Constraints, targets: frozenset[str], time: SearchTime
    ) -> None:
        self.model, self.targets, self.time = model, targets, time
        self.rows = TrialRows(model, row, targets)
        self.stopped = False
        spans, between, used = space_of(model).spans(), numbers_between(model), columns_used(model)
        self.lines: list[CellOptions | NumberLine] = []
        for attribute in model.schema.inputs:
            name = attribute.name
            if name not in used or name in constraints.fixed or isinstance(attribute, Text):
                continue
            cell = row[name]
            if not isinstance(attribute, Numeric):
                changes = moves_of(attribute, cell, None, constraints).some()
                self.lines.append(self._with(name, changes))
            elif name in between:
                assert not isinstance(cell, str)
                self.lines.append(of_numbers(name, cell, between[name].options(name, cell, constraints)))
            elif name in spans:
                self.lines.append(NumberLine(name, cell, spans[name], model, constraints))
        self.on_a_line = any(isinstance(each, NumberLine) for each in self.lines)

    def is_sure(self, to: str | None) -> bool:
        """Can no number that does lie between two that were tried?

        Along a number with weights the rows of one class are a stretch, which ends but once.
        """
        once = (
            isinstance(self.model, LinearModel)
            and self.model.decision.is_plain
            and not self.model.decision.costs
            and to is None
        )
        two = (
            isinstance(self.model, LinearModel)
            and len(self.model.schema.classes) == 2
            and not self.model.decision.adjusts
        )
        return once or two or all(not isinstance(line, NumberLine) or line.is_whole for line in self.lines)

    def alone(self) -> list[Changed]:
        """For each column the cheapest change that does by itself."""
        if self._is_over():
            return []
        met = self._alone_of_options()
        for line in self.lines:
            if self._is_over():
                break
            if isinstance(line, NumberLine) and (change := self._nearest(line, ())) is not None:
                met.append(change)
        places = self.model.schema.positions
        return sorted(met, key=lambda each: places[each.name])

    def _alone_of_options(self) -> list[Changed]:
        """Those of the columns with options, all of which are predicted together."""
        options = [line for line in self.lines if isinstance(line, CellOptions)]
        if not options:
            return []
        tried = [self._standing_of(each, None) for each in options]
        owner = np.repeat(np.arange(len(options)), [len(each) for each in tried])
        chosen = np.concatenate(tried)
        does = np.flatnonzero(answered_with(options, self.rows, owner[:, None], chosen[:, None]))
        which, first = np.unique(owner[does], return_index=True)
        return [
            options[column].changed(int(chosen[does[place]]))
            for column, place in zip(which.tolist(), first.tolist(), strict=True)
        ]

    def pair(self) -> Change | None:
        """The cheapest two cells that do together."""
        if self._is_over():
            return None

        search = cheapest_pair(self._options, self.rows, self._standing, self.time)
        self.stopped |= search.stopped
        return None if search.pair is None else self._brought_back(search.pair)

    def one_after_another(self, classes: Sequence[str]) -> Change | None:
        """For each wanted class the cells that bring it most, until it is the answer; the fewest of these."""
        changes = [
            each for name in classes if name in self.targets and (each := self._towards(name)) is not None
        ]
        return min(changes, key=lambda change: (len(change), sum(each.cost for each in change)), default=None)

    def _towards(self, target: str) -> Change | None:
        left = list(range(len(self.lines)))
        change: Change = ()
        cuts = self._cuts_alone
        while left and not self._is_over():
            tried = [
                (place, self._options[place].changed(option))
                for place in left
                for option in self._standing(place, None, cuts).tolist()
            ]
            if not tried:
                return None
            leads = self.rows.leads([(*change, each) for _, each in tried], target)
            place, each = tried[int(np.argmax(leads))]
            left.remove(place)
            change = (*change, each)
            if self.rows.answers(change):
                return self._brought_back(change)
            cuts = _cuts_of(self.model, self.rows.with_change(change), 1)
        return None

    def _brought_back(self, change: Change) -> Change:
        """The same cells, each number as near to where it was as the others allow; needless ones left out."""
        lines = {line.name: line for line in self.lines}
        kept = list(change)
        for each in change:
            others = tuple(other for other in kept if other is not each)
            if self.rows.answers(others):
                kept.remove(each)
                continue
            line = lines[each.name]
            nearer = self._nearest(line, others) if isinstance(line, NumberLine) else None
            if nearer is not None and nearer.cost < each.cost:
                kept[kept.index(each)] = nearer
        places = self.model.schema.positions
        return tuple(sorted(kept, key=lambda each: places[each.name]))

    def _nearest(self, line: NumberLine, others: Change) -> Changed | None:
        """The cheapest number of a line that does, the others being changed already."""
        changes = [self._along(line, steps, others) for steps in line.ways()]
        return min((each for each in changes if each), key=lambda each: (each.cost, each.after), default=None)

    def _along(self, line: NumberLine, steps: list[int], others: Change) -> Changed | None:
        does = np.flatnonzero(self._does(line.name, [line.at(step) for step in steps], others))
        if not len(does):
            return None
        first = int(does[0])
        good, bad = steps[first], steps[first - 1] if first else 0
        while abs(good - bad) > 1:
            middle = (good + bad) // 2
            if self._does(line.name, [line.at(middle)], others)[0]:
                good = middle
            else:
                bad = middle
        return line.changed(good)

    def _does(self, name: str, cells: Sequence[Cell], others: Change) -> Sequence[bool]:
        """[cell] is the answer wanted with this cell in the column, and the others changed?"""
        rows = self.rows
        columns = {each.name: np.repeat(rows.coded(each.name, [each.after]), len(cells)) for each in others}
        does: list[bool] = rows.answered({**columns, name: rows.coded(name, cells)}, len(cells)).tolist()
        return does

    @cached_property
    def _options(self) -> list[CellOptions]:
        """[line] all that it may become; of a line of numbers a few places."""
        return [
            line if isinstance(line, CellOptions) else self._with(line.name, line.some())
            for line in self.lines
        ]

    def _with(self, name: str, changed: Sequence[Changed]) -> CellOptions:
        cells = self.rows.coded(name, [each.after for each in changed])
        return of_changes(name, self.rows.row[name], changed, cells)

    def _standing(self, place: int, other: int | None, cuts: CutsInReach | None = None) -> Longs:
        """The options of a column that stand for all, where it changes alone or together with another."""
        beside = None if other is None else self.lines[other].name
        return self._standing_of(self._options[place], beside, cuts)

    def _standing_of(self, options: CellOptions, other: str | None, cuts: CutsInReach | None = None) -> Longs:
        if not options.ascending:
            return options.standing(None)
        if cuts is None:
            cuts = self._cuts_alone if other is None else self._cuts_of_pairs
        if cuts is None:
            return options.standing(None)
        positions = self.model.schema.positions
        return options.standing(cuts.of(positions[options.name], None if other is None else positions[other]))

    @cached_property
    def _cuts_alone(self) -> CutsInReach | None:
        return _cuts_of(self.model, self.rows.one, 1)

    @cached_property
    def _cuts_of_pairs(self) -> CutsInReach | None:
        return _cuts_of(self.model, self.rows.one, 2)

    def _is_over(self) -> bool:
        self.stopped = self.stopped or self.time.is_over
        return self.stopped


def _cuts_of(model: Model, row: Table, cells_changed: Literal[1, 2]) -> CutsInReach | None:
    """None of a model that is not made of trees alone: all its thresholds count."""
    if isinstance(model, Tree):
        return cuts_in_reach(model.nodes, np.zeros(1, dtype=np.int64), row, cells_changed=cells_changed)
    if isinstance(model, Ensemble) and model.trees is not None:
        return cuts_in_reach(model.trees.nodes, model.trees.start[:-1], row, cells_changed=cells_changed)
    return None


# Cuts in reach: the thresholds of trees that still count when a row changes in one cell, or in two.
#
# A forest has thousands of thresholds for a column; with all other cells as they are a row comes to few of
# them. Numbers between the same thresholds in reach lead every tree to the same leaves, so that one of them
# stands for all.
#
# Down each tree go all nodes that the row could come to, each with the columns that would have to change
# for it; those that need more than may change are left. Where the row's own cell decides nothing (it is
# missing, or was never met) every branch is taken to be in reach: a threshold too many costs time, one too
# few would be wrong.


_NONE: Final = -1  # no column


@dataclass(frozen=True, slots=True)
class CutsInReach:
    """By column and the columns (sorted, at most two) that change before it is asked: its thresholds."""

    by_changed: Mapping[tuple[int, tuple[int, ...]], Floats]

    def of(self, column: int, other: int | None = None) -> Floats:
        """The thresholds of a column that count if it alone changes, or together with another; in no order,
        and some of them twice."""
        subsets: list[tuple[int, ...]] = [(), (column,)]
        if other is not None:
            subsets += [(other,), (min(column, other), max(column, other))]
        met = [self.by_changed[column, each] for each in subsets if (column, each) in self.by_changed]
        return np.concatenate(met) if met else np.empty(0)


def cuts_in_reach(nodes: Nodes, roots: Longs, row: Table, *, cells_changed: Literal[1, 2]) -> CutsInReach:
    """Those of the trees that begin at these roots, for a table of one row that changes in so many cells."""
    cells = _cells(row)
    is_numeric = np.array([isinstance(each, Numeric) for each in row.schema.attributes])
    met: list[Floats] = []  # [·, 4] column, the two that changed, threshold
    at = roots.astype(np.int64)
    changed = np.full((len(at), 2), _NONE, dtype=np.int64)
    while len(at):
        splits = nodes.end[at] > at + 1
        at, changed = at[splits], changed[splits]
        met += _surrogate_cuts(nodes, at, changed)
        child, above = _children(nodes, at)
        column = nodes.attribute[child].astype(np.int64)
        before = changed[above]
        numeric = is_numeric[column]
        for limit in (nodes.low, nodes.high):
            met.append(np.column_stack((column, before, limit[child]))[numeric])
        takes = _takes(nodes, child, column, numeric, cells)
        decides = np.zeros(len(at), dtype=np.bool_)
        decides[above[takes]] = True
        at, changed = _in_reach(child, column, before, decides[above] & ~takes, cells_changed)
    return CutsInReach(_grouped(met, cells_changed))


def _in_reach(child: Longs, column: Longs, before: Longs, turned: Bools, most: int) -> tuple[Longs, Longs]:
    """The nodes for which so many columns at most have to change, and these, smallest first."""
    first, second = before[:, 0].copy(), before[:, 1].copy()
    another = turned & (column != first) & (column != second)
    alone = another & (first == _NONE)
    too_many = another & ((second if most == 2 else first) != _NONE)
    join = another & ~alone & ~too_many
    second[join] = np.maximum(first[join], column[join])
    first[join] = np.minimum(first[join], column[join])
    first[alone] = column[alone]
    return child[~too_many], np.column_stack((first, second))[~too_many]


def _cells(row: Table) -> Floats:
    """[attribute] the row's numbers and codes."""
    return np.array(
        [row.columns[each.name][0] if each.name in row.columns else np.nan for each in row.schema.attributes],
        dtype=np.float64,
    )


def _takes(nodes: Nodes, at: Longs, column: Longs, numeric: Bools, cells: Floats) -> Bools:
    """[node] does the branch into it take the row?"""
    own = cells[column]
    missing = np.where(numeric, np.isnan(own), own == -1)
    with np.errstate(invalid="ignore"):
        between = (nodes.low[at] < own) & (own <= nodes.high[at])
    start = nodes.set_start[at].astype(np.int64)
    sizes = nodes.set_start[at + 1].astype(np.int64) - start
    owner = np.repeat(np.arange(len(at)), sizes)
    places = np.arange(len(owner)) + np.repeat(start - np.cumsum(sizes) + sizes, sizes)
    held = np.zeros(len(at), dtype=np.bool_)
    held[owner[nodes.set_codes[places] == own[owner]]] = True
    taken: Bools = np.where(numeric, between, held) | (missing & nodes.or_missing[at])
    return taken


def _children(nodes: Nodes, at: Longs) -> tuple[Longs, Longs]:
    """All children of these splits, and of which each is."""
    found, above = [], []
    child, own = at + 1, np.arange(len(at))
    while len(child):
        found.append(child)
        above.append(own)
        child = nodes.end[child].astype(np.int64)
        more = child < nodes.end[at[own]]
        child, own = child[more], own[more]
    empty = np.empty(0, dtype=np.int64)
    return np.concatenate([empty, *found]), np.concatenate([empty, *above])


def _surrogate_cuts(nodes: Nodes, at: Longs, changed: Longs) -> list[Floats]:
    if not len(nodes.s_attribute):
        return []
    counts = (nodes.s_start[at + 1] - nodes.s_start[at]).astype(np.int64)
    each = np.repeat(np.arange(len(at)), counts)
    places = np.repeat(nodes.s_start[at], counts) + np.arange(len(each)) - np.repeat(
        np.cumsum(counts) - counts, counts
    )  # fmt: skip
    return [np.column_stack((nodes.s_attribute[places], changed[each], nodes.s_limit[places]))]


def _grouped(met: list[Floats], most: int) -> dict[tuple[int, tuple[int, ...]], Floats]:
    cuts = np.concatenate([np.empty((0, 4)), *met])
    column, first, second = cuts[:, 0], cuts[:, 1], cuts[:, 2]
    needs_more = ((second if most == 2 else first) != _NONE) & (column != first) & (column != second)
    cuts = cuts[np.isfinite(cuts[:, 3]) & ~needs_more]
    # Thresholds of one key lie side by side.
    cuts = cuts[np.lexsort(cuts.T[::-1])]
    begins = np.flatnonzero((np.diff(cuts[:, :3], axis=0) != 0).any(axis=1)) + 1
    grouped = {}
    for part in np.split(cuts, begins) if len(cuts) else []:
        of, *changed = (int(each) for each in part[0, :3])
        grouped[of, tuple(each for each in changed if each != _NONE)] = np.unique(part[:, 3])
    return grouped
