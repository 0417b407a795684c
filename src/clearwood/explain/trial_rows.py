"""Trial rows: one row with some of its cells changed, in many ways at once, as a model predicts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats
from clearwood.explain.moves import Changed
from clearwood.models.model import Model
from clearwood.predict.batch import predict_codes, shares
from clearwood.predict.columns import table_of_row
from clearwood.table.attributes import Numeric
from clearwood.table.row import Cell, Row
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
