"""The columns that a program asks for, in the order of the schema."""

from __future__ import annotations

from clearwood.export.exportable import Exportable, columns_needed_by
from clearwood.table.attributes import Attribute


def inputs_of(model: Exportable) -> tuple[Attribute, ...]:
    """The attributes that a model asks for."""
    used = columns_needed_by(model)
    return tuple(each for each in model.schema.inputs if each.name in used)
