"""Trees and rule lists as PMML's own TreeModel, where it says the same.

That is so where a row always comes to one leaf or rule, which has an answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clearwood.exporting.exportable import Exportable
from clearwood.exporting.pmml.document import (
    PmmlNames,
    XmlElement,
    element,
    function_name,
    input_names,
    mining_schema,
    probabilities,
)
from clearwood.exporting.pmml.expressions import number_text
from clearwood.exporting.pmml.predicates import ALWAYS, all_predicate, any_predicate, negation, predicate
from clearwood.formulas.conditions import Condition, exclude_each_other
from clearwood.formulas.expressions import Lookup
from clearwood.models.kinds.tree.tree_program import TreeRoute
from clearwood.models.model import RuleList, Tree
from clearwood.models.program.program import ModelProgram
from clearwood.models.routing import route_at


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


# Nodes of PMML's TreeModel: of a tree, and of a list of rules, which are the branches of one level.
#
# Children are asked in order, and the last takes what is left.


@dataclass(frozen=True, slots=True)
class RegionAnswers:
    """By the place of each leaf or rule: its class's place in `classes`, or its number.

    `shares` are [class][place]; a model that is asked for its class alone has none.
    """

    answers: Sequence[float]
    classes: tuple[str, ...] = ()
    shares: Sequence[Sequence[float]] = ()


def tree_nodes(tree: Tree, regions: RegionAnswers) -> XmlElement | None:
    """The root of a tree, children made before their parents; None where rows are divided among leaves."""
    made: dict[int, XmlElement] = {}
    leaves = tree.nodes.is_leaf.tolist()
    place = len(regions.answers)
    for node in range(len(tree.nodes) - 1, -1, -1):
        if leaves[node]:
            place -= 1
            counts = [] if tree.is_numeric else tree.nodes.counts[node].tolist()
            made[node] = _answering(f"{node}", ALWAYS, place, counts, regions)
            continue
        route = route_at(tree, node)
        if len(route.rest) != 1:
            return None
        children = tree.nodes.children(node)
        last = route.rest[0].branch
        order = [branch for branch in range(len(children)) if branch != last]
        below = [_asking(made.pop(children[branch]), _to_branch(route, branch)) for branch in order]
        below.append(made.pop(children[last]))
        made[node] = element("Node", ALWAYS, *below, id=str(node))
    return made[0]


def rule_nodes(rules: RuleList, regions: RegionAnswers) -> XmlElement:
    """The root of a list of rules, which are the branches of one level, asked in order."""
    asked = [all_predicate([predicate(each) for each in rule.when]) for rule in rules]
    below = [
        _answering(f"{place + 1}", when, place, entry.counts, regions)
        for place, (when, entry) in enumerate(zip([*asked, ALWAYS], rules.entries, strict=True))
    ]
    return element("Node", ALWAYS, *below, id="0")


def _to_branch(route: TreeRoute, branch: int) -> XmlElement:
    """True for rows of this branch: one of its tests holds, and no earlier test of another."""
    ways = []
    earlier: list[Condition] = []
    for test in route.tests:
        if test.way.branch == branch:
            failed = [negation(each) for each in earlier if not exclude_each_other(each, test.when)]
            ways.append(all_predicate([predicate(test.when), *failed]))
        else:
            earlier.append(test.when)
    return any_predicate(ways)


def _asking(node: XmlElement, asked: XmlElement) -> XmlElement:
    return replace(node, within=(asked, *node.within[1:]))


def _answering(
    name: str, asked: XmlElement, place: int, counts: Sequence[float], regions: RegionAnswers
) -> XmlElement:
    """A node that answers; the rows it was learned from are counted, where they are known."""
    answer, classes = regions.answers[place], regions.classes
    if not classes:
        return element("Node", asked, id=name, score=number_text(answer))
    known = counts if len(counts) == len(classes) else [0.0] * len(classes)
    shares = [
        element(
            "ScoreDistribution",
            value=label,
            recordCount=number_text(count),
            probability=number_text(column[place]),
        )
        for label, count, column in zip(classes, known, regions.shares, strict=False)
    ]
    return element("Node", asked, *shares, id=name, score=classes[int(answer)])


# The output with the reason: the text of the leaf or rule that answered, looked up by its place or name.


def reason_output(name: str, by: str, texts: Iterable[tuple[str, str]]) -> XmlElement:
    """An output field by another field, `by`; `texts` are its values, each with the reason."""
    rows = (element("row", element("at", text=value), element("reason", text=text)) for value, text in texts)
    return element(
        "OutputField",
        element(
            "MapValues",
            element("FieldColumnPair", field=by, column="at"),
            element("InlineTable", *rows),
            outputColumn="reason",
            dataType="string",
        ),
        name=name,
        optype="categorical",
        dataType="string",
        feature="transformedValue",
    )


def leaf_output(name: str) -> XmlElement:
    """An output field with the name of the node that answered."""
    return element("OutputField", name=name, optype="categorical", dataType="string", feature="entityId")
