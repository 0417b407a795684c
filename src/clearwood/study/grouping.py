"""RowGroups of rows that stay together: all rows of a customer, a patient, a document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Floats, Longs
from clearwood.errors import SchemaError
from clearwood.study.designs import Design
from clearwood.table.attributes import AttributeKind, Ignored, Numeric
from clearwood.table.folding import shuffled
from clearwood.table.table import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """[row] the number of its group, from 0; a row without one is a group by itself."""

    of: Longs
    count: int


def column_to_divide_by(table: Table, name: str, kind: AttributeKind = "nominal") -> Column:
    """The cells of a column that rows are divided by; refused where the table has none."""
    attribute = table.schema[name]
    if attribute is table.schema.target:
        raise SchemaError(
            f"'{name}' is what is predicted: rows cannot be divided by it. Name another column."
        )
    if isinstance(attribute, Ignored) or name not in table.columns:
        raise SchemaError(
            f"Column '{name}' was left out when the table was read, so rows cannot be divided by it. "
            "Keep it: ",
            Advice("kinds", {name: kind}),
            ".",
        )
    return table.columns[name]


def groups_in(table: Table, column: str) -> RowGroups:
    """The rows by the values of a column.

    >>> import clearwood as cw
    >>> rows = {"who": ["a", "b", "a", None, None], "y": [1, 2, 3, 4, 5]}
    >>> groups_in(cw.read_table(rows, target="y"), "who").of.tolist()
    [0, 1, 0, 2, 3]
    """
    cells = column_to_divide_by(table, column)
    if cells.dtype == np.object_:
        missing = np.array([cell is None for cell in cells], dtype=np.bool_)
    elif isinstance(table.schema[column], Numeric):
        missing = np.isnan(cells)
    else:
        missing = cells < 0
    of = np.empty(len(cells), dtype=np.int64)
    known = cells[~missing].astype(str) if cells.dtype == np.object_ else cells[~missing]
    values, codes = np.unique(known, return_inverse=True)
    of[~missing] = codes
    of[missing] = len(values) + np.arange(int(missing.sum()))
    return RowGroups(of, len(values) + int(missing.sum()))


def units_of(design: Design, table: Table) -> Longs | None:
    """[row] which rows a design keeps together; None where each row is by itself."""
    group: str | None = getattr(design, "group", None)
    return None if group is None else groups_in(table, group).of


def dealt_groups(
    table: Table, groups: RowGroups, capacities: Floats, seed: int, *, stratified: bool
) -> Longs:
    """[row] the part that its group is dealt to; `capacities` are the parts' shares of the rows.

    Large groups are dealt first, each to the part that then has its classes, and its rows, most evenly: the
    squares of what each part holds beyond its capacity are kept least. Equal groups come in the order that
    the seed draws.
    """
    strata = _strata(table, stratified)
    counts = np.zeros((groups.count, int(strata.max(initial=0)) + 2))
    np.add.at(counts, (groups.of, strata), 1.0)
    counts[:, -1] = counts[:, :-1].sum(axis=1)  # evenly by rows as well
    total = counts.sum(axis=0)
    parts = counts / np.where(total > 0, total, 1.0)
    by_chance = shuffled(groups.count, seed)
    order = by_chance[np.argsort(-counts[by_chance, -1], kind="stable")]
    held = np.zeros((len(capacities), parts.shape[1]))
    place = np.empty(groups.count, dtype=np.int64)
    rows_held = np.zeros(len(capacities))
    for left, group in zip(range(groups.count, 0, -1), order.tolist(), strict=True):
        mine = parts[group]
        more = ((2 * held + mine) @ mine) / capacities
        empty = np.flatnonzero(rows_held == 0)
        # The last groups go where there is none yet.
        chosen = int(empty[np.argmin(more[empty])]) if len(empty) >= left else int(np.argmin(more))
        place[group] = chosen
        held[chosen] += mine
        rows_held[chosen] += 1
    return place[groups.of]


def _strata(table: Table, stratified: bool) -> Longs:
    """[row] what is to be dealt evenly: its class, its fifth by size of a number; 0 for all otherwise."""
    target = table.schema.target
    if not stratified or target is None:
        return np.zeros(len(table), dtype=np.int64)
    cells = table.target
    if isinstance(target, Numeric):
        numbers = np.asarray(cells, dtype=np.float64)
        cuts = np.nanquantile(numbers, (0.2, 0.4, 0.6, 0.8)) if not np.isnan(numbers).all() else np.zeros(0)
        return np.where(np.isnan(numbers), len(cuts) + 1, np.searchsorted(cuts, numbers)).astype(np.int64)
    return np.where(cells >= 0, cells, len(target.values)).astype(np.int64)
