"""An additive model as data: the points of its curves and tables, and as steps, their sum and the link."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas import expressions as f
from clearwood.models.account.account import Account, Places, added_steps, side_of
from clearwood.models.kinds.additive.additive_model import AdditiveModel, ShapePoints, curves_in, sides_of
from clearwood.models.model import kept
from clearwood.models.program.deciding import decided_by_shares, linked_steps
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.models.space.space_of import inputs_used


def program_of_additive(model: AdditiveModel) -> ModelProgram:
    """The program of an additive model."""
    steps, added = added_steps(account_of_additive(model))
    scores = [f"score_{c}" for c in range(1, len(added) + 1)]
    steps += [ProgramStep(name, f.Sum(terms)) for name, terms in zip(scores, added, strict=True)]
    link, answers = linked_steps(scores, model.link, model.decision)
    inputs, classes = inputs_used(model), model.schema.classes
    if model.is_numeric:
        return ModelProgram(inputs, (*steps, *link), answers[0])
    rest = decided_by_shares(answers, model.decision, classes)
    return ModelProgram(inputs, (*steps, *link, *rest.steps), rest.answer, classes, rest.shares)


# The account: what each column adds.


@kept
def account_of_additive(model: AdditiveModel) -> Account:
    """Of two classes the first has 0."""
    first = int(model.link == "logistic")

    def by_class(points: ShapePoints) -> Floats:
        return np.array([(0.0,) * len(points[0])] * first + list(points), dtype=np.float64).T

    terms = tuple(
        Places(tuple(side_of(model.schema, *side) for side in sides_of(term)), by_class(term.points))
        for term in curves_in(model)
    )
    return Account(
        by_class(tuple((each,) for each in model.base))[0],
        terms,
        tuple(range(first, first + len(model.base))),
    )
