"""A table of the selected columns: the others are set aside, and the schema says why."""

from __future__ import annotations

from collections.abc import Collection

from clearwood.table.aside import set_aside
from clearwood.table.attributes import Text
from clearwood.table.table import Table


def only_columns(table: Table, kept: Collection[str]) -> Table:
    """The table in which a learner sees these columns, and text, which no selector ranks."""
    gone = [each.name for each in table.schema.inputs if each.name not in kept and not isinstance(each, Text)]
    return set_aside(table, gone, "it was not selected")
