"""A linear model as PMML's RegressionModel, with its own intercepts and weights."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from clearwood.export.pmml.deciding import NOTHING_BEHIND, shares_behind, taken_names
from clearwood.export.pmml.document import PmmlNames, free_name, input_names, mining_schema
from clearwood.export.pmml.expressions import (
    apply,
    condition_expression,
    constant,
    derived_field,
    number_text,
)
from clearwood.export.pmml.regression import ScoreSum, linked_models, number_predictor
from clearwood.export.pmml.segments import chain_of_models
from clearwood.export.pmml.xml import XmlElement, element
from clearwood.export.program.of_linear import amounts_of_values
from clearwood.export.program.program import ModelProgram
from clearwood.models.conditions import IsMissing, OneOf
from clearwood.models.linear_model import LinearModel, MissingTerm, NumberTerm
from clearwood.table.attributes import Nominal, Numeric, Ordinal


def linear_model(model: LinearModel, program: ModelProgram, names: PmmlNames) -> XmlElement | None:
    """The model as a RegressionModel; None where a class has no log-odds, and so no table of its own."""
    classes = program.classes
    factors = model.decision.factors or (1.0,) * len(classes)
    if not set(classes) <= {*model.contrasts, model.against} or min(factors) <= 0:
        return None
    columns = _Predictors(model, taken_names(program, names))
    for attribute in program.inputs:
        if isinstance(attribute, Numeric):
            columns.add_number(attribute.name)
        else:
            assert isinstance(attribute, Nominal | Ordinal)
            columns.add_values(attribute)
    scores = []
    for label, factor in zip(classes, factors, strict=True):
        if label == model.against:
            scores.append(ScoreSum(math.log(factor)))
            continue
        place = model.contrasts.index(label)
        scores.append(ScoreSum(model.intercepts[place] + math.log(factor), columns.added[place]))
    is_plain = model.decision.is_plain and model.decision.by == "share"
    behind = NOTHING_BEHIND if is_plain else shares_behind("share", program, columns.taken)
    schema = mining_schema(input_names(program), names.target, fills=columns.fills)
    return chain_of_models(
        linked_models(scores, "softmax", schema, program, names, behind=behind, fields=columns.fields),
        program,
        names,
    )


@dataclass(slots=True)
class _Predictors:
    """Gathers, column by column, the predictors of each contrast, the fields they need, and what a missing
    number is taken for."""

    model: LinearModel
    taken: set[str]
    added: list[list[XmlElement]] = field(init=False)
    fields: list[XmlElement] = field(default_factory=list)
    fills: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.added = [[] for _ in self.model.contrasts]

    def add_number(self, name: str) -> None:
        """Its weight times its cell. Where an empty cell has a weight, a field fills it and another marks it;
        elsewhere the schema fills it."""
        model = self.model
        own, gap = NumberTerm(name), MissingTerm(name)
        asked, fill = name, float(model.fills[name])
        if gap in model.terms and own in model.terms:
            filled = apply("if", condition_expression(IsMissing(name)), constant(fill), _cell(name))
            asked = self._lay(f"{name}, filled", filled)
        elif own in model.terms:
            self.fills[name] = number_text(fill)
        if own in model.terms:
            place = model.terms.index(own)
            self._add(asked, [weights[place] for weights in model.weights])
        if gap in model.terms:
            place = model.terms.index(gap)
            self._add_mark(f"{name} is missing", _missing(name), [each[place] for each in model.weights])

    def add_values(self, attribute: Nominal | Ordinal) -> None:
        """A weight for each value. Of an empty cell, and of a value never met, PMML adds 0: fields mark them
        where they add something."""
        name, values = attribute.name, attribute.values
        amounts = amounts_of_values(self.model, attribute)
        for predictors, of_cells in zip(self.added, amounts, strict=True):
            predictors += [
                element("CategoricalPredictor", name=name, value=value, coefficient=number_text(amount))
                for value, amount in zip(values, of_cells, strict=False)
                if amount
            ]
        self._add_mark(f"{name} is missing", _missing(name), [each[-2] for each in amounts])
        known = condition_expression(OneOf(name, values, or_missing=True))
        self._add_mark(f"{name} is unseen", apply("not", known), [each[-1] for each in amounts])

    def _add_mark(self, name: str, test: XmlElement, coefficients: list[float]) -> None:
        if any(coefficients):
            self._add(self._lay(name, apply("if", test, constant(1.0), constant(0.0))), coefficients)

    def _add(self, name: str, coefficients: list[float]) -> None:
        for predictors, coefficient in zip(self.added, coefficients, strict=True):
            predictors.append(number_predictor(name, coefficient))

    def _lay(self, name: str, expression: XmlElement) -> str:
        free = free_name(name, self.taken)
        self.fields.append(derived_field(free, expression))
        return free


def _cell(name: str) -> XmlElement:
    return element("FieldRef", field=name)


def _missing(name: str) -> XmlElement:
    return condition_expression(IsMissing(name))
