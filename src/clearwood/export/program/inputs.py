"""The columns that a program asks for, in the order of the schema."""

from __future__ import annotations

from clearwood.models.model import Model
from clearwood.predict.columns import columns_used
from clearwood.table.attributes import Attribute


def inputs_of(model: Model) -> tuple[Attribute, ...]:
    """The attributes that a model asks for."""
    used = columns_used(model)
    return tuple(each for each in model.schema.inputs if each.name in used)
