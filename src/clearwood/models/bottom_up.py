"""Bottom up: which splits go when a node is judged only after all that hangs below it."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.models.nodes import Nodes


def cheaper_as_leaf(
    nodes: Nodes, as_leaf: Floats, of_split: Floats | float = 0.0, slack: float = 0.0
) -> tuple[Bools, Floats]:
    """Cut where a leaf costs no more than the split and all below it, already cut at its best.

    `as_leaf` [node] is a node's cost as a leaf and `of_split` the cost of asking. Gives the cuts [node]
    and what each split cost when it was judged [node]; rounding (1e-12 of the costs) never decides.
    """
    count = len(nodes)
    parent, is_leaf, leaf_cost = nodes.parent.tolist(), nodes.is_leaf.tolist(), as_leaf.tolist()
    subtree = np.broadcast_to(np.asarray(of_split, dtype=np.float64), (count,)).tolist()
    cut = [False] * count
    for node in range(count - 1, -1, -1):
        cost = leaf_cost[node]
        if is_leaf[node]:
            subtree[node] = cost
        elif cost > subtree[node] + slack + 1e-12 * abs(cost):
            cost = subtree[node]
        else:
            cut[node] = True
        if node:
            subtree[parent[node]] += cost
    return np.array(cut), np.array(subtree)


def while_children_are_leaves(nodes: Nodes, allowed: Bools) -> Bools:
    """Cut a split that may be cut [node] once each of its children is a leaf, by nature or by a cut."""
    parent, is_leaf, may = nodes.parent.tolist(), nodes.is_leaf.tolist(), np.asarray(allowed).tolist()
    cut = [False] * len(parent)
    open_below = [False] * len(parent)
    for node in range(len(parent) - 1, -1, -1):
        if is_leaf[node]:
            continue
        if may[node] and not open_below[node]:
            cut[node] = True
        elif node:
            open_below[parent[node]] = True
    return np.array(cut)
