"""From a tree to rules: one for each leaf, its way down merged to the fewest conditions, in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.models.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf
from clearwood.models.origin import Origin
from clearwood.models.paths import merged
from clearwood.models.rule_list import Answer, Otherwise, Rule, RuleList
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_codes, node_values


def rules_of(tree: Tree) -> RuleList:
    """The tree's leaves as rules. Rows whose cells are known get the tree's own answers.

    An empty cell follows the branch the tree sends it to, if that is a single one, and its condition says
    so (`or missing`); where the tree asks a stand-in column or divides the row, no rule takes it and the
    majority answers. A leaf that met no row is left out, unless its answer is not the majority's.
    """
    answers = _answers(tree)
    counts = [tuple(row) for row in tree.nodes.counts.tolist()]
    rules = []
    for node in np.flatnonzero(tree.nodes.is_leaf).tolist():
        if any(counts[node]) or answers[node] != answers[0]:
            rules.append(Rule(_way_to(tree, node), answers[node], counts[node]))
    origin = Origin("rules of " + tree.origin.learner, tree.origin.settings, tree.origin.version)
    origin = replace(origin, fingerprint=tree.origin.fingerprint, rows=tree.origin.rows)
    return RuleList(
        tree.schema, tuple(rules), Otherwise(answers[0], counts[0]), decision=tree.decision, origin=origin
    )


def _answers(tree: Tree) -> list[Answer]:
    """[node] its class, or its number."""
    if tree.is_numeric:
        values: list[Answer] = node_values(tree).tolist()
        return values
    return [tree.schema.classes[code] for code in node_codes(tree).tolist()]


def _way_to(tree: Tree, node: int) -> tuple[Condition, ...]:
    steps: list[Condition] = []
    while node > 0:
        condition = tree.condition(node)
        steps.append(_or_missing(condition) if _takes_empty_cells(tree, node) else condition)
        node = int(tree.nodes.parent[node])
    return merged(steps[::-1])


def _takes_empty_cells(tree: Tree, node: int) -> bool:
    """Is this the branch for cells that no branch names, with no stand-in asked before?"""
    n = tree.nodes
    parent = int(n.parent[node])
    otherwise = int(n.otherwise[parent])
    if otherwise < 0 or n.s_start[parent] < n.s_start[parent + 1]:
        return False
    beside = n.children(parent)
    return beside[otherwise] == node and not any(bool(n.or_missing[each]) for each in beside)


def _or_missing(condition: Condition) -> Condition:
    match condition:
        case Equals(name, value):
            return OneOf(name, (value,), or_missing=True)
        case OneOf() | AtMost() | Above() | Between():
            return replace(condition, or_missing=True)
        case IsMissing():
            return condition
