"""What a learner's own pruning made of the tree it grew, and where the grown nodes ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.derive.trees.price_of_a_leaf import tried_prices
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.pruning.collapse import collapse
from clearwood.learners.trees.pruning.cross_validated_alpha import CrossValidatedAlpha
from clearwood.learners.trees.pruning.pessimistic import prune_with_raising, prune_without_raising
from clearwood.learners.trees.pruning.places import kept_by, numbered
from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path, cut_at
from clearwood.models.nodes import Bools, Longs
from clearwood.models.tree import Tree
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """The tree that learning gives; `became` [grown node] is a node's number in it (−1: it is gone), and
    `tried` the prices of a leaf among which cross-validation chose, where it did."""

    tree: Tree
    became: Longs
    tried: CrossValidatedAlpha | None = None


def learned_from(learner: TreeLearner, grown: Tree, table: Table) -> Learned:
    """The learner's own pruning, done again."""
    match learner:
        case C45():
            return _by_c45(learner, grown, table)
        case CART() if learner.alpha is not None:
            tried = tried_prices(learner, grown, table)
            path = cost_complexity_path(grown) if tried is None else tried.path
            alpha = float(learner.alpha) if tried is None else tried.alpha
            tree = cut_at(grown, path, alpha)
            return Learned(tree, numbered(_kept_places(grown, tree)), tried)
        case _:
            return Learned(grown, np.arange(grown.size))


def _by_c45(learner: C45, grown: Tree, table: Table) -> Learned:
    start = collapse(grown) if learner.collapse else grown
    keep = _kept_places(grown, start)
    if not learner.prune:
        return Learned(start, numbered(keep))
    how = learner.confidence, learner.confidence_table
    if learner.raise_subtrees:
        pruned = prune_with_raising(start, table, *how)
        keep[keep] = kept_by(start.nodes, pruned.node, pruned.raised)
    else:
        pruned = prune_without_raising(start, *how)
        keep = _kept_places(grown, pruned.tree)
    return Learned(pruned.tree, numbered(keep))


def _kept_places(grown: Tree, cut: Tree) -> Bools:
    """[grown node] Is it in a tree that differs only by splits that became leaves?"""
    keep = np.zeros(len(grown.nodes), dtype=np.bool_)
    waiting = [(0, 0)]
    while waiting:
        node, kept = waiting.pop()
        keep[node] = True
        below = cut.nodes.children(kept)
        if below:
            waiting.extend(zip(grown.nodes.children(node), below, strict=True))
    return keep
