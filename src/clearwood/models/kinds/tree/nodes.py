"""Nodes: a tree as columns, one entry a node, in preorder.

This is the form the native code writes and reads; `Tree.root` is the same thing as objects.

Glossary. A node's *branch* is the edge that leads into it, so every array below has one entry per
node and the root's branch is empty. Preorder and `end` say the whole shape: the children of node i
begin at i + 1, the next sibling of a child c is end[c], and a subtree is the slice i : end[i].

    parent      int32   [node]         the node above; −1 at the root
    end         int32   [node]         one past the last node of the subtree
    counts      float64 [node, class]  row weight by class; for numbers [node, 3]: weight, value, error
    scores      float64 [node, score]  what decided the split, by `Tree.score_names`; NaN at a leaf
    share       float64 [node]         the branch's part of the weight known at its parent; 1 at the root
    otherwise   int32   [node]         for a row no branch takes: the branch (0, 1, …) it follows;
                                       −1: down every branch by its share
    attribute   int32   [node]         what the branch into this node tests, by its place in the
                                       schema; −1 at the root
    low, high   float64 [node]         a numeric branch takes low < x ≤ high; −inf, +inf where none is numeric
    or_missing  bool    [node]         the branch takes an empty cell as well
    set_start   int64   [node + 1]     a nominal or ordinal branch takes the codes
    set_codes   int32   [·]            set_codes[set_start[i] : set_start[i + 1]]

A branch with an empty set and `or_missing` is `IsMissing` (a numeric one has low = high = +inf).

Surrogates, for binary splits, stand in when the split's own attribute is empty; they are tried in
order, each only if its own attribute is known (and, for a nominal one, its value was met there):

    s_start     int64   [node + 1]     node i's surrogates are the entries s_start[i] : s_start[i + 1]
    s_attribute int32   [surrogate]
    s_limit     float64 [surrogate]    a numeric one: x ≤ limit goes to `s_branch`, above it to the other;
                                       0 for a nominal one
    s_branch    int32   [surrogate]    0 or 1
    s_agreement float64 [surrogate]    the part of the rows it sends as the split does
    s_set_start int64   [surrogate + 1]  a nominal surrogate: codes that go to `s_branch` come first, …
    s_set_split int64   [surrogate]      … up to here; from here to the end the codes that go to the other
    s_set_codes int32   [·]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The columns of a tree; see the glossary above. The arrays are read-only."""

    parent: Ints
    end: Ints
    counts: Floats
    scores: Floats
    share: Floats
    otherwise: Ints
    attribute: Ints
    low: Floats
    high: Floats
    or_missing: Bools
    set_start: Longs
    set_codes: Ints
    s_start: Longs
    s_attribute: Ints
    s_limit: Floats
    s_branch: Ints
    s_agreement: Floats
    s_set_start: Longs
    s_set_split: Longs
    s_set_codes: Ints

    def __post_init__(self) -> None:
        for each in fields(self):
            array = np.ascontiguousarray(getattr(self, each.name), dtype=_DTYPES[each.name])
            array.flags.writeable = False
            object.__setattr__(self, each.name, array)

    def __len__(self) -> int:
        return len(self.parent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nodes) and all(
            np.array_equal(
                getattr(self, f.name), getattr(other, f.name), equal_nan=_DTYPES[f.name] is np.float64
            )
            for f in fields(self)
        )

    def __reduce__(self) -> tuple[type[Nodes], tuple[Any, ...]]:
        # A copy is made anew, since NumPy's pickles forget that an array is read-only.
        return Nodes, tuple(getattr(self, f.name) for f in fields(self))

    @property
    def is_leaf(self) -> Bools:
        """[node] True where nothing hangs below."""
        leaf: Bools = self.end == np.arange(1, len(self) + 1)
        return leaf

    def children(self, node: int) -> list[int]:
        """The children of a node, in the order of its branches."""
        nodes, child, stop = [], node + 1, int(self.end[node])
        while child < stop:
            nodes.append(child)
            child = int(self.end[child])
        return nodes


def weight_of(counts: Sequence[float], *, numeric: bool) -> float:
    """The weight of the rows behind counts: by class their sum, of numbers the first of the three.

    >>> weight_of((3.0, 2.5), numeric=False), weight_of((3.0, 71.5, 12.0), numeric=True)
    (5.5, 3.0)
    """
    return counts[0] if numeric else sum(counts)


_DTYPES: dict[str, Any] = {
    "parent": np.int32, "end": np.int32, "counts": np.float64, "scores": np.float64, "share": np.float64,
    "otherwise": np.int32, "attribute": np.int32, "low": np.float64, "high": np.float64,
    "or_missing": np.bool_,
    "set_start": np.int64, "set_codes": np.int32, "s_start": np.int64, "s_attribute": np.int32,
    "s_limit": np.float64, "s_branch": np.int32, "s_agreement": np.float64, "s_set_start": np.int64,
    "s_set_split": np.int64, "s_set_codes": np.int32,
}  # fmt: skip


def tested_by(nodes: Nodes) -> list[int]:
    """The positions of the attributes that a branch or a surrogate tests."""
    # Not np.union1d, which loads NumPy's masked arrays: 20 ms of a small program.
    asked = np.concatenate([nodes.attribute, nodes.s_attribute])
    positions: list[int] = np.bincount(asked[asked >= 0]).nonzero()[0].tolist()
    return positions


def conditions_of_leaves(nodes: Nodes) -> int:
    """Of each leaf those on the way to it: each node's condition stands in all leaves below it."""
    leaves_before = np.concatenate([[0], np.cumsum(nodes.is_leaf)])
    leaves_below = leaves_before[nodes.end] - leaves_before[np.arange(len(nodes))]
    return int(leaves_below[nodes.parent >= 0].sum())


# Cutting: a tree with some of its subtrees turned to leaves, or taken up into their parent's place.


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
