"""Places: where the splits of a tree that is being pruned stood when each decision was made."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Ints, Longs
from clearwood.formulas.conditions import Condition, all_of
from clearwood.learners.trees.pruning.judgements import KEPT, LEAF
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.paths import merged_conditions
from clearwood.models.kinds.tree.tree import Tree

WHOLE: Final = "the whole"  # the way from a node to itself


@dataclass(frozen=True, slots=True, eq=False)
class TreeUnderPruning:
    """A tree under pruning, and which branches took the place of the splits above them."""

    tree: Tree
    raised: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    # by node: after which decision it hung on which branch, in order

    def conditions(self, node: int, decision: int = 0, since: int = -1) -> tuple[Condition, ...]:
        """What held of the rows that came to a node (from another above it) when this decision was made."""
        conditions: list[Condition] = []
        parent = self.tree.nodes.parent
        while node != since and (edge := self._edge(node, decision)) > 0:
            conditions.append(self.tree.condition(edge))
            node = int(parent[edge])
        return merged_conditions(conditions[::-1])

    def _edge(self, node: int, decision: int) -> int:
        """The node whose branch led into this one then."""
        moves = self.raised.get(node)
        if not moves:
            return node
        last = bisect_right(moves, (decision, -1)) - 1
        return node if last < 0 else moves[last][1]

    def way(self, node: int, since: int, decision: int = 0) -> str:
        """The way down from one node to another, in words."""
        return all_of(self.conditions(node, decision, since)) or WHOLE

    def split(self, node: int, decision: int = 0) -> str:
        """A split in words: what it asks, and of which rows."""
        when = self.conditions(node, decision)
        return f"the split on {asks(self.tree, node)}" + (
            f" where {all_of(when)}" if when else " at the root"
        )


def asks(tree: Tree, node: int) -> str:
    """The attribute a split asks about."""
    return tree.schema.attributes[int(tree.nodes.attribute[node + 1])].name


def kept_by(nodes: Nodes, at: Ints, became: Ints) -> Bools:
    """[node] Is it there after decisions at these nodes, each kept, made a leaf, or replaced by one below?"""
    alive = np.ones(len(nodes), dtype=np.bool_)
    for node, above in zip(at.tolist(), became.tolist(), strict=True):
        if above == LEAF:
            alive[node + 1 : nodes.end[node]] = False
        elif above != KEPT:
            # What lives below the raised node lies between its own place and its old end.
            alive[node:above] = False
            alive[nodes.end[above] : nodes.end[node]] = False
    return alive


def renumbered(keep: Bools) -> Longs:
    """[node] Its number among those that are kept; −1 for the others."""
    return np.where(keep, np.cumsum(keep) - 1, -1).astype(np.int64)


def branch_of(tree: Tree, node: int, below: int) -> int:
    """Which branch of a node, from 0, leads to one below it."""
    children: Sequence[int] = tree.nodes.children(node)
    return bisect_right(children, below) - 1
