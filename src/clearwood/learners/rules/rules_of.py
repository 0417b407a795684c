"""From a tree to rules: one for each leaf, its way down merged to the fewest conditions, in order."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from clearwood.models.conditions import (
    Above,
    AtMost,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    never_holds,
    one_of,
)
from clearwood.models.kinds import check_kind
from clearwood.models.nodes import Nodes
from clearwood.models.origin import Origin
from clearwood.models.paths import narrow
from clearwood.models.rule_list import Answer, Otherwise, Rule, RuleList
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_codes, node_values
from clearwood.table.attributes import Nominal, Ordinal


def rules_of(tree: Tree, *, may_be_empty: Collection[str] = ()) -> RuleList:
    """The tree's leaves as rules. Rows whose cells are known get the tree's own answers.

    A value that no branch of a split names, and an empty cell, follow the branch the tree sends them to, if
    that is a single one, and its condition says so (`or missing`). Where the tree asks a stand-in column or
    divides the row, no rule takes it and the majority answers; but of the columns that `may_be_empty` an
    empty cell then follows the heaviest branch, most often to the tree's own answer. A leaf that met no row
    is left out, unless its answer is not the majority's; so is one whose questions exclude each other.
    """
    check_kind("rules_of", tree, Tree)
    answers = _answers(tree)
    counts = [tuple(row) for row in tree.nodes.counts.tolist()]
    leaves = tree.nodes.is_leaf.tolist()
    rules = []
    for node, way in enumerate(_ways(tree, may_be_empty)):
        reachable = leaves[node] and not any(map(never_holds, way.values()))
        if reachable and (any(counts[node]) or answers[node] != answers[0]):
            rules.append(Rule(tuple(way.values()), answers[node], counts[node]))
    origin = Origin("rules of " + tree.origin.learner, tree.origin.settings, tree.origin.version)
    origin = replace(origin, fingerprint=tree.origin.fingerprint, rows=tree.origin.rows)
    return RuleList(
        tree.schema,
        tuple(rules),
        Otherwise(answers[0], (0.0,) * len(counts[0])),
        decision=tree.decision,
        origin=origin,
        answers=tree.answers,
    )


def _answers(tree: Tree) -> list[Answer]:
    """[node] its class, or its number."""
    if tree.is_numeric:
        values: list[Answer] = node_values(tree).tolist()
        return values
    return [tree.schema.classes[code] for code in node_codes(tree).tolist()]


def _ways(tree: Tree, may_be_empty: Collection[str]) -> list[dict[str, Condition]]:
    """[node] the conditions on the way there by attribute, each way its parent's and one step more."""
    ways: list[dict[str, Condition]] = [{}]
    takes_more = _takes_more(tree, may_be_empty)
    for node, parent in enumerate(tree.nodes.parent.tolist()[1:], 1):
        way = dict(ways[parent])
        condition = tree.condition(node)
        narrow(way, _widened(condition, *takes_more[node]) if node in takes_more else condition)
        ways.append(way)
    return ways


def _takes_more(tree: Tree, may_be_empty: Collection[str]) -> dict[int, tuple[tuple[str, ...], bool]]:
    """By node whose branch takes more than it says: values that no branch names, and empty cells or not."""
    n = tree.nodes
    found: dict[int, tuple[tuple[str, ...], bool]] = {}
    for parent in np.flatnonzero(~n.is_leaf).tolist():
        beside = n.children(parent)
        attribute = tree.schema.attributes[int(n.attribute[parent + 1])]
        otherwise = int(n.otherwise[parent])
        exact = otherwise >= 0 and n.s_start[parent] == n.s_start[parent + 1]
        empty = not n.or_missing[beside].any() and (exact or attribute.name in may_be_empty)
        node = beside[otherwise if otherwise >= 0 else int(np.argmax(n.share[beside]))]
        values: tuple[str, ...] = ()
        if exact and isinstance(attribute, Nominal | Ordinal):
            named = {code for each in beside for code in _codes(n, each)}
            values = tuple(value for code, value in enumerate(attribute.values) if code not in named)
        if empty or values:
            found[node] = (values, empty)
    return found


def _codes(nodes: Nodes, node: int) -> list[int]:
    codes: list[int] = nodes.set_codes[int(nodes.set_start[node]) : int(nodes.set_start[node + 1])].tolist()
    return codes


def _widened(condition: Condition, values: tuple[str, ...], empty: bool) -> Condition:
    match condition:
        case Equals(name, value):
            return one_of(name, (value, *values), empty)
        case OneOf(name, own, or_missing):
            return one_of(name, (*own, *values), or_missing or empty)
        case AtMost() | Above() | Between():
            return replace(condition, or_missing=condition.or_missing or empty)
        case IsMissing(name):
            return one_of(name, values, True)
