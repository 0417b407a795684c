"""Nodes of PMML's TreeModel: of a tree, and of a list of rules, which are the branches of one level.

Children are asked in order, and the last takes what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clearwood.export.pmml.expressions import number_text
from clearwood.export.pmml.predicates import ALWAYS, all_predicate, any_predicate, negation, predicate
from clearwood.export.pmml.xml import XmlElement, element
from clearwood.export.program.of_tree import TreeRoute
from clearwood.models.conditions import Condition, exclude_each_other
from clearwood.models.routing import route_at
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


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
