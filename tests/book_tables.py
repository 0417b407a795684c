"""The shipped tables as textbooks print them: values and classes in the order of the book's rows."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import Any

from clearwood.datasets import TARGETS, path
from clearwood.table import read_table
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import Table


def book_table(name: str, target: str | None = None, **options: Any) -> Table:
    """A shipped table whose values are declared as the book lists them, and so its branches and rules."""
    with path(name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def listed(attribute: Attribute) -> Attribute:
        values = dict.fromkeys(row[attribute.name] for row in rows)
        return replace(attribute, values=tuple(values)) if isinstance(attribute, Nominal) else attribute

    schema = read_table(path(name), target=target or TARGETS[name], **options).schema
    goal = schema.target and listed(schema.target)
    assert isinstance(goal, Nominal | Ordinal | Numeric)
    return read_table(
        path(name), schema=replace(schema, attributes=tuple(map(listed, schema.attributes)), target=goal)
    )
