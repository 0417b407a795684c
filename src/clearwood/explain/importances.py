"""Importances: each column's share of all the impurity that the tree's splits take away."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.measures import IMPURITIES
from clearwood.models.ensemble import Ensemble
from clearwood.models.tree import Tree


def tree_importances(tree: Tree, measure: str = "gini") -> Floats:
    """[attribute] the parts, adding up to 1; all zero where nothing was split, or nothing gained."""
    decrease = np.maximum(impurity_decreases(tree, measure), 0.0)
    return decrease / decrease.sum() if decrease.any() else decrease


def impurity_decreases(tree: Tree, measure: str = "gini") -> Floats:
    """[attribute] weight times impurity that the splits on it take away.

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
    return np.asarray(before - after, dtype=np.float64)


def importances_of_trees(ensemble: Ensemble, measure: str = "") -> Floats:
    """[attribute] the mean of the trees' importances, by their weights; of a sum, whose steps share one
    scale, each column's part of all that the splits of all trees gain."""
    trees = ensemble.trees
    if trees is None:
        raise SettingError("Impurity importances are of trees; the members of this ensemble are others.")
    columns = len(ensemble.schema.attributes)
    if ensemble.combined_by == "sum" and trees.score_names:
        splits = np.flatnonzero(~trees.nodes.is_leaf)
        gains = np.nan_to_num(trees.nodes.scores[splits, 0])
        total: Floats = np.bincount(trees.nodes.attribute[splits + 1], gains, minlength=columns).astype(
            np.float64
        )
    else:
        named = measure or (trees.measure if trees.measure in IMPURITIES else "gini")
        total = np.zeros(columns)
        for place, member in enumerate(ensemble.members):
            assert isinstance(member, Tree)
            total += ensemble.weight(place) * tree_importances(member, named)
    return total / total.sum() if total.sum() > 0 else total
