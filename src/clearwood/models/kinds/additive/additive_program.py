"""An additive model as steps: the place of each cell, its points, their sum, and the link."""

from __future__ import annotations

from clearwood.formulas.expressions import (
    Earlier,
    Expression,
    Lookup,
    Number,
    PlaceOfNumber,
    PlaceOfValue,
    Product,
    Sum,
)
from clearwood.models.columns_used import inputs_used
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    TermSide,
    cells_of_shape,
    curves_in,
    name_of,
    sides_of,
)
from clearwood.models.program.deciding import decided_by_shares, linked_steps
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.table.attributes import Nominal, Ordinal


def program_of_additive(model: AdditiveModel) -> ModelProgram:
    """The program of an additive model."""
    steps: list[ProgramStep] = []
    places: dict[TermSide, str] = {}
    added: list[list[Expression]] = [[Number(each)] for each in model.base]
    for number, term in enumerate(curves_in(model), 1):
        sides = sides_of(term)
        for side in sides:
            if side not in places:
                places[side] = f"place_{len(places) + 1}"
                steps.append(ProgramStep(places[side], _place(model, side), f"of {side[0]}", whole=True))
        at = places[sides[0]]
        if len(sides) == 2:
            at = f"pair_{number}"
            across = Number(float(cells_of_shape(model.schema, *sides[1])))
            cell = Sum((Product((Earlier(places[sides[0]]), across)), Earlier(places[sides[1]])))
            steps.append(ProgramStep(at, cell, f"of {name_of(term)}", whole=True))
        for score, points in enumerate(term.points):
            added[score].append(Lookup(points, at))
    scores = [f"score_{c}" for c in range(1, len(model.base) + 1)]
    steps += [ProgramStep(name, Sum(tuple(terms))) for name, terms in zip(scores, added, strict=True)]
    link, answers = linked_steps(scores, model.link, model.decision)
    steps += link
    if model.is_numeric:
        return ModelProgram(inputs_used(model), tuple(steps), answers[0])
    rest = decided_by_shares(answers, model.decision, model.schema.classes)
    return ModelProgram(
        inputs_used(model), (*steps, *rest.steps), rest.answer, model.schema.classes, rest.shares
    )


def _place(model: AdditiveModel, side: TermSide) -> Expression:
    """The cell of a curve: an interval or a value; then missing, then unseen."""
    name, cuts = side
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal):
        values = attribute.values
        return PlaceOfValue(name, values, missing=len(values), unseen=len(values) + 1)
    return PlaceOfNumber(name, cuts, missing=len(cuts) + 1)
