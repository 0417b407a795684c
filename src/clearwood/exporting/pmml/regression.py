"""PMML's RegressionModel: scores that are added up, and the link that makes shares or a number of them.

Softmax is taken for two classes also: it keeps the digits of the smaller share, which logit's 1 − p loses.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, assert_never

from clearwood.exporting.pmml.document import (
    PmmlNames,
    XmlElement,
    element,
    free_name,
    function_name,
    input_names,
    mining_schema,
    probabilities,
)
from clearwood.exporting.pmml.expressions import (
    PmmlExpressions,
    apply,
    condition_expression,
    constant,
    derived_field,
    number_text,
)
from clearwood.exporting.pmml.predicates import ALWAYS
from clearwood.exporting.pmml.trees import reason_output
from clearwood.formulas.conditions import IsMissing, OneOf
from clearwood.formulas.expressions import Lookup, Number, Sum
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel, curves_in, name_of
from clearwood.models.kinds.additive.additive_program import program_of_additive
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm
from clearwood.models.kinds.linear.linear_program import amounts_of_values
from clearwood.models.program.program import ModelProgram, needed_steps
from clearwood.table.attributes import Nominal, Numeric, Ordinal

# What stands between the shares of a native model and the answer: nothing, or a model of derived fields that
# decides by them.


@dataclass(frozen=True, slots=True)
class SharesBehind:
    """What stands between a native model's shares and the answer.

    `steps` are those of the program that the shares are, class by class; none where the class of the largest
    share answers, and nothing is behind. `fields` are what the shares are called there.
    """

    steps: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


def shares_behind(stem: str, program: ModelProgram, taken: set[str]) -> SharesBehind:
    """Shares that are steps called `stem`_1, …, in fields with names of their own."""
    steps = tuple(f"{stem}_{c}" for c in range(1, len(program.classes) + 1))
    return SharesBehind(steps, tuple(free_name(f"probability of {each}", taken) for each in program.classes))


def taken_names(program: ModelProgram, names: PmmlNames) -> set[str]:
    """The names that no other field may have."""
    return {*names.taken, *input_names(program)}


NOTHING_BEHIND: Final = SharesBehind()


def share_outputs(behind: SharesBehind, program: ModelProgram, names: PmmlNames) -> list[XmlElement]:
    """The outputs of a native model: the shares themselves, or what is decided by."""
    if behind.steps:
        return probabilities(behind.fields, program.classes, final=False)
    return probabilities(names.shares, program.classes)


def deciding_models(behind: SharesBehind, program: ModelProgram, names: PmmlNames) -> list[XmlElement]:
    """The model behind a native one, if there is something to decide."""
    if not behind.steps:
        return []
    return [derived_model(program, names, dict(zip(behind.steps, behind.fields, strict=True)))]


def behind_link(decision: Decision, program: ModelProgram, taken: set[str]) -> SharesBehind:
    """What stands behind the shares of a link; of a number nothing."""
    is_plain = decision.is_plain and decision.by == "share" and not decision.factors
    return NOTHING_BEHIND if is_plain or not program.classes else shares_behind("linked", program, taken)


@dataclass(frozen=True, slots=True)
class ScoreSum:
    """A score: where it begins, and the predictors that are added."""

    intercept: float = 0.0
    predictors: Sequence[XmlElement] = ()


def linked_models(
    scores: Sequence[ScoreSum],
    link: Link,
    schema: XmlElement,
    program: ModelProgram,
    names: PmmlNames,
    *,
    behind: SharesBehind = NOTHING_BEHIND,
    fields: Iterable[XmlElement] = (),
) -> list[XmlElement]:
    """A RegressionModel over derived `fields`, and what decides by its shares, if anything does."""
    match link:
        case "identity":
            return [_regression(schema, [], fields, [_table(scores[0])], "regression", None)]
        case "exp":
            return [_regression(schema, [], fields, [_table(scores[0])], "regression", "exp")]
        case "logistic":
            scores = (ScoreSum(), scores[0])
        case "softmax":
            pass
        case _:
            assert_never(link)
    tables = [_table(score, label) for score, label in zip(scores, program.classes, strict=True)]
    outputs = share_outputs(behind, program, names)
    made = _regression(schema, outputs, fields, tables, "classification", "softmax")
    return [made, *deciding_models(behind, program, names)]


def number_predictor(name: str, coefficient: float) -> XmlElement:
    """A field times a number."""
    return element("NumericPredictor", name=name, coefficient=number_text(coefficient))


def _table(score: ScoreSum, label: str | None = None) -> XmlElement:
    # PMML has numbers before values.
    predictors = sorted(score.predictors, key=lambda each: each.tag != "NumericPredictor")
    return element(
        "RegressionTable",
        *predictors,
        intercept=number_text(score.intercept),
        targetCategory=label,
    )


def _regression(
    schema: XmlElement,
    outputs: Sequence[XmlElement],
    fields: Iterable[XmlElement],
    tables: Sequence[XmlElement],
    function: str,
    method: str | None,
) -> XmlElement:
    derived = tuple(fields)
    return element(
        "RegressionModel",
        schema,
        *([element("Output", *outputs)] if outputs else []),
        *([element("LocalTransformations", *derived)] if derived else []),
        *tables,
        functionName=function,
        normalizationMethod=method,
    )


# A linear model as PMML's RegressionModel, with its own intercepts and weights.


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


# An additive model as PMML's RegressionModel: each curve is a field with its points, added as they are.


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
        assert isinstance(step.value, Sum)
        start, *looked_up = step.value.terms
        assert isinstance(start, Number)
        of = f" for {model.schema.classes[number]}" if len(sums) > 1 else ""
        predictors = []
        for curve, points in zip(curves, looked_up, strict=True):
            assert isinstance(points, Lookup)
            name = free_name(f"points of {curve}{of}", taken)
            expressions.fields.append(derived_field(name, expressions.formula(points)))
            predictors.append(number_predictor(name, 1.0))
        scores.append(ScoreSum(float(start.value), predictors))
    schema = mining_schema(input_names(program), names.target)
    behind = behind_link(model.decision, program, taken)
    models = linked_models(
        scores, model.link, schema, program, names, behind=behind, fields=expressions.fields
    )
    return chain_of_models(models, program, names)


# PMML's MiningModel: models side by side whose answers are combined, or one after another in a chain.


def combined(
    method: str,
    models: Sequence[XmlElement],
    schema: XmlElement,
    *,
    function: str,
    outputs: Sequence[XmlElement] = (),
    targets: Sequence[XmlElement] = (),
    weights: Sequence[float] = (),
) -> XmlElement:
    """Models as segments that every row is sent to."""
    segments = [
        element(
            "Segment",
            ALWAYS,
            model,
            id=str(number),
            weight=number_text(weights[number - 1]) if weights else None,
        )
        for number, model in enumerate(models, 1)
    ]
    return element(
        "MiningModel",
        schema,
        *([element("Output", *outputs)] if outputs else []),
        *([element("Targets", *targets)] if targets else []),
        element("Segmentation", *segments, multipleModelMethod=method),
        functionName=function,
    )


def chain_of_models(models: Sequence[XmlElement], program: ModelProgram, names: PmmlNames) -> XmlElement:
    """Models one after another: each may ask for outputs of those before, and the last one answers."""
    if len(models) == 1:
        return models[0]
    schema = mining_schema(input_names(program), names.target)
    return combined("modelChain", models, schema, function=function_name(program))


# Any model, or what lies behind its native part, as derived fields.
#
# They are the steps of its program, and a last small model reads its answer off.


def derived_model(
    program: ModelProgram, names: PmmlNames, given: Mapping[str, str] = MappingProxyType({})
) -> XmlElement:
    """The steps as derived fields. A tree of one level names the class by its place; where the place is −1 no
    branch is taken, and there is no answer. A number is a regression on itself.

    `given` are fields by the steps that a model before this one has worked out; only those behind them are
    written, and no column is asked for.
    """
    taken = names.taken | frozenset(input_names(program)) | frozenset(given.values())
    expressions = PmmlExpressions(taken, names=dict(given))
    behind = [step for step in program.steps if step.name not in given]
    for step in needed_steps(behind, program.outputs):
        expressions.add(step)
    reason = []
    if program.region is not None:
        places = ((str(place), text) for place, text in enumerate(program.regions))
        reason = [reason_output(names.reason, expressions.names[program.region], places)]
    schema = mining_schema(given.values() if given else input_names(program), names.target)
    local = [element("LocalTransformations", *expressions.fields)] if expressions.fields else []
    answer = expressions.names[program.answer]
    if not program.classes:
        table = element(
            "RegressionTable", element("NumericPredictor", name=answer, coefficient="1.0"), intercept="0.0"
        )
        output = [element("Output", *reason)] if reason else []
        return element("RegressionModel", schema, *output, *local, table, functionName=function_name(program))
    outputs = [
        element(
            "OutputField",
            element("FieldRef", field=expressions.names[step]),
            name=name,
            optype="continuous",
            dataType="double",
            feature="transformedValue",
        )
        for name, step in _outputs(program, names)
    ]
    branches = [
        element(
            "Node",
            element("SimplePredicate", field=answer, operator="equal", value=str(place)),
            id=str(place + 1),
            score=name,
        )
        for place, name in enumerate(program.classes)
    ]
    return element(
        "TreeModel",
        schema,
        element("Output", *outputs, *reason),
        *local,
        element("Node", element("True"), *branches, id="0"),
        functionName=function_name(program),
        noTrueChildStrategy="returnNullPrediction",
        splitCharacteristic="multiSplit",
    )


def _outputs(program: ModelProgram, names: PmmlNames) -> list[tuple[str, str]]:
    """What stands beside the answer: the shares, then the points of a scorecard."""
    outputs = list(zip(names.shares, program.shares, strict=True))
    return outputs if program.points is None else [*outputs, (names.points, program.points)]
