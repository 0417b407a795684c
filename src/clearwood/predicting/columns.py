"""The cells a model asks for, as the native code takes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from clearwood.arrays import Ints
from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.models.kinds.tree.nodes import tested_by
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used, schema_of_rows
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.coding import recoded
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table


def table_for(model: Model, rows: Any, *, with_target: bool = False) -> Table:
    """The rows as a table: themselves if they are one, else the columns the model tests, coded as it does."""
    if isinstance(rows, Table):
        return rows
    from clearwood.table.encoding import encode

    schema = model.schema if with_target else schema_of_rows(model)
    return encode(rows, schema, only=columns_used(model), own_classes=True)


def table_of_row(model: Model, row: Mapping[str, Any]) -> Table:
    """One row as a table; a cell that it lacks is missing. A model that tests no column takes any row."""
    names = columns_used(model)
    columns: dict[str, Column] = {}
    for name in names:
        coded = _coded(model.schema, name, model.schema.cell(name, row.get(name)))
        if (
            coded is None
        ):  # a value never met, another spelling, text, infinity: reading a table knows of these
            return table_for(model, [{name: row.get(name) for name in names}])
        columns[name] = coded
    return Table(schema_of_rows(model), columns, rows=1, checked=True)


def _coded(schema: Schema, name: str, cell: object) -> Column | None:
    """One cell as a column, if it is spelled as the schema does; else None."""
    attribute = schema[name]
    if isinstance(attribute, Numeric) and (cell is None or isinstance(cell, float)):
        if cell is not None and math.isinf(cell):
            return None
        return np.array([np.nan if cell is None else cell + 0.0])  # −0.0 is 0.0, as in a table that is read
    if isinstance(attribute, Nominal | Ordinal) and (cell is None or isinstance(cell, str)):
        code = MISSING if cell is None else schema.codes(name).get(cell)
        return None if code is None else np.array([code], dtype=np.int32)
    return None


def cells_for(tree: Tree, table: Table) -> tuple[list[Column | None], Ints]:
    """The columns that a tree's branches and surrogates test."""
    return cells_at(tree.schema, tested_by(tree.nodes), table)


def cells_at(schema: Schema, positions: Iterable[int], table: Table) -> tuple[list[Column | None], Ints]:
    """By attribute: its column (None where it is not asked for) and its number of values (−1: numeric)."""
    cells: list[Column | None] = [None] * len(schema.attributes)
    for position in positions:
        cells[position] = column_for(schema.attributes[position], table)
    return cells, value_counts(schema)


def value_counts(schema: Schema) -> Ints:
    """[attribute] how many values it has; −1 of a numeric one."""
    values = [len(a.values) if isinstance(a, Nominal | Ordinal) else -1 for a in schema.attributes]
    return np.array(values, dtype=np.int32)


def column_for(attribute: Attribute, table: Table) -> Column:
    """The table's column for an attribute, coded as that attribute codes it."""
    name = attribute.name
    if name not in table.columns:
        raise ColumnError(
            f"The model needs a column the table lacks. {no_such('column', name, table.columns)}"
        )
    column, theirs = table.columns[name], table.schema[name]
    match attribute, theirs:
        case (Text(), Text()):
            return column
        case (Numeric(), Numeric()):
            return column if column.dtype in (np.float32, np.float64) else column.astype(np.float64)
        case (Nominal() | Ordinal(), Nominal() | Ordinal()):
            return recoded(column.astype(np.int32, copy=False), theirs.values, attribute.values)
        case _:
            raise SchemaError(
                f"The column '{name}' is {theirs.kind} here but {attribute.kind} in the model."
                " Read the table with schema=model.schema."
            )
