"""Collapsing, before C4.5 prunes: a subtree that corrects no error of the training rows becomes a leaf."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.models.kinds.tree.cutting import cut_below
from clearwood.models.kinds.tree.tree import Tree

MARGIN = 1e-3  # errors that a subtree must spare, at least


def collapse(tree: Tree) -> Tree:
    """Turn to leaves the splits that err as much on the training rows as they would without what is below."""
    return replace(tree, nodes=cut_below(tree.nodes, idle_splits(tree)))


def idle_splits(tree: Tree) -> Bools:
    """[node] The splits that spare no training error."""
    alone, below = training_errors(tree)
    return np.asarray(~tree.nodes.is_leaf & (below >= alone - MARGIN))


def training_errors(tree: Tree) -> tuple[Floats, Floats]:
    """[node] The errors each node would make as a leaf, and those its leaves make."""
    nodes = tree.nodes
    counts = nodes.counts * np.array(tree.decision.factors) if tree.decision.factors else nodes.counts
    alone = counts.sum(axis=1) - counts.max(axis=1)
    # A subtree is a slice of the preorder, so its leaves' errors are a difference of running sums.
    running = np.concatenate(([0.0], np.cumsum(np.where(nodes.is_leaf, alone, 0.0))))
    return alone, running[nodes.end] - running[:-1]
