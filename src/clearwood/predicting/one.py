"""One row down the objects of a tree: the definition that the native walk must equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias, assert_never

from clearwood.formulas.conditions import holds
from clearwood.models.decision import ShareSmoothing, cheapest_of_one, check_smoothing
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.kinds.tree.tree import Leaf, Node, Split, Tree, node_codes, node_shares, node_values
from clearwood.models.routing import route_of, ways
from clearwood.records import dataclass
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Row


@dataclass(frozen=True, slots=True)
class Reached:
    """A leaf a row comes to: the branches taken, the part of the row, the counts that answer."""

    path: tuple[int, ...]
    weight: float
    counts: tuple[float, ...]


def reached(tree: Tree, row: Row) -> list[Reached]:
    """Every leaf the row comes to, from the first branch to the last; most rows come to one."""
    leaves: list[Reached] = []
    waiting: list[tuple[Node, tuple[int, ...], float, tuple[float, ...]]] = [(tree.root, (), 1.0, ())]
    while waiting:
        node, path, weight, above = waiting.pop()
        has_weight = weight_of(node.counts, numeric=tree.is_numeric) > 0
        counts = node.counts if has_weight or not above else above
        match node:
            case Leaf():
                leaves.append(Reached(path, weight, counts))
            case Split():
                followed = [
                    (node.branches[way.branch].then, (*path, way.branch), weight * way.part, counts)
                    for way in ways(route_of(node), row)
                ]
                waiting.extend(reversed(followed))
            case _:
                assert_never(node)
    return leaves


def shares_of_one(tree: Tree, row: Row, smoothing: ShareSmoothing = None) -> dict[str, float]:
    """The share of each class.

    >>> from clearwood.models.kinds.tree.build import tree_of
    >>> from clearwood.table.schema import Nominal, Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> tree = tree_of(schema, Leaf((0.0, 2.0)))
    >>> shares_of_one(tree, {}), shares_of_one(tree, {}, "laplace")
    ({'No': 0.0, 'Yes': 1.0}, {'No': 0.25, 'Yes': 0.75})
    """
    check_smoothing(smoothing)
    classes = tree.schema.classes
    prior = _divided(_factored(tree, tree.root.counts))
    mixed = [0.0] * len(classes)
    for each in reached(tree, row):
        counts = _factored(tree, each.counts)
        if smoothing == "laplace":
            counts = [count + 1.0 for count in counts]
        elif smoothing is not None:
            counts = [count + smoothing * share for count, share in zip(counts, prior, strict=True)]
        for i, share in enumerate(_divided(counts)):
            mixed[i] += each.weight * share
    return dict(zip(classes, mixed, strict=True))


def predict_one(tree: Tree, row: Row) -> str | float:
    """The class of least expected cost, first of equals; for a numeric target the number."""
    if tree.is_numeric:
        return sum(each.weight * each.counts[1] for each in reached(tree, row))
    shares = tuple(shares_of_one(tree, row).values())
    return tree.schema.classes[cheapest_of_one(shares, tree.decision)]


def _factored(tree: Tree, counts: tuple[float, ...]) -> list[float]:
    factors = tree.decision.factors or (1.0,) * len(counts)
    return [count * factor for count, factor in zip(counts, factors, strict=True)]


def _divided(counts: list[float]) -> list[float]:
    total = sum(counts)
    return [count / total if total > 0 else 1.0 / len(counts) for count in counts]


def rules_that_hold(rules: RuleList, row: Row) -> list[int]:
    """The positions of all rules whose every condition the row satisfies."""
    return [
        place
        for place, rule in enumerate(rules)
        if all(holds(condition, row.get(condition.name)) for condition in rule.when)
    ]


# The tree unrolled into nested steps: the short way of rows that meet nothing unusual.
#
# A step of a number is (position, limit, step if ≤, step if >); of a value (position, None, steps by value,
# None); a leaf is (−1, its answer, its shares, its node).


RowStep: TypeAlias = tuple[int, Any, Any, Any]


def unrolled(tree: Tree, smoothing: ShareSmoothing) -> RowStep:
    """The tree as steps, children before parents: preorder read backwards."""
    n, attributes = tree.nodes, tree.schema.attributes
    place = {a.name: i for i, a in enumerate(tree.schema.inputs)}
    answers: list[Any]
    answer: list[Any]
    if tree.is_numeric:
        answers = answer = node_values(tree).tolist()
    else:
        answers = [tree.schema.classes[code] for code in node_codes(tree).tolist()]
        answer = node_shares(tree, smoothing).tolist()
    low, high, end, tested = n.low.tolist(), n.high.tolist(), n.end.tolist(), n.attribute.tolist()
    starts, codes = n.set_start.tolist(), n.set_codes.tolist()
    steps: list[RowStep] = [(-1, None, None, None)] * len(n)
    for node in range(len(n) - 1, -1, -1):
        if end[node] == node + 1:
            steps[node] = (-1, answers[node], answer[node], node)
            continue
        children = n.children(node)
        attribute = attributes[tested[node + 1]]
        position = place[attribute.name]
        if isinstance(attribute, Numeric):
            takers = [(low[c], high[c], steps[c]) for c in children if low[c] < high[c]]
            steps[node] = _cuts(position, takers)
        else:
            by_value: dict[str, RowStep] = {}
            for child in children:
                for code in codes[starts[child] : starts[child + 1]]:
                    by_value.setdefault(attribute.values[code], steps[child])
            steps[node] = (position, None, by_value, None)
    return steps[0]


def leaf_by_steps(step: RowStep | None, cells: Sequence[str | float | None]) -> RowStep | None:
    """The leaf, or None where there is none or the row meets something unusual."""
    if step is None:
        return None
    try:
        while True:
            position, limit, low, high = step
            if position < 0:
                return step
            cell = cells[position]
            if limit is None:
                step = low[cell]
            elif cell <= limit:
                step = low
            elif cell > limit:
                step = high
            else:
                return None
    except (TypeError, KeyError):
        return None


def _cuts(position: int, takers: list[tuple[float, float, RowStep]]) -> RowStep:
    """Intervals as a chain of cuts, split in the middle: a number meets about log2 of them."""
    limits = sorted({limit for low, high, _ in takers for limit in (low, high) if math.isfinite(limit)})
    ends = [-math.inf, *limits, math.inf]
    nowhere: RowStep = (position, None, {}, None)
    stretches = [
        next((then for low, high, then in takers if low <= ends[i] and ends[i + 1] <= high), nowhere)
        for i in range(len(ends) - 1)
    ]

    def between(first: int, stop: int) -> RowStep:
        if stop - first == 1:
            return stretches[first]
        middle = (first + stop) // 2
        return (position, ends[middle], between(first, middle), between(middle, stop))

    # Even a single interval must look at its cell, which may be empty.
    return between(0, len(stretches)) if limits else (position, math.inf, stretches[0], nowhere)
