"""The cells a tree asks for, as the native walk takes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.models.nodes import Ints
from clearwood.models.tree import Tree
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, kind_of
from clearwood.table.recoding import recoded
from clearwood.table.table import Column, Table


def table_for(tree: Tree, rows: Any, *, with_target: bool = False) -> Table:
    """The rows as a table: themselves if they are one, else the columns the tree tests, coded as it does."""
    if isinstance(rows, Table):
        return rows
    from clearwood.table import encode

    schema = tree.schema if with_target else replace(tree.schema, target=None, weight=None)
    return encode(rows, schema, only=names_asked(tree))


def names_asked(tree: Tree) -> set[str]:
    """The columns that rows must have to be predicted."""
    return {tree.schema.attributes[position].name for position in _tested(tree)}


def cells_for(tree: Tree, table: Table) -> tuple[list[Column | None], Ints]:
    """By attribute: its column (None where no branch tests it) and its number of values (−1: numeric)."""
    cells: list[Column | None] = [None] * len(tree.schema.attributes)
    for position in _tested(tree):
        cells[position] = column_for(tree.schema.attributes[position], table)
    values = [len(a.values) if isinstance(a, Nominal | Ordinal) else -1 for a in tree.schema.attributes]
    return cells, np.array(values, dtype=np.int32)


def column_for(attribute: Attribute, table: Table) -> Column:
    """The table's column for an attribute, coded as that attribute codes it."""
    name = attribute.name
    if name not in table.columns:
        raise ColumnError(
            f"The tree needs a column the table lacks. {no_such('column', name, table.columns)}"
        )
    column, theirs = table.columns[name], table.schema[name]
    match attribute, theirs:
        case (Numeric(), Numeric()):
            return column if column.dtype in (np.float32, np.float64) else column.astype(np.float64)
        case (Nominal() | Ordinal(), Nominal() | Ordinal()):
            return recoded(column.astype(np.int32, copy=False), theirs.values, attribute.values)
        case _:
            raise SchemaError(
                f"The column '{name}' is {kind_of(theirs)} here but {kind_of(attribute)} in the tree."
                " Read the table with schema=tree.schema."
            )


def _tested(tree: Tree) -> list[int]:
    """The positions of the attributes that a branch or a surrogate tests."""
    # Not np.union1d, which loads NumPy's masked arrays: 20 ms of a small program.
    times = np.bincount(np.concatenate([tree.nodes.attribute[1:], tree.nodes.s_attribute]))
    positions: list[int] = times.nonzero()[0].tolist()
    return positions
