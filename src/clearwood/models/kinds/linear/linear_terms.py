"""What each term of a linear model is in a row, by the cell of its column."""

from __future__ import annotations

import math
from typing import assert_never

from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, Term, ValueTerm
from clearwood.table.attributes import Nominal, Numeric, Ordinal


def term_value(model: LinearModel, term: Term, cell: str | float | None) -> float:
    """What a term is in a row with this cell in its column."""
    name = term.name
    empty = _is_empty(cell)
    match term:
        case NumberTerm():
            return float(model.fills[name] if empty or cell is None else cell)
        case MissingTerm():
            return float(empty)
        case ValueTerm(_, value):
            if empty and (MissingTerm(name) in model.terms or MissingTerm(name) in model.dependent):
                return 0.0
            if is_averaged(model, name, cell):
                return 0.0
            known = cell is not None and not empty and _has_a_place(model, ValueTerm(name, str(cell)))
            return float(value == (cell if known else model.fills[name]))
        case _:
            assert_never(term)


def is_averaged(model: LinearModel, name: str, cell: str | float | None) -> bool:
    """Does the column add its average over the training rows, because the model has no weight for its cell?

    So does an empty cell without a term of its own, and a value without a place. A number's empty cell is
    taken for the mean in `fills`, which adds the same.
    """
    if name not in model.averages or isinstance(model.schema[name], Numeric):
        return False
    if _is_empty(cell):
        return MissingTerm(name) not in model.terms and MissingTerm(name) not in model.dependent
    return not _has_a_place(model, ValueTerm(name, str(cell)))


def values_with_a_place(model: LinearModel, attribute: Nominal | Ordinal) -> list[str]:
    """The values that are the reference or have a term, in the schema's order."""
    return [value for value in attribute.values if _has_a_place(model, ValueTerm(attribute.name, value))]


def _is_empty(cell: str | float | None) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def _has_a_place(model: LinearModel, own: ValueTerm) -> bool:
    """Is the value the reference, or has it a term? Others add the column's average; without averages they
    are taken for what fills the column."""
    return model.references.get(own.name) == own.value or own in model.terms or own in model.dependent
