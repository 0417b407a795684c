"""Cutting: a tree with some of its subtrees turned to leaves, or taken up into their parent's place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.models.kinds.tree.nodes import Nodes


def cut_below(nodes: Nodes, leaf: Bools) -> Nodes:
    """Turn the marked nodes to leaves: what hangs below them is gone, their own counts and branch stay.

    `leaf` is [node]; marks below another mark, and on what is a leaf already, do nothing.
    """
    return keep_nodes(nodes, ~below(nodes, leaf), np.arange(len(nodes)), np.asarray(leaf))


def below(nodes: Nodes, marked: Bools) -> Bools:
    """[node] True where a node further up is marked."""
    at = np.flatnonzero(marked)
    depth = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.add.at(depth, at + 1, 1)
    np.add.at(depth, nodes.end[at], -1)
    hidden: Bools = np.cumsum(depth)[:-1] > 0
    return hidden


def keep_nodes(nodes: Nodes, keep: Bools, entered_as: Longs | Ints, leaf: Bools) -> Nodes:
    """The kept nodes, each entered by the branch of the node `entered_as`; the marked ones lose their split.

    Preorder survives any such choice, so a node's new `end` is the number of kept nodes before its old one.
    """
    kept = np.flatnonzero(keep)
    edge = entered_as[kept]
    before = np.concatenate(([0], np.cumsum(keep)))
    above = nodes.parent[edge]
    closed = leaf[kept]
    set_start, set_picked = _slices(nodes.set_start, edge)
    s_start, surrogates = _slices(nodes.s_start, kept, empty=closed)
    s_set_start, s_set_picked = _slices(nodes.s_set_start, surrogates)
    scores = nodes.scores[kept]
    scores[closed] = np.nan
    return replace(
        nodes,
        parent=np.where(above < 0, -1, before[above]),
        end=before[nodes.end[kept]],
        counts=nodes.counts[kept],
        scores=scores,
        share=nodes.share[edge],
        otherwise=np.where(closed, -1, nodes.otherwise[kept]),
        attribute=nodes.attribute[edge],
        low=nodes.low[edge],
        high=nodes.high[edge],
        or_missing=nodes.or_missing[edge],
        set_start=set_start,
        set_codes=nodes.set_codes[set_picked],
        s_start=s_start,
        s_attribute=nodes.s_attribute[surrogates],
        s_limit=nodes.s_limit[surrogates],
        s_branch=nodes.s_branch[surrogates],
        s_agreement=nodes.s_agreement[surrogates],
        s_set_start=s_set_start,
        s_set_split=nodes.s_set_split[surrogates] - nodes.s_set_start[surrogates] + s_set_start[:-1],
        s_set_codes=nodes.s_set_codes[s_set_picked],
    )


def _slices(start: Longs, picked: Longs | Ints, empty: Bools | None = None) -> tuple[Longs, Longs]:
    """The slices start[i] : start[i + 1] of the picked i, end to end: new starts, and old positions."""
    length = start[picked + 1] - start[picked]
    if empty is not None:
        length = np.where(empty, 0, length)
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(length)))
    positions = np.arange(starts[-1]) + np.repeat(start[picked] - starts[:-1], length)
    return starts, positions


# Bottom up: which splits go when a node is judged only after all that hangs below it.


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
