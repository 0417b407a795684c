"""The rows that satisfy conditions, column by column, and the rows that each rule of a list answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.models.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf
from clearwood.models.rule_list import Rule
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import MISSING, Column, Table

Places: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]


def rows_where(
    when: Sequence[Condition], table: Table, among: Places | None = None, *, if_missing: bool = False
) -> Places:
    """The rows, of those in `among`, that satisfy every condition; with `if_missing` an empty cell does too.

    >>> from clearwood.table.attributes import Numeric
    >>> from clearwood.table.schema import Schema
    >>> table = Table(Schema((Numeric("x"),)), {"x": np.array([1.0, 5, np.nan])})
    >>> [rows_where([Above("x", 2.0)], table, if_missing=each).tolist() for each in (False, True)]
    [[1], [1, 2]]
    """
    rows = np.arange(len(table)) if among is None else among
    for condition in when:
        cells = table.columns[condition.name][rows]
        held = _held(condition, cells, table)
        if if_missing or getattr(condition, "or_missing", False):
            held |= _is_missing(cells)
        rows = rows[held]
    return rows


def first_counts(rules: Sequence[Rule], table: Table) -> list[tuple[float, ...]]:
    """By rule, the weight by class of the rows that it takes and no earlier one does."""
    left = np.arange(len(table))
    free = np.ones(len(table), dtype=np.bool_)
    counts = []
    for rule in rules:
        taken = rows_where(rule.when, table, left)
        counts.append(class_weights(table, taken))
        free[taken] = False
        left = left[free[left]]
    return counts


def class_weights(table: Table, rows: Places | None = None) -> tuple[float, ...]:
    """The weight of these rows, or of all, by class."""
    places = slice(None) if rows is None else rows
    weights = None if table.weights is None else table.weights[places]
    counts = np.bincount(table.target[places], weights, minlength=len(table.schema.classes))
    return tuple(map(float, counts.tolist()))


def _held(condition: Condition, cells: Column, table: Table) -> Truths:
    match condition:
        case Equals(name, value):
            return _codes_in(table, name, (value,), cells)
        case OneOf(name, values, _):
            return _codes_in(table, name, values, cells)
        case AtMost(_, limit, _):
            return np.asarray(cells.astype(np.float64) <= limit)
        case Above(_, limit, _):
            return np.asarray(cells.astype(np.float64) > limit)
        case Between(_, above, at_most, _):
            numbers = cells.astype(np.float64)
            return np.asarray((above < numbers) & (numbers <= at_most))
        case IsMissing():
            return _is_missing(cells)


def _codes_in(table: Table, name: str, values: tuple[str, ...], cells: Column) -> Truths:
    attribute = table.schema[name]
    assert isinstance(attribute, Nominal | Ordinal)
    codes = [attribute.values.index(value) for value in values]
    return np.asarray(cells == codes[0]) if len(codes) == 1 else np.isin(cells, codes)


def _is_missing(cells: npt.NDArray[Any]) -> Truths:
    return np.asarray(np.isnan(cells) if cells.dtype.kind == "f" else cells == MISSING)
