"""Trees and rule lists as PMML's own TreeModel, where it says the same.

That is so where a row always comes to one leaf or rule, which has an answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from clearwood.export.pmml.document import (
    PmmlNames,
    function_name,
    input_names,
    mining_schema,
    probabilities,
)
from clearwood.export.pmml.nodes import RegionAnswers, rule_nodes, tree_nodes
from clearwood.export.pmml.xml import XmlElement, element
from clearwood.export.program.formula import Lookup
from clearwood.export.program.program import ModelProgram
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


def tree_model(model: Model, program: ModelProgram, names: PmmlNames) -> XmlElement | None:
    """The model as a TreeModel; None where that would not say the same."""
    regions = _regions(program)
    if regions is None:
        return None
    if isinstance(model, Tree):
        root = tree_nodes(model, regions)
    elif isinstance(model, RuleList):
        root = rule_nodes(model, regions)
    else:
        return None
    if root is None:
        return None
    schema = mining_schema(input_names(program), names.target)
    return tree_element(schema, root, probabilities(names.shares, program.classes), function_name(program))


def tree_element(
    schema: XmlElement, root: XmlElement, outputs: Sequence[XmlElement], function: str
) -> XmlElement:
    """A TreeModel in which an empty cell satisfies no predicate but one that asks for it."""
    return element(
        "TreeModel",
        schema,
        *([element("Output", *outputs)] if outputs else []),
        root,
        functionName=function,
        missingValueStrategy="none",
        noTrueChildStrategy="returnNullPrediction",
        splitCharacteristic="multiSplit",
    )


def _regions(program: ModelProgram) -> RegionAnswers | None:
    """What is looked up by the place of the leaf or rule; None: more is worked out, or one has no answer."""
    formulas = {step.name: step.value for step in program.steps}
    looked_up = [formulas[name] for name in (program.answer, *program.shares)]
    tables = [each.values for each in looked_up if isinstance(each, Lookup) and each.at == program.region]
    if len(tables) < len(looked_up):
        return None
    silent = any(each < 0 for each in tables[0]) if program.classes else any(map(math.isnan, tables[0]))
    return None if silent else RegionAnswers(tables[0], program.classes, tables[1:])
