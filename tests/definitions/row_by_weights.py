"""One row by a linear model: the definition that native scores, and the compiled program, must equal."""

from __future__ import annotations

import math
from typing import assert_never

from clearwood.models.decision import cheapest_of_one
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, Term, ValueTerm
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Row


def shares_by_weights(model: LinearModel, row: Row) -> dict[str, float]:
    """The share of each class: exp(intercept + Σ weight · term) × the decision's factor, over their sum.

    >>> from clearwood.table.schema import Nominal, Numeric, Schema
    >>> schema = Schema((Numeric("hours"),), Nominal("exam", ("failed", "passed")))
    >>> model = LinearModel(
    ...     schema, ("passed",), "failed", (NumberTerm("hours"),), (-4.0,), ((2.0,),), fills={"hours": 2.0}
    ... )
    >>> shares_by_weights(model, {"hours": None})
    {'failed': 0.5, 'passed': 0.5}
    """
    values = {term: term_value(model, term, row.get(term.name)) for term in model.terms}
    scores = {} if model.against is None else {model.against: 0.0}
    for contrast, intercept, weights in zip(model.contrasts, model.intercepts, model.weights, strict=True):
        added = zip(model.terms, weights, strict=True)
        scores[contrast] = intercept + sum(weight * values[term] for term, weight in added)
    for name in model.averages:
        if is_averaged(model, name, row.get(name)):
            for contrast, average in zip(model.contrasts, model.averages[name], strict=True):
                scores[contrast] += average
    high = max(scores.values())
    classes = model.schema.classes
    factors = dict(zip(classes, model.decision.factors or (1.0,) * len(classes), strict=True))
    raised = {
        name: factors[name] * math.exp(scores[name] - high) if name in scores else 0.0 for name in classes
    }
    total = sum(raised.values())
    return {name: each / total for name, each in raised.items()}


def answer_by_weights(model: LinearModel, row: Row) -> str:
    """The class of least expected cost; the first of equals."""
    shares = shares_by_weights(model, row)
    return model.schema.classes[cheapest_of_one(tuple(shares.values()), model.decision)]


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


def _is_empty(cell: str | float | None) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def _has_a_place(model: LinearModel, own: ValueTerm) -> bool:
    """Is the value the reference, or has it a term? Others add the column's average; without averages they
    are taken for what fills the column."""
    return model.references.get(own.name) == own.value or own in model.terms or own in model.dependent
