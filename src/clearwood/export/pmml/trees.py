"""Trees and rule lists as PMML's own TreeModel, where it says the same: rules are the branches of one level.

That is so where a row always comes to one leaf or rule, which has an answer. Children are asked in order, and
the last takes what is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clearwood.export.exportable import Exportable
from clearwood.export.pmml.document import PmmlNames, function_name, mining_schema
from clearwood.export.pmml.expressions import number_text
from clearwood.export.pmml.predicates import (
    ALWAYS,
    all_predicate,
    any_predicate,
    negation,
    predicate,
)
from clearwood.export.pmml.xml import XmlElement, element
from clearwood.export.program.formula import Lookup
from clearwood.export.program.of_tree import TreeRoute
from clearwood.export.program.program import ModelProgram
from clearwood.models.conditions import Condition, exclude_each_other
from clearwood.models.routing import route_at
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


@dataclass(frozen=True, slots=True)
class _Regions:
    """By the place of each leaf or rule: its class, or its number, and [class][place] the shares."""

    answers: tuple[float, ...]
    shares: tuple[tuple[float, ...], ...]


def tree_model(model: Exportable, program: ModelProgram, names: PmmlNames) -> XmlElement | None:
    """The model as a TreeModel; None where that would not say the same."""
    regions = _regions(program)
    if regions is None:
        return None
    if isinstance(model, Tree):
        root = _nodes(model, program, regions)
    elif isinstance(model, RuleList):
        root = _list(model, program, regions)
    else:
        return None
    if root is None:
        return None
    outputs = [
        element(
            "OutputField",
            name=name,
            optype="continuous",
            dataType="double",
            feature="probability",
            value=label,
        )
        for name, label in zip(names.shares, program.classes, strict=True)
    ]
    return element(
        "TreeModel",
        mining_schema(program, names),
        *([element("Output", *outputs)] if outputs else []),
        root,
        functionName=function_name(program),
        missingValueStrategy="none",
        noTrueChildStrategy="returnNullPrediction",
        splitCharacteristic="multiSplit",
    )


def _regions(program: ModelProgram) -> _Regions | None:
    """What is looked up by the place of the leaf or rule; None: more is worked out, or one has no answer."""
    formulas = {step.name: step.value for step in program.steps}
    looked_up = [formulas[name] for name in (program.answer, *program.shares)]
    tables = [each.values for each in looked_up if isinstance(each, Lookup) and each.at == program.region]
    if len(tables) < len(looked_up):
        return None
    silent = any(each < 0 for each in tables[0]) if program.classes else any(map(math.isnan, tables[0]))
    return None if silent else _Regions(tables[0], tuple(tables[1:]))


def _nodes(tree: Tree, program: ModelProgram, regions: _Regions) -> XmlElement | None:
    """The root; children are made before their parents."""
    made: dict[int, XmlElement] = {}
    leaves = tree.nodes.is_leaf.tolist()
    place = len(regions.answers)
    for node in range(len(tree.nodes) - 1, -1, -1):
        if leaves[node]:
            place -= 1
            counts = [] if tree.is_numeric else tree.nodes.counts[node].tolist()
            made[node] = _answering(f"{node}", ALWAYS, place, counts, program, regions)
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


def _list(rules: RuleList, program: ModelProgram, regions: _Regions) -> XmlElement:
    asked = [all_predicate([predicate(each) for each in rule.when]) for rule in rules]
    below = [
        _answering(f"{place + 1}", when, place, entry.counts, program, regions)
        for place, (when, entry) in enumerate(zip([*asked, ALWAYS], rules.entries, strict=True))
    ]
    return element("Node", ALWAYS, *below, id="0")


def _asking(node: XmlElement, asked: XmlElement) -> XmlElement:
    return replace(node, within=(asked, *node.within[1:]))


def _answering(
    name: str,
    asked: XmlElement,
    place: int,
    counts: Sequence[float],
    program: ModelProgram,
    regions: _Regions,
) -> XmlElement:
    """A node that answers; the rows it was learned from are counted, where they are known."""
    answer = regions.answers[place]
    if not program.classes:
        return element("Node", asked, id=name, score=number_text(answer))
    known = counts if len(counts) == len(program.classes) else [0.0] * len(program.classes)
    shares = [
        element(
            "ScoreDistribution",
            value=label,
            recordCount=number_text(count),
            probability=number_text(regions.shares[c][place]),
        )
        for c, (label, count) in enumerate(zip(program.classes, known, strict=True))
    ]
    return element("Node", asked, *shares, id=name, score=program.classes[int(answer)])
