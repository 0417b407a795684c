"""From a node's counts to its answer: class shares, the class of least cost, or a number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.models.deciding import (
    ShareSmoothing,
    adjusted,
    cheapest,
    check_smoothing,
    cost_matrix,
    decided,
    divided,
)
from clearwood.models.kinds.tree.tree import Tree


def node_shares(tree: Tree, smoothing: ShareSmoothing = None) -> Floats:
    """[node, class] every node's class shares: counts × the decision's factors, smoothed, over their sum.

    `"laplace"` adds 1 to each class, a number m adds m × the root's shares (the m-estimate; both
    after the factors). A node without weight answers as the nearest node above it that has some.
    """
    check_smoothing(smoothing, tree.origin)
    counts = weighted_counts(tree)
    if smoothing == "laplace":
        counts = counts + 1.0
    elif smoothing is not None:
        counts = counts + smoothing * divided(counts[:1])
    return divided(counts)


def node_codes(tree: Tree, shares: Floats | None = None) -> Ints:
    """[node] the class that every node stands for; ties go to the first class.

    `shares` are those before any adjustment. A node whose rows would be referred still stands for its class.
    """
    shares = node_shares(tree) if shares is None else shares
    if tree.decision.is_plain:
        return cheapest(shares, cost_matrix(tree.decision))
    decision = replace(tree.decision, refer=None)
    return decided(adjusted(shares, decision), decision, tree.schema.classes)


def shown_shares(tree: Tree) -> Floats:
    """[node, class] every node's shares as its rows get them: adjusted by the decision."""
    return adjusted(node_shares(tree), tree.decision)


def node_values(tree: Tree) -> Floats:
    """[node] the number every node of a numeric tree answers."""
    return weighted_counts(tree)[:, 1]


def weighted_counts(tree: Tree, *, factors: bool = True) -> Floats:
    """[node, class] counts × the decision's factors; an empty node's are of the nearest above with weight."""
    counts = tree.nodes.counts
    empty = np.flatnonzero((tree.weights <= 0) & (tree.nodes.parent >= 0))
    if empty.size:
        counts = counts.copy()
        for node in empty.tolist():
            counts[node] = counts[tree.nodes.parent[node]]
    return counts * np.array(tree.decision.factors) if factors and tree.decision.factors else counts
