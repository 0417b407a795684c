"""Any model, or what lies behind its native part, as derived fields.

They are the steps of its program, and a last small model reads its answer off.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from clearwood.export.pmml.document import (
    PmmlNames,
    XmlElement,
    element,
    function_name,
    input_names,
    mining_schema,
)
from clearwood.export.pmml.expressions import PmmlExpressions
from clearwood.export.pmml.trees import reason_output
from clearwood.export.program.program import ModelProgram, needed_steps


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
