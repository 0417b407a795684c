"""A table's rows in the space: how much of it each pair of rules shares, and what no rule takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.audit.axes import Domains, groups_of_rows, rows_inside
from clearwood.audit.space import Space
from clearwood.audit.witnesses import Groups
from clearwood.models.rule_list import RuleList
from clearwood.predict.satisfied import as_truths, satisfied, taken
from clearwood.table import encode
from clearwood.table.table import Table


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
        return float(self.weights[rows_inside(self.rows, domains)].sum())


def row_weights(rules: RuleList, space: Space, source: Any) -> RowWeights:
    """The rows of a table, or of what one can be made of, in the space of these rules."""
    table = source if isinstance(source, Table) else _coded(rules, space, source)
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    covered = satisfied(rules.schema, rules, table).covered()
    both = _native.count_shared(covered, len(table), weights)
    left = np.flatnonzero(as_truths(taken(covered, len(table))[1], len(table)))
    rows = np.empty((len(left), len(space.axes)), dtype=np.int32)
    for column, axis in enumerate(space.axes):
        rows[:, column] = groups_of_rows(axis, table)[left]
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
