"""An additive model as PMML's RegressionModel: each curve is a field with its points, added as they are."""

from __future__ import annotations

from clearwood.export.pmml.deciding import behind_link, taken_names
from clearwood.export.pmml.document import PmmlNames, free_name, input_names, mining_schema
from clearwood.export.pmml.expressions import PmmlExpressions, derived_field
from clearwood.export.pmml.regression import ScoreSum, linked_models, number_predictor
from clearwood.export.pmml.segments import chain_of_models
from clearwood.export.pmml.xml import XmlElement
from clearwood.export.program.formula import Constant, Lookup, Total
from clearwood.export.program.of_additive import program_of_additive
from clearwood.export.program.program import ModelProgram
from clearwood.models.additive_model import AdditiveModel
from clearwood.predict.of_additive import curves_in, name_of


def additive_model(model: AdditiveModel, program: ModelProgram, names: PmmlNames) -> XmlElement:
    """The model as a RegressionModel, and what decides by its shares, if anything does."""
    steps = program_of_additive(model).steps
    sums = [step for step in steps if step.name.startswith("score_")]
    expressions = PmmlExpressions(frozenset(taken_names(program, names)))
    for step in steps[: steps.index(sums[0])]:
        expressions.add(step)
    taken = {*expressions.taken, *expressions.names.values()}
    curves = [name_of(each) for each in curves_in(model)]
    scores = []
    for number, step in enumerate(sums):
        assert isinstance(step.value, Total)
        start, *looked_up = step.value.terms
        assert isinstance(start, Constant)
        of = f" for {model.schema.classes[number]}" if len(sums) > 1 else ""
        predictors = []
        for curve, points in zip(curves, looked_up, strict=True):
            assert isinstance(points, Lookup)
            name = free_name(f"points of {curve}{of}", taken)
            expressions.fields.append(derived_field(name, expressions.formula(points)))
            predictors.append(number_predictor(name, 1.0))
        scores.append(ScoreSum(start.value, predictors))
    schema = mining_schema(input_names(program), names.target)
    behind = behind_link(model.decision, program, taken)
    models = linked_models(
        scores, model.link, schema, program, names, behind=behind, fields=expressions.fields
    )
    return chain_of_models(models, program, names)
