"""An additive model as steps: the place of each cell, its points, their sum, and the link."""

from __future__ import annotations

from clearwood.formulas import expressions as f
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
from clearwood.models.space.space_of import inputs_used
from clearwood.table.attributes import Nominal, Ordinal


def program_of_additive(model: AdditiveModel) -> ModelProgram:
    """The program of an additive model."""
    steps: list[ProgramStep] = []
    places: dict[TermSide, str] = {}
    added: list[list[f.Expression]] = [[f.Number(each)] for each in model.base]
    for number, term in enumerate(curves_in(model), 1):
        sides = sides_of(term)
        for side in sides:
            if side not in places:
                places[side] = f"place_{len(places) + 1}"
                steps.append(ProgramStep(places[side], _place(model, side), f"of {side[0]}", whole=True))
        at = places[sides[0]]
        if len(sides) == 2:
            across = float(cells_of_shape(model.schema, *sides[1]))
            cell = f.Sum((f.Earlier(at) * across, f.Earlier(places[sides[1]])))
            at = f"pair_{number}"
            steps.append(ProgramStep(at, cell, f"of {name_of(term)}", whole=True))
        for terms, points in zip(added, term.points, strict=True):
            terms.append(f.Lookup(points, at))
    scores = [f"score_{c}" for c in range(1, len(model.base) + 1)]
    steps += [ProgramStep(name, f.Sum(tuple(terms))) for name, terms in zip(scores, added, strict=True)]
    link, answers = linked_steps(scores, model.link, model.decision)
    inputs, classes = inputs_used(model), model.schema.classes
    if model.is_numeric:
        return ModelProgram(inputs, (*steps, *link), answers[0])
    rest = decided_by_shares(answers, model.decision, classes)
    return ModelProgram(inputs, (*steps, *link, *rest.steps), rest.answer, classes, rest.shares)


def _place(model: AdditiveModel, side: TermSide) -> f.Expression:
    """The cell of a curve: an interval or a value; then missing, then unseen."""
    name, cuts = side
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal):
        values = attribute.values
        return f.PlaceOfValue(name, values, missing=len(values), unseen=len(values) + 1)
    return f.PlaceOfNumber(name, cuts, missing=len(cuts) + 1)
