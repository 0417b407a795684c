"""Importances: each column's share of all the impurity that the tree's splits take away."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures import IMPURITIES
from clearwood.models.tree import Tree


def importances(tree: Tree, measure: str = "gini") -> Floats:
    """[attribute] the parts, adding up to 1; all zero where nothing was split, or nothing gained.

    For classes by this measure of the nodes' counts (times the factors of priors, if any), for numbers
    by the nodes' errors.
    """
    nodes = tree.nodes
    if tree.is_numeric:
        impurity = nodes.counts[:, 2]
    else:
        counts = nodes.counts * np.array(tree.decision.factors or 1.0)
        impurity = counts.sum(axis=1) * IMPURITIES[measure](counts)
    splits = np.flatnonzero(~nodes.is_leaf)
    columns = len(tree.schema.attributes)
    # The children of a split begin right after it, and a child's branch holds the attribute of the split.
    before = np.bincount(nodes.attribute[splits + 1], impurity[splits], minlength=columns)
    after = np.bincount(nodes.attribute[1:], impurity[1:], minlength=columns)
    decrease: Floats = np.maximum(before - after, 0.0)
    return decrease / decrease.sum() if decrease.any() else decrease
