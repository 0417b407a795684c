"""Columns set aside: still known to the schema, but no learner sees them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from clearwood.errors import SchemaError
from clearwood.table.attributes import Ignored
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table


def set_aside(table: Table, names: Collection[str], because: str) -> Table:
    """The table in which these columns are ignored, with the reason; the target cannot be.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> set_aside(days, ["Wind"], "it is protected").schema["Wind"]
    Ignored(name='Wind', because='it is protected')
    """
    schema = table.schema
    for name in names:
        if schema.target is not None and name == schema.target.name:
            raise SchemaError(f"'{name}' is what is predicted: it cannot be set aside. Name another column.")
        schema[name]  # a name that there is none of is refused
    gone = set(names)
    if not any(name in table.columns for name in gone):
        return table
    attributes = tuple(
        Ignored(each.name, because) if each.name in gone and not isinstance(each, Ignored) else each
        for each in schema.attributes
    )
    if isinstance(table.columns, SparseColumns):
        raise SchemaError("Columns of a sparse table cannot be set aside. Leave them out when it is made.")
    columns = {name: column for name, column in table.columns.items() if name not in gone}
    return replace(
        table,
        schema=replace(schema, attributes=attributes),
        columns=columns,
        rows=len(table),
        checked=True,
    )
