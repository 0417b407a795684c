"""Where the nodes of a grown tree ended: their numbers in the tree that the pruning made of it."""

from __future__ import annotations

import numpy as np

from clearwood.errors import LearningError
from clearwood.learners.c45 import C45
from clearwood.learners.for_trees.collapse import collapse
from clearwood.learners.for_trees.pessimistic_pruning import prune_with_raising
from clearwood.learners.learner import TreeLearner
from clearwood.models.nodes import Bools
from clearwood.models.tree import Tree
from clearwood.table.table import Table


def ended_as(learner: TreeLearner, grown: Tree, table: Table, final: Tree) -> list[int]:
    """[grown node] the final tree's node that it became; −1 where it is gone."""
    if isinstance(learner, C45) and learner.prune and learner.raise_subtrees:
        start = collapse(grown) if learner.collapse else grown
        pruned = prune_with_raising(start, table, learner.confidence, learner.confidence_table)
        keep = _kept_places(grown, start)
        keep[keep] = _kept_by_raising(start, pruned.node.tolist(), pruned.raised.tolist())
    else:
        keep = _kept_places(grown, final)
    if int(keep.sum()) != len(final.nodes):
        raise LearningError(
            "This tree is not what its learner makes of this table: it was changed since. Learn it again."
        )
    found: list[int] = np.where(keep, np.cumsum(keep) - 1, -1).tolist()
    return found


def _kept_places(grown: Tree, cut: Tree) -> Bools:
    """[grown node] Is it in a tree that differs only by splits that became leaves?"""
    keep = np.zeros(len(grown.nodes), dtype=np.bool_)
    waiting = [(0, 0)]
    while waiting:
        node, kept = waiting.pop()
        keep[node] = True
        below = cut.nodes.children(kept)
        if below:
            waiting.extend(zip(grown.nodes.children(node), below, strict=False))
    return keep


def _kept_by_raising(tree: Tree, places: list[int], raised: list[int]) -> Bools:
    """[node] Is it there when splits became leaves (−1) or their branches took their places?"""
    keep = np.ones(len(tree.nodes), dtype=np.bool_)
    end = tree.nodes.end
    for node, child in zip(places, raised, strict=True):
        if child < 0:
            keep[node + 1 : end[node]] = False
        else:
            keep[node:child] = False
            keep[end[child] : end[node]] = False
    return keep
