"""A table's rows in the space: how much of it each pair of rules shares, and what no rule takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.audit.space import Axis, Domains, Space
from clearwood.audit.witnesses import Groups
from clearwood.models.rule_list import RuleList
from clearwood.predict.columns import column_for
from clearwood.predict.satisfied import as_truths, satisfied, taken
from clearwood.table import encode
from clearwood.table.attributes import Numeric
from clearwood.table.table import MISSING, Table


@dataclass(frozen=True, slots=True, eq=False)
class RowWeights:
    """Row weights, by rules and by place."""

    all: float
    uncovered: float
    both: npt.NDArray[np.float64]  # [rule, rule] of the rows that satisfy both
    rows: Groups  # [kind of row, column] the rows no rule takes, each kind once
    weights: npt.NDArray[np.float64]  # [kind of row]

    def within(self, domains: Domains) -> float:
        """Of the rows that no rule takes, how much lies here?"""
        inside = np.ones(len(self.rows), dtype=np.bool_)
        for column, groups in enumerate(domains):
            held = np.array(
                [groups >> group & 1 for group in range(groups.bit_length())] or [0], dtype=np.bool_
            )
            cells = self.rows[:, column]
            inside &= held[np.minimum(cells, len(held) - 1)] & (cells < len(held))
        return float(self.weights[inside].sum())


def row_weights(rules: RuleList, space: Space, source: Any) -> RowWeights:
    """The rows of a table, or of what one can be made of, in the space of these rules."""
    table = source if isinstance(source, Table) else _coded(rules, space, source)
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    covered = satisfied(rules.schema, rules, table).covered()
    both = _native.count_shared(covered, len(table), weights)
    left = np.flatnonzero(as_truths(taken(covered, len(table))[1], len(table)))
    rows = np.empty((len(left), len(space.axes)), dtype=np.int32)
    for column, axis in enumerate(space.axes):
        rows[:, column] = _groups(axis, table)[left]
    own = np.ones(len(left)) if weights is None else weights[left]
    whole = float(len(table) if weights is None else weights.sum())
    if not len(space.axes):
        return RowWeights(whole, float(own.sum()), both, rows[:1], np.array([own.sum()])[: len(rows)])
    kinds, back = np.unique(rows, axis=0, return_inverse=True)
    summed = np.bincount(back.reshape(-1), own, minlength=len(kinds)).astype(np.float64)
    return RowWeights(whole, float(own.sum()), both, kinds, summed)


def _coded(rules: RuleList, space: Space, source: Any) -> Table:
    schema = replace(rules.schema, target=None)
    return encode(source, schema, only={axis.name for axis in space.axes})


def _groups(axis: Axis, table: Table) -> npt.NDArray[np.int32]:
    """[row] the group of the row's cell."""
    column = column_for(axis.attribute, table)
    group_of = np.array(axis.group_of, dtype=np.int32)
    if isinstance(axis.attribute, Numeric):
        numbers = column.astype(np.float64)
        cells = np.searchsorted(np.array(axis.limits), numbers, side="left")
        cells[np.isnan(numbers)] = len(axis.cells) - 1
        return group_of[cells]
    # A value never met has the last cell but one, an empty cell the last.
    cells = np.where(column >= 0, column, len(axis.cells) - np.where(column == MISSING, 1, 2))
    return group_of[cells]
