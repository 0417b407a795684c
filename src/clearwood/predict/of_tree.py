"""A tree's answers to many rows at once: they go down it in native code, on every core."""

from __future__ import annotations

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.models.kept import kept
from clearwood.models.tree import Tree
from clearwood.predict.answers import ShareSmoothing, cost_matrix, node_codes, node_shares, node_values
from clearwood.predict.columns import cells_for
from clearwood.table.table import Table


def codes_of_tree(tree: Tree, table: Table) -> Ints:
    """[row] the position of each row's class.

    A cell that no branch takes (empty, or a value never met) follows the split's surrogates, then its
    `otherwise` branch; where there is neither, the row goes down every branch in parts, and the leaves'
    shares are averaged.
    """
    codes, shares, costs = _answers(tree)
    return _native.codes(tree.nodes, *cells_for(tree, table), len(table), codes, shares, costs)


@kept
def _answers(tree: Tree) -> tuple[Ints, Floats, Floats | None]:
    """What every node answers, its shares, and the costs."""
    shares = node_shares(tree)
    return node_codes(tree, shares), shares, cost_matrix(tree.decision)


def shares_of_tree(tree: Tree, table: Table, smoothing: ShareSmoothing) -> Floats:
    """[row, class] the share of each class where the row ends."""
    return averages(tree, table, node_shares(tree, smoothing))


def numbers_of_tree(tree: Tree, table: Table) -> Floats:
    """[row] the number each row's leaf answers."""
    return averages(tree, table, node_values(tree)[:, None])[:, 0]


def leaves_of_tree(tree: Tree, table: Table) -> Ints:
    """[row] the leaf that each row reaches; of several, the one with its largest part (first of equals)."""
    return _native.leaves(tree.nodes, *cells_for(tree, table), len(table))


def averages(tree: Tree, table: Table, figures: Floats) -> Floats:
    """[row, ·] what the nodes say (`said` [node, ·]) where each row ends, averaged over its parts."""
    flat = np.ascontiguousarray(figures, dtype=np.float64)
    return _native.averages(tree.nodes, *cells_for(tree, table), len(table), flat)
