"""PMML's MiningModel: models side by side whose answers are combined, or one after another in a chain."""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.export.pmml.document import (
    PmmlNames,
    XmlElement,
    element,
    function_name,
    input_names,
    mining_schema,
)
from clearwood.export.pmml.expressions import number_text
from clearwood.export.pmml.predicates import ALWAYS
from clearwood.export.program.program import ModelProgram


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
