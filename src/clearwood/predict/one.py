"""One row down the objects of a tree: the definition that the native walk must equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from clearwood.models.nodes import weight_of
from clearwood.models.routing import route_of, ways
from clearwood.models.tree import Leaf, Node, Split, Tree
from clearwood.predict.answers import ShareSmoothing, cheapest_of_one, check_smoothing
from clearwood.table.row import Row


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

    >>> from clearwood.models.build import tree_of
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
    shares = shares_of_one(tree, row)
    return cheapest_of_one(shares, tree.decision)


def _factored(tree: Tree, counts: tuple[float, ...]) -> list[float]:
    factors = tree.decision.factors or (1.0,) * len(counts)
    return [count * factor for count, factor in zip(counts, factors, strict=True)]


def _divided(counts: list[float]) -> list[float]:
    total = sum(counts)
    return [count / total if total > 0 else 1.0 / len(counts) for count in counts]
