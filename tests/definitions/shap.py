"""SHAP values as they are defined: what a column adds to each set of the others, by all sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import factorial

from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.kinds.tree.tree import Leaf, Node, Split, Tree
from clearwood.models.routing import route_of, ways
from clearwood.table.raw import Row


def shap_of_one(tree: Tree, row: Row, answers: Sequence[Sequence[float]]) -> dict[str, list[float]]:
    """By column what it adds to each number of the answer; `answers` [node] are those of the nodes."""
    columns = [attribute.name for attribute in tree.schema.inputs]
    values = {known: _value(tree, row, known, answers) for known in _subsets(columns)}
    count = len(columns)
    added = {}
    for column in columns:
        sums = [0.0] * len(answers[0])
        for known in _subsets([each for each in columns if each != column]):
            orders = factorial(len(known)) * factorial(count - len(known) - 1) / factorial(count)
            more = zip(values[known | {column}], values[known], strict=True)
            sums = [old + orders * (after - before) for old, (after, before) in zip(sums, more, strict=True)]
        added[column] = sums
    return added


def mean_answer(tree: Tree, answers: Sequence[Sequence[float]]) -> list[float]:
    """The answer with no column known."""
    return _value(tree, {}, frozenset(), answers)


def _subsets(columns: Sequence[str]) -> list[frozenset[str]]:
    return [frozenset(each) for size in range(len(columns) + 1) for each in combinations(columns, size)]


def _value(tree: Tree, row: Row, known: frozenset[str], answers: Sequence[Sequence[float]]) -> list[float]:
    def value(node: Node, number: int) -> list[float]:
        if isinstance(node, Leaf):
            return list(answers[number])
        sums = [0.0] * len(answers[0])
        for branch, part in _parts(tree, node, row, known).items():
            below = value(node.branches[branch].then, tree.nodes.children(number)[branch])
            sums = [old + part * each for old, each in zip(sums, below, strict=True)]
        return sums

    return value(tree.root, 0)


def _parts(tree: Tree, split: Split, row: Row, known: frozenset[str]) -> dict[int, float]:
    """The part of the row that goes down each branch."""
    if split.branches[0].when.name in known:
        return {way.branch: way.part for way in ways(route_of(split), row)}
    weights = [weight_of(each.then.counts, numeric=tree.is_numeric) for each in split.branches]
    if not sum(weights) > 0:
        weights = [each.share for each in split.branches]
    return {branch: weight / sum(weights) for branch, weight in enumerate(weights)}
