"""Counted: how much of each class there is at each value of a column, with empty cells as one more value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.draw.charts.sheet import in_sentence
from clearwood.errors import SchemaError, SettingError
from clearwood.table.attributes import Nominal, Numeric, Ordinal, kind_of
from clearwood.table.table import Column, Table

NO_CLASS: Final = ""  # the one class of a table without classes


@dataclass(frozen=True, slots=True, eq=False)
class CountsByValue:
    """Row weights [value, class] by value and class."""

    labels: tuple[str, ...]
    classes: tuple[str, ...]
    weights: Floats
    by: str


@dataclass(frozen=True, slots=True, eq=False)
class ColumnAndClasses:
    """A column's cells beside the class of each row, without the rows that have no weight or no class."""

    cells: Column
    classes: tuple[str, ...]
    codes: Longs
    weights: Floats
    by: str  # " by" whose classes they are, for a heading

    def take(self, rows: Bools) -> ColumnAndClasses:
        """Those of these rows."""
        return replace(self, cells=self.cells[rows], codes=self.codes[rows], weights=self.weights[rows])


def cells_of(table: Table, name: str) -> ColumnAndClasses:
    """The column and the classes; all rows are of one where the target is a number or there is none."""
    cells = table.columns[table.schema[name].name]
    weights = np.ones(len(table)) if table.weights is None else table.weights
    target, classes = table.schema.target, table.schema.classes
    if target is not None and classes and name != target.name:
        codes, by = table.target.astype(np.int64), f" by {in_sentence(target.name)}"
    else:
        classes, codes, by = (NO_CLASS,), np.zeros(len(table), dtype=np.int64), ""
    kept = (codes >= 0) & (weights > 0)
    if not kept.any():
        raise SchemaError(f"There are no rows of '{name}' to draw: none has a weight and a class.")
    return ColumnAndClasses(cells[kept], classes, codes[kept], weights[kept], by)


def counts_by_value(table: Table, name: str, most: int, least: float = 0.0) -> CountsByValue:
    """A nominal or ordinal column's values that occur, in their order, the rarest together as others.

    Those are all beyond `most`, and those of less than this part of the rows, if there are several.
    """
    attribute = table.schema[name]
    if not isinstance(attribute, Nominal | Ordinal):
        hint = " charts.distribution draws it." if isinstance(attribute, Numeric) else ""
        raise SettingError(
            f"Only a nominal or ordinal column has values to count; '{name}' is {kind_of(attribute)}.{hint}"
        )
    column = cells_of(table, name)
    values, classes = len(attribute.values), len(column.classes)
    place = np.where(column.cells >= 0, column.cells, values).astype(np.int64)
    weights = np.bincount(
        place * classes + column.codes, column.weights, minlength=(values + 1) * classes
    ).reshape(values + 1, classes)
    known, missing = weights[:-1], weights[-1:]
    occur = np.flatnonzero(known.sum(axis=1) > 0)
    sums = known[occur].sum(axis=1)
    ranked = occur[np.argsort(-sums, kind="stable")]
    frequent = int((sums >= least * weights.sum()).sum())
    many = frequent if frequent < len(ranked) - 1 else len(ranked)
    shown = np.sort(ranked[: many if many <= most else most - 1])
    rest = np.setdiff1d(ranked, shown)
    rows, labels = [known[shown]], [attribute.values[code] for code in shown]
    if len(rest):
        rows.append(known[rest].sum(axis=0, keepdims=True))
        labels.append(f"({len(rest)} other values)")
    if missing.sum() > 0:
        rows.append(missing)
        labels.append("(missing)")
    return CountsByValue(tuple(labels), column.classes, np.concatenate(rows), column.by)
