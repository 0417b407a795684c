"""Trees and rule lists as PMML's own TreeModel, where it says the same.

That is so where a row always comes to one leaf or rule, which has an answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from clearwood.export.exportable import Exportable
from clearwood.export.pmml.document import (
    PmmlNames,
    function_name,
    input_names,
    mining_schema,
    probabilities,
)
from clearwood.export.pmml.nodes import RegionAnswers, rule_nodes, tree_nodes
from clearwood.export.pmml.reasons import leaf_output, reason_output
from clearwood.export.pmml.xml import XmlElement, element
from clearwood.export.program.formula import Lookup
from clearwood.export.program.program import ModelProgram
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


def tree_model(model: Exportable, program: ModelProgram, names: PmmlNames) -> XmlElement | None:
    """The model as a TreeModel; None where that would not say the same."""
    regions = _regions(program)
    if regions is None:
        return None
    if not isinstance(model, Tree | RuleList):
        return None
    root = tree_nodes(model, regions) if isinstance(model, Tree) else rule_nodes(model, regions)
    if root is None:
        return None
    schema = mining_schema(input_names(program), names.target)
    reason = reason_output(names.reason, names.leaf, zip(_node_names(model), program.regions, strict=True))
    outputs = [*probabilities(names.shares, program.classes), leaf_output(names.leaf), reason]
    return tree_element(schema, root, outputs, function_name(program))


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


def _node_names(model: Tree | RuleList) -> list[str]:
    """The names of the nodes that answer, in the order of the leaves or rules."""
    if isinstance(model, Tree):
        return [str(node) for node, is_leaf in enumerate(model.nodes.is_leaf.tolist()) if is_leaf]
    return [str(place) for place in range(1, len(model.entries) + 1)]


def _regions(program: ModelProgram) -> RegionAnswers | None:
    """What is looked up by the place of the leaf or rule; None: more is worked out, or one has no answer."""
    formulas = {step.name: step.value for step in program.steps}
    looked_up = [formulas[name] for name in (program.answer, *program.shares)]
    tables = [each.values for each in looked_up if isinstance(each, Lookup) and each.at == program.region]
    if len(tables) < len(looked_up):
        return None
    silent = any(each < 0 for each in tables[0]) if program.classes else any(map(math.isnan, tables[0]))
    return None if silent else RegionAnswers(tables[0], program.classes, tables[1:])
