"""From a tree to rules: one for each leaf, its way down merged to the fewest conditions, in order."""

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

import numpy as np

from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    never_holds,
    one_of,
    takes_missing,
    values_of,
)
from clearwood.models.kinds.rules.rule_list import Answer, Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import Tree, add_condition, node_codes, node_values
from clearwood.models.lineage import ReadAsRules
from clearwood.models.model import check_kind
from clearwood.models.routing import route_at
from clearwood.table.attributes import Nominal, Ordinal


def rules_of(tree: Tree, *, may_be_empty: Collection[str] = ()) -> RuleList:
    """The leaves of a tree as rules. Rows without missing or unseen values are predicted as by the tree.

    A value that no branch of a split names, and an empty cell, follow the branch the tree sends them to, if
    that is a single one, and its condition shows it (`or missing`). Where the tree uses a surrogate column or
    divides the row, no rule takes it and the majority answers; but of the columns that `may_be_empty` an
    empty cell then follows the heaviest branch, most often to the tree's own answer. A leaf without rows
    is left out, unless its answer is not the majority's; so is one whose questions exclude each other.
    """
    check_kind("rules_of", tree, Tree)
    answers: list[Answer] = (
        node_values(tree).tolist()
        if tree.is_numeric
        else [tree.schema.classes[code] for code in node_codes(tree).tolist()]
    )
    counts = [tuple(row) for row in tree.nodes.counts.tolist()]
    leaves = tree.nodes.is_leaf.tolist()
    rules = []
    for node, way in enumerate(_ways(tree, may_be_empty)):
        reachable = leaves[node] and not any(map(never_holds, way.values()))
        if reachable and (any(counts[node]) or answers[node] != answers[0]):
            rules.append(Rule(tuple(way.values()), answers[node], counts[node]))
    return RuleList(
        tree.schema,
        tuple(rules),
        Otherwise(answers[0], (0.0,) * len(counts[0])),
        decision=tree.decision,
        origin=tree.origin.then(ReadAsRules(tuple(sorted(may_be_empty)))),
        answers=tree.answers,
    )


def _ways(tree: Tree, may_be_empty: Collection[str]) -> list[dict[str, Condition]]:
    """[node] the conditions on the way there by attribute, each way its parent's and one step more."""
    ways: list[dict[str, Condition]] = [{}]
    conditions = _branch_conditions(tree, may_be_empty)
    for node, parent in enumerate(tree.nodes.parent.tolist()[1:], 1):
        way = dict(ways[parent])
        add_condition(way, conditions[node])
        ways.append(way)
    return ways


def _branch_conditions(tree: Tree, may_be_empty: Collection[str]) -> dict[int, Condition]:
    """By node the condition of its branch; where a branch also takes values that no branch names, or empty
    cells, with these."""
    n = tree.nodes
    conditions: dict[int, Condition] = {}
    for parent in np.flatnonzero(~n.is_leaf).tolist():
        route, children = route_at(tree, parent), n.children(parent)
        own = [test.when for test in route.tests[: len(children)]]
        conditions |= zip(children, own, strict=True)
        attribute = tree.schema.attributes[int(n.attribute[parent + 1])]
        # One branch takes every row that no condition takes: then a rule can do the same.
        exact = len(own) == len(route.tests) and [way.because for way in route.rest] == ["otherwise"]
        empty = (exact or attribute.name in may_be_empty) and not any(map(takes_missing, own))
        values: tuple[str, ...] = ()
        if exact and isinstance(attribute, Nominal | Ordinal):
            named = frozenset().union(*map(values_of, own))
            values = tuple(value for value in attribute.values if value not in named)
        if empty or values:
            heaviest = max(route.rest, key=lambda way: way.part).branch if route.rest else 0
            conditions[children[heaviest]] = _widened(own[heaviest], values, empty)
    return conditions


def or_missing(condition: Condition) -> Condition:
    """The condition that an empty cell satisfies too."""
    return _widened(condition, (), True)


def _widened(condition: Condition, values: tuple[str, ...], empty: bool) -> Condition:
    match condition:
        case Equals(name, value):
            return one_of(name, (value, *values), empty)
        case OneOf(name, own, or_missing):
            return one_of(name, (*own, *values), or_missing or empty)
        case AtMost() | Below() | Above() | AtLeast() | Between():
            return replace(condition, or_missing=condition.or_missing or empty)
        case IsMissing(name):
            return one_of(name, values, True)
        case _:
            assert_never(condition)
