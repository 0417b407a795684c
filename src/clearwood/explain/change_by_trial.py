"""The smallest change where evidence adds up, or shares are adjusted: cells are changed and predicted.

One cell first. Values and intervals are all tried, and the written numbers of a number without thresholds. Of
more than 5,000 some are: steps away from where it is grow by two in a hundred, and between the last that does
not do and the first that does, halving finds the nearest. Then pairs of cells, where such a number is
tried at some places and then brought back as near as it goes. Then the cell that helps most, one after
another. *Proven* the smallest are one cell, unless a number may have been passed over, and pairs without such
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.explain.constraints import Constraints
from clearwood.explain.moves import Changed, CheapestChange, Moves, moves_of
from clearwood.explain.number_line import NumberLine
from clearwood.explain.spans import spans_of
from clearwood.explain.thresholds import thresholds_of
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.predict.batch import predict_codes, shares
from clearwood.predict.columns import columns_used, table_of_row
from clearwood.table.attributes import Numeric, Text
from clearwood.table.row import Cell, Row
from clearwood.table.table import Table

Change: TypeAlias = tuple[Changed, ...]

_MOST_PAIRS: Final = 2_000_000  # rows predicted for pairs; beyond that cells are changed one after another


def change_by_trial(
    model: Model, row: Row, constraints: Constraints, targets: frozenset[str], to: str | None
) -> CheapestChange:
    """The smallest change found that makes the answer one of the wanted classes."""
    trial = _Trial(model, row, constraints, targets)
    if not trial.lines:
        return CheapestChange(None)
    alone = [change for line in trial.lines if (change := trial.nearest(line, ())) is not None]
    if alone:
        return CheapestChange((min(alone, key=lambda each: each.cost),), proven=trial.is_sure(to))
    pair = trial.pair()
    if pair is not None:
        return CheapestChange(pair, proven=not trial.on_a_line)
    return CheapestChange(
        trial.one_after_another(model.schema.classes if to is None else (to,)), proven=False
    )


class _Trial:
    """The columns that may change, each as its `Moves` or as a line of numbers."""

    def __init__(self, model: Model, row: Row, constraints: Constraints, targets: frozenset[str]) -> None:
        self.model, self.row, self.constraints, self.targets = model, row, constraints, targets
        self.codes = [model.schema.classes.index(name) for name in targets]
        self._one = table_of_row(model, row)
        spans, thresholds = spans_of(model), thresholds_of(model)
        self.lines: list[Moves | NumberLine] = []
        for attribute in model.schema.inputs:
            name = attribute.name
            if name not in columns_used(model) or name in constraints.fixed or isinstance(attribute, Text):
                continue
            if name in thresholds or not isinstance(attribute, Numeric):
                self.lines.append(moves_of(attribute, row[name], thresholds.get(name, ()), constraints))
            elif name in spans:
                self.lines.append(NumberLine(name, row[name], spans[name], model, constraints))
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

    def nearest(self, line: Moves | NumberLine, others: Change) -> Changed | None:
        """The cheapest change of one column that does, the others being changed already."""
        if isinstance(line, Moves):
            options = range(1, len(line.cells))
            does = self._does(line.name, [line.cells[option] for option in options], others)
            return next((line.changed(o) for o, right in zip(options, does, strict=True) if right), None)
        changes = [self._along(line, steps, others) for steps in line.ways()]
        return min((each for each in changes if each), key=lambda each: (each.cost, each.after), default=None)

    def _along(self, line: NumberLine, steps: list[int], others: Change) -> Changed | None:
        does = self._does(line.name, [line.at(step) for step in steps], others)
        if True not in does:
            return None
        first = does.index(True)
        good, bad = steps[first], steps[first - 1] if first else 0
        while abs(good - bad) > 1:
            middle = (good + bad) // 2
            if self._does(line.name, [line.at(middle)], others)[0]:
                good = middle
            else:
                bad = middle
        return line.changed(good)

    def pair(self) -> Change | None:
        """The cheapest two cells that do together."""
        tried = [(line, line.some()) for line in self.lines]
        rows = sum(len(a) * len(b) for (_, a), (_, b) in combinations(tried, 2))
        if rows > _MOST_PAIRS:
            return None
        best: Change | None = None
        for (one, ones), (two, twos) in combinations(tried, 2):
            if not ones or not twos:
                continue
            pairs = [(a, b) for a in ones for b in twos]
            does = self._answered(
                {one.name: [a.after for a, _ in pairs], two.name: [b.after for _, b in pairs]}, len(pairs)
            )
            for pair in (each for each, right in zip(pairs, does, strict=True) if right):
                if best is None or _cost(pair) < _cost(best):
                    best = pair
        return None if best is None else self._brought_back(best)

    def one_after_another(self, classes: Sequence[str]) -> Change | None:
        """For each wanted class the cells that bring it most, until it is the answer; the fewest of these."""
        changes = [
            each for name in classes if name in self.targets and (each := self._towards(name)) is not None
        ]
        return min(changes, key=lambda each: (len(each), _cost(each)), default=None)

    def _towards(self, target: str) -> Change | None:
        left = list(self.lines)
        change: Change = ()
        while left:
            tried = [(line, each) for line in left for each in line.some()]
            if not tried:
                return None
            leads = self._leads([(*change, each) for _, each in tried], target)
            best = int(np.argmax(leads))
            line, each = tried[best]
            left.remove(line)
            change = (*change, each)
            if self._answered(_as_columns(change), 1)[0]:
                return self._brought_back(change)
        return None

    def _leads(self, changes: list[Change], target: str) -> Floats:
        """[change] how far the wanted class's share is ahead of the best other, as logs."""
        names = {each.name for change in changes for each in change}
        cells = [{each.name: each.after for each in change} for change in changes]
        columns = {name: [of.get(name, self.row[name]) for of in cells] for name in names}
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(shares(self.model, self._table(columns, len(changes))))
        place = self.model.schema.classes.index(target)
        others = np.delete(logs, place, axis=1).max(axis=1, initial=-np.inf)
        lead: Floats = np.nan_to_num(logs[:, place] - others, nan=-np.inf)
        return lead

    def _brought_back(self, change: Change) -> Change:
        """The same cells, each number as near to where it was as the others allow; needless ones left out."""
        lines = {line.name: line for line in self.lines}
        kept = list(change)
        for each in change:
            others = tuple(other for other in kept if other is not each)
            if self._answered(_as_columns(others), 1)[0]:
                kept.remove(each)
                continue
            line = lines[each.name]
            nearer = self.nearest(line, others) if isinstance(line, NumberLine) else None
            if nearer is not None and nearer.cost < each.cost:
                kept[kept.index(each)] = nearer
        places = self.model.schema.positions
        return tuple(sorted(kept, key=lambda each: places[each.name]))

    def _does(self, name: str, cells: Sequence[Cell], others: Change) -> list[bool]:
        """[cell] is the answer wanted with this cell in the column, and the others changed?"""
        columns: dict[str, Sequence[Cell]] = {each.name: [each.after] * len(cells) for each in others}
        return self._answered({**columns, name: cells}, len(cells))

    def _answered(self, columns: Mapping[str, Sequence[Cell]], rows: int) -> list[bool]:
        if not rows:
            return []
        codes = predict_codes(self.model, self._table(columns, rows))
        reached: list[bool] = np.isin(codes, self.codes).tolist()
        return reached

    def _table(self, changed: Mapping[str, Sequence[Cell]], rows: int) -> Table:
        """The row so many times, with these columns instead of its own."""
        schema = self._one.schema
        columns = {name: np.repeat(column, rows) for name, column in self._one.columns.items()}
        for name, cells in changed.items():
            codes = schema.codes(name)
            columns[name] = (
                np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
                if isinstance(schema[name], Numeric)
                else np.array([-1 if cell is None else codes.get(str(cell), -2) for cell in cells], np.int32)
            )
        return replace(self._one, columns=columns, checked=True)


def _as_columns(change: Change) -> dict[str, list[Cell]]:
    """Of one row."""
    return {each.name: [each.after] for each in change}


def _cost(change: Iterable[Changed]) -> float:
    return sum(each.cost for each in change)
