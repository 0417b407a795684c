"""A table without some of its columns: they are ignored, and the schema says why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from clearwood.table.attributes import Ignored, Text
from clearwood.table.table import Table


def only_columns(table: Table, kept: Collection[str], because: str = "not selected") -> Table:
    """The table in which a learner sees these columns, and text, which no selector ranks."""
    attributes = tuple(
        each if each.name in kept or isinstance(each, Text | Ignored) else Ignored(each.name, because)
        for each in table.schema.attributes
    )
    schema = replace(table.schema, attributes=attributes)
    ignored = {each.name for each in attributes if isinstance(each, Ignored)}
    columns = {name: column for name, column in table.columns.items() if name not in ignored}
    return replace(table, schema=schema, columns=columns, rows=len(table), checked=True)
