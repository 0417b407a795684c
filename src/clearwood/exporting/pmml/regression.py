"""PMML's RegressionModel: scores that are added up, and the link that makes shares or a number of them.

Softmax is taken for two classes also: it keeps the digits of the smaller share, which logit's 1 − p loses.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from clearwood.exporting.pmml.document import (
    NOTHING_BEHIND,
    PmmlFrame,
    XmlElement,
    element,
    free_name,
    output_field,
    share_outputs,
    unless_empty,
)
from clearwood.exporting.pmml.expressions import (
    PmmlExpressions,
    apply,
    condition_expression,
    constant,
    derived_field,
    number_text,
)
from clearwood.exporting.pmml.trees import ALWAYS, reason_output
from clearwood.formulas.conditions import IsMissing, OneOf
from clearwood.models.account.account import Places, Slope, added_steps
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.model import account_of
from clearwood.models.program.program import needed_steps

# A score: where it begins, and the predictors that are added.
ScoreSum: TypeAlias = tuple[float, Sequence[XmlElement]]

_NORMALIZED_BY: Final[Mapping[Link, str | None]] = {
    "identity": None,
    "exp": "exp",
    "logistic": "softmax",
    "softmax": "softmax",
}


# What stands between the shares of a native model and the answer: nothing, or a model of derived fields that
# decides by them.


def shares_behind(stem: str, frame: PmmlFrame, taken: set[str]) -> Mapping[str, str]:
    """Shares that are steps called `stem`_1, …, in fields with names of their own."""
    return {
        f"{stem}_{c}": free_name(f"probability of {each}", taken)
        for c, each in enumerate(frame.program.classes, 1)
    }


def behind_link(decision: Decision, frame: PmmlFrame, taken: set[str]) -> Mapping[str, str]:
    """What stands behind the shares of a link; of a number nothing."""
    is_plain = decision.is_plain and decision.by == "share" and not decision.factors
    return NOTHING_BEHIND if is_plain else shares_behind("linked", frame, taken)


def deciding_models(behind: Mapping[str, str], frame: PmmlFrame) -> list[XmlElement]:
    """The model behind a native one, if there is something to decide."""
    return [derived_model(frame, behind)] if behind else []


def linked_models(
    scores: Sequence[ScoreSum],
    link: Link,
    schema: XmlElement,
    frame: PmmlFrame,
    behind: Mapping[str, str],
    fields: Sequence[XmlElement] = (),
) -> list[XmlElement]:
    """A RegressionModel over derived `fields`, and what decides by its shares, if anything does."""
    if link == "logistic":
        scores = [(0.0, ()), *scores]
    tables = [
        element(
            "RegressionTable",
            *sorted(
                predictors, key=lambda each: each.tag != "NumericPredictor"
            ),  # in PMML numbers come first
            intercept=number_text(intercept),
            targetCategory=label,
        )
        for (intercept, predictors), label in zip(scores, frame.program.classes or (None,), strict=True)
    ]
    made = element(
        "RegressionModel",
        schema,
        *unless_empty("Output", share_outputs(frame, behind)),
        *unless_empty("LocalTransformations", fields),
        *tables,
        functionName=frame.function,
        normalizationMethod=_NORMALIZED_BY[link],
    )
    return [made, *deciding_models(behind, frame)]


def number_predictor(name: str, coefficient: float) -> XmlElement:
    """A field times a number."""
    return element("NumericPredictor", name=name, coefficient=number_text(coefficient))


# A linear model as PMML's RegressionModel, with its own intercepts and weights.


def linear_model(model: LinearModel, frame: PmmlFrame) -> XmlElement | None:
    """The model as a RegressionModel; None where a class has no log-odds, and so no table of its own."""
    account, classes = account_of(model), frame.program.classes
    factors = model.decision.factors or (1.0,) * len(classes)
    if not set(classes) <= {*model.contrasts, model.against} or min(factors) <= 0:
        return None
    columns = _Predictors(account.scored, frame.taken)
    for term in account.terms:
        if isinstance(term, Slope):
            columns.add_slope(term)
        else:
            assert isinstance(term, Places)
            columns.add_places(term)
    scores: list[ScoreSum] = []
    for label, factor in zip(classes, factors, strict=True):
        if label == model.against:
            scores.append((math.log(factor), ()))
            continue
        place = model.contrasts.index(label)
        scores.append((model.intercepts[place] + math.log(factor), columns.added[place]))
    is_plain = model.decision.is_plain and model.decision.by == "share"
    behind = NOTHING_BEHIND if is_plain else shares_behind("share", frame, columns.taken)
    schema = frame.schema(fills=columns.fills)
    return chain_of_models(linked_models(scores, "softmax", schema, frame, behind, columns.fields), frame)


class _Predictors:
    """Gathers, column by column, the predictors of each score, the fields they need, and what a missing
    number is taken for."""

    def __init__(self, scored: Sequence[int], taken: set[str]) -> None:
        self.scored, self.taken = list(scored), taken
        self.added: list[list[XmlElement]] = [[] for _ in scored]
        self.fields: list[XmlElement] = []
        self.fills: dict[str, str] = {}

    def add_slope(self, term: Slope) -> None:
        """Its weight times its cell. Where an empty cell has a weight, a field fills it and another marks it;
        elsewhere the schema fills it."""
        name, is_missing = term.name, condition_expression(IsMissing(term.name))
        own, gap = term.weights[self.scored].tolist(), term.gap[self.scored].tolist()
        if any(own) and any(gap):
            filled = apply("if", is_missing, constant(term.usual), element("FieldRef", field=name))
            self._add(self._lay(f"{name}, filled", filled), own)
        elif any(own):
            self.fills[name] = number_text(term.usual)
            self._add(name, own)
        self._add_mark(f"{name} is missing", is_missing, gap)

    def add_places(self, term: Places) -> None:
        """A weight for each value. Of an empty cell, and of a value never met, PMML adds 0: fields mark them
        where they add something."""
        (side,) = term.sides
        name, values = side.name, side.values or ()
        amounts = term.added[:, self.scored].T.tolist()
        for predictors, of_cells in zip(self.added, amounts, strict=True):
            predictors += [
                element("CategoricalPredictor", name=name, value=value, coefficient=number_text(amount))
                for value, amount in zip(values, of_cells, strict=False)
                if amount
            ]
        missing = condition_expression(IsMissing(name))
        self._add_mark(f"{name} is missing", missing, [each[-2] for each in amounts])
        known = condition_expression(OneOf(name, values, or_missing=True))
        self._add_mark(f"{name} is unseen", apply("not", known), [each[-1] for each in amounts])

    def _add_mark(self, name: str, test: XmlElement, coefficients: Sequence[float]) -> None:
        if any(coefficients):
            self._add(self._lay(name, apply("if", test, constant(1.0), constant(0.0))), coefficients)

    def _add(self, name: str, coefficients: Sequence[float]) -> None:
        for predictors, coefficient in zip(self.added, coefficients, strict=True):
            predictors.append(number_predictor(name, coefficient))

    def _lay(self, name: str, expression: XmlElement) -> str:
        free = free_name(name, self.taken)
        self.fields.append(derived_field(free, expression))
        return free


# An additive model as PMML's RegressionModel: each curve is a field with its points, added as they are.


def additive_model(model: AdditiveModel, frame: PmmlFrame) -> XmlElement:
    """The model as a RegressionModel, and what decides by its shares, if anything does."""
    account = account_of(model)
    steps, sums = added_steps(account)
    expressions = PmmlExpressions(frozenset(frame.taken))
    for step in steps:
        expressions.add(step)
    taken = {*expressions.taken, *expressions.names.values()}
    scores: list[ScoreSum] = []
    for number, (_, *looked_up) in enumerate(sums):
        of = f" for {model.schema.classes[number]}" if len(sums) > 1 else ""
        predictors = []
        for term, points in zip(account.terms, looked_up, strict=True):
            name = free_name(f"points of {term.name}{of}", taken)
            expressions.fields.append(derived_field(name, expressions.formula(points)))
            predictors.append(number_predictor(name, 1.0))
        scores.append((model.base[number], predictors))
    behind = behind_link(model.decision, frame, taken)
    models = linked_models(scores, model.link, frame.schema(), frame, behind, expressions.fields)
    return chain_of_models(models, frame)


# PMML's MiningModel: models side by side whose answers are combined, or one after another in a chain.


def combined(
    method: str,
    models: Sequence[XmlElement],
    schema: XmlElement,
    function: str,
    *,
    outputs: Sequence[XmlElement] = (),
    targets: Sequence[XmlElement] = (),
    weights: Sequence[float] = (),
) -> XmlElement:
    """Models as segments that every row is sent to."""
    weighed = map(number_text, weights) if weights else [None] * len(models)
    segments = [
        element("Segment", ALWAYS, model, id=str(number), weight=weight)
        for number, (model, weight) in enumerate(zip(models, weighed, strict=True), 1)
    ]
    return element(
        "MiningModel",
        schema,
        *unless_empty("Output", outputs),
        *unless_empty("Targets", targets),
        element("Segmentation", *segments, multipleModelMethod=method),
        functionName=function,
    )


def chain_of_models(models: Sequence[XmlElement], frame: PmmlFrame) -> XmlElement:
    """Models one after another: each may ask for outputs of those before, and the last one answers."""
    return models[0] if len(models) == 1 else combined("modelChain", models, frame.schema(), frame.function)


# Any model, or what lies behind its native part, as derived fields.
#
# They are the steps of its program, and a last small model reads its answer off.


def derived_model(frame: PmmlFrame, given: Mapping[str, str] = NOTHING_BEHIND) -> XmlElement:
    """The steps as derived fields. A tree of one level names the class by its place; where the place is −1 no
    branch is taken, and there is no answer. A number is a regression on itself.

    `given` are fields by the steps that a model before this one has worked out; only those behind them are
    written, and no column is asked for.
    """
    program = frame.program
    expressions = PmmlExpressions(frozenset({*frame.taken, *given.values()}), names=dict(given))
    behind = [step for step in program.steps if step.name not in given]
    for step in needed_steps(behind, program.outputs):
        expressions.add(step)
    names = expressions.names
    reason = []
    if program.region is not None:
        places = ((str(place), text) for place, text in enumerate(program.regions))
        reason = [reason_output(frame.reason, names[program.region], places)]
    schema = frame.schema(given.values() or None)
    local = unless_empty("LocalTransformations", expressions.fields)
    answer = names[program.answer]
    if not program.classes:
        table = element("RegressionTable", number_predictor(answer, 1.0), intercept="0.0")
        output = unless_empty("Output", reason)
        return element("RegressionModel", schema, *output, *local, table, functionName=frame.function)
    shown = dict(zip(frame.shares, program.shares, strict=True))
    if program.points is not None:
        shown[frame.points] = program.points
    outputs = [
        output_field(name, "transformedValue", element("FieldRef", field=names[step]))
        for name, step in shown.items()
    ]
    branches = []
    for place, name in enumerate(program.classes):
        chosen = element("SimplePredicate", field=answer, operator="equal", value=str(place))
        branches.append(element("Node", chosen, id=str(place + 1), score=name))
    return element(
        "TreeModel",
        schema,
        element("Output", *outputs, *reason),
        *local,
        element("Node", ALWAYS, *branches, id="0"),
        functionName=frame.function,
        noTrueChildStrategy="returnNullPrediction",
        splitCharacteristic="multiSplit",
    )
