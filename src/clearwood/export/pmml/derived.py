"""Any model as derived fields: the steps of its program, and a last small model that reads its answer off."""

from __future__ import annotations

from clearwood.export.pmml.document import PmmlNames, function_name, mining_schema
from clearwood.export.pmml.expressions import PmmlExpressions
from clearwood.export.pmml.xml import XmlElement, element
from clearwood.export.program.program import ModelProgram


def derived_model(program: ModelProgram, names: PmmlNames) -> XmlElement:
    """The steps as derived fields. A tree of one level names the class by its place; where the place is −1 no
    branch is taken, and there is no answer. A number is a regression on itself."""
    columns = frozenset(each.name for each in program.inputs)
    expressions = PmmlExpressions(names.taken | columns)
    for step in program.steps:
        expressions.add(step)
    schema = mining_schema(program, names)
    local = element("LocalTransformations", *expressions.fields)
    answer = expressions.names[program.answer]
    if not program.classes:
        table = element(
            "RegressionTable", element("NumericPredictor", name=answer, coefficient="1.0"), intercept="0.0"
        )
        return element("RegressionModel", schema, local, table, functionName=function_name(program))
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
        element("Output", *outputs),
        local,
        element("Node", element("True"), *branches, id="0"),
        functionName=function_name(program),
        noTrueChildStrategy="returnNullPrediction",
        splitCharacteristic="multiSplit",
    )


def _outputs(program: ModelProgram, names: PmmlNames) -> list[tuple[str, str]]:
    """What stands beside the answer: the shares, then the points of a scorecard."""
    outputs = list(zip(names.shares, program.shares, strict=True))
    return outputs if program.points is None else [*outputs, (names.points, program.points)]
