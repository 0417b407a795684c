"""A linear model as steps: what each column adds to each log-odds, and shares from their sums."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import IsMissing
from clearwood.models.kinds.bayes.bayes_terms import log_of
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, Term, ValueTerm
from clearwood.models.program.deciding import decided_by_shares, place_of_largest
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.models.space.space_of import inputs_used
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal

_NEVER_MET: Final = 0  # a cell that is none of a column's values


def program_of_linear(model: LinearModel) -> ModelProgram:
    """The program of a linear model. Without costs the class of the largest score answers."""
    classes = model.schema.classes
    inputs = inputs_used(model)
    steps: list[ProgramStep] = []
    added: list[list[f.Expression]] = [[f.Number(each)] for each in model.intercepts]
    by_contrast = [dict(zip(model.terms, weights, strict=True)) for weights in model.weights]
    for number, attribute in enumerate(inputs, 1):
        if isinstance(attribute, Numeric):
            _number(model, attribute, by_contrast, added)
        else:
            steps.append(_values(model, attribute, number, added))
    scores = [f"score_{c}" for c in range(1, len(model.contrasts) + 1)]
    steps += [
        ProgramStep(name, f.Sum(tuple(terms)), f"log odds of {contrast}")
        for name, terms, contrast in zip(scores, added, model.contrasts, strict=True)
    ]
    by_class = dict(zip(model.contrasts, scores, strict=True))
    if model.against is not None:
        steps.append(ProgramStep("score_0", f.ZERO, f"of {model.against}, to which the others are compared"))
        by_class[model.against] = "score_0"
    highest = f.Earlier("highest")
    steps.append(ProgramStep("highest", f.Extreme("max", f.earlier(by_class.values()))))
    factors = model.decision.factors or (1.0,) * len(classes)
    raised = []
    for c, (name, factor) in enumerate(zip(classes, factors, strict=True), 1):
        power: f.Expression = f.ZERO
        if name in by_class:
            power = f.Exp(f.Earlier(by_class[name]) - highest)
            power = power if factor == 1 else factor * power
        raised.append(ProgramStep(f"raised_{c}", power, f"of {name}"))
    total = ProgramStep("raised", f.Sum(f.earlier(step.name for step in raised)))
    shares = [
        ProgramStep(f"share_{c}", f.Earlier(step.name) / f.Earlier("raised"), step.about)
        for c, step in enumerate(raised, 1)
    ]
    steps += [*raised, total, *shares]
    starts = log_of(np.array(factors)).tolist()
    own = [c for c, name in enumerate(classes) if name in by_class]
    for c in own:
        score = f.Earlier(by_class[classes[c]])
        steps.append(ProgramStep(f"own_{c + 1}", score + starts[c] if starts[c] else score))
    place = ProgramStep("largest", place_of_largest([f"own_{c + 1}" for c in own]), whole=True)
    rest = decided_by_shares(
        [step.name for step in shares],
        model.decision,
        classes,
        plainly=f.Lookup(tuple(map(float, own)), "largest"),
    )
    return ModelProgram(inputs, (*steps, place, *rest.steps), rest.answer, classes, rest.shares)


def _number(
    model: LinearModel,
    attribute: Numeric,
    by_contrast: Sequence[Mapping[Term, float]],
    added: list[list[f.Expression]],
) -> None:
    """Its weight times its cell; an empty one adds what `fills` and the weight of its absence say."""
    name = attribute.name
    own, gap = NumberTerm(name), MissingTerm(name)
    for terms, weights in zip(added, by_contrast, strict=True):
        missing = weights.get(own, 0.0) * float(model.fills[name]) + weights.get(gap, 0.0)
        known = weights[own] * f.CellNumber(name) if own in weights else f.ZERO
        terms.append(f.where(f.Holds(IsMissing(name)), f.Number(missing), known))


def _values(
    model: LinearModel, attribute: Attribute, number: int, added: list[list[f.Expression]]
) -> ProgramStep:
    """What each of its values adds, then a missing cell, then a value never met."""
    assert isinstance(attribute, Nominal | Ordinal)
    name, values = attribute.name, attribute.values
    at = f"value_{number}"
    for terms, amounts in zip(added, amounts_of_values(model, attribute), strict=True):
        terms.append(f.Lookup(amounts, at))
    place = f.PlaceOfValue(name, values, missing=len(values), unseen=len(values) + 1)
    return ProgramStep(at, place, f"the place of {name}", whole=True)


def amounts_of_values(model: LinearModel, attribute: Nominal | Ordinal) -> list[tuple[float, ...]]:
    """[contrast] what each value of a column adds, then an empty cell, then a value never met.

    An empty cell adds the weight of its own term. Without one, and like a value without a place, it adds the
    column's average or, of a model without averages, what the value does that fills the column.
    """
    name = attribute.name
    places = {term: place for place, term in enumerate(model.terms) if term.name == name}
    with_a_place = frozenset(values_with_a_place(model, attribute))
    has_gap = MissingTerm(name) in places or MissingTerm(name) in model.dependent
    averages = model.averages.get(name)
    amounts: list[list[float]] = [[] for _ in model.contrasts]
    for cell in (*attribute.values, None, _NEVER_MET):
        term: Term | None = ValueTerm(name, str(model.fills[name]))
        if cell is None and has_gap:
            term = MissingTerm(name)
        elif cell in with_a_place:
            term = ValueTerm(name, str(cell))
        elif averages is not None:
            term = None
        for c, weights in enumerate(model.weights):
            weight = weights[places[term]] if term in places else 0.0
            amounts[c].append(weight + (averages[c] if term is None and averages is not None else 0.0))
    return [tuple(each) for each in amounts]


def values_with_a_place(model: LinearModel, attribute: Nominal | Ordinal) -> list[str]:
    """The values that are the reference or have a term, in the schema's order."""
    name = attribute.name
    terms = (*model.terms, *model.dependent)
    own = {term.value for term in terms if isinstance(term, ValueTerm) and term.name == name}
    return [value for value in attribute.values if value in own or value == model.references.get(name)]
