"""The columns that a model uses, and the schema of rows that have just these."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from clearwood.models.kept import kept
from clearwood.models.model import Model
from clearwood.models.space.space_of import space_of
from clearwood.table.attributes import Attribute
from clearwood.table.schema import Schema


def columns_used(model: Model) -> set[str]:
    """The columns that rows must have to be predicted."""
    return set(_columns_used(model))


@kept
def _columns_used(model: Model) -> Collection[str]:
    return space_of(model).columns()


@kept
def schema_of_rows(model: Model) -> Schema:
    """The model's schema without the target and the weight, as rows have it that are to be predicted."""
    return replace(model.schema, target=None, weight=None)


def inputs_used(model: Model) -> tuple[Attribute, ...]:
    """The attributes of these columns, in the order of the schema."""
    used = columns_used(model)
    return tuple(each for each in model.schema.inputs if each.name in used)
