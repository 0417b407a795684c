"""Many rows at once: classes, shares, leaves; the rows go down the tree in native code, on every core."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.errors import SettingError
from clearwood.models.nodes import Floats, Ints
from clearwood.models.tree import Tree
from clearwood.predict.answers import Smoothing, cost_matrix, node_codes, node_shares, node_values
from clearwood.predict.columns import cells_for, table_for


def predict(tree: Tree, rows: Any) -> npt.NDArray[Any]:
    """[row] the name of each row's class, or its number where the tree predicts numbers.

    `rows` is a Table, or anything a table can be made of. A cell that no branch takes (empty, or a
    value never met) follows the split's surrogates, then its `otherwise` branch; where there is
    neither, the row goes down every branch in parts, and the leaves' shares are averaged.
    """
    if tree.is_numeric:
        return averages(tree, rows, node_values(tree)[:, None])[:, 0]
    names = np.array(tree.schema.classes, dtype=object)
    return names[predict_codes(tree, rows)]


def predict_codes(tree: Tree, rows: Any) -> Ints:
    """[row] the position of each row's class in `tree.schema.classes`."""
    shares = _classes_only(tree, node_shares(tree))
    table = table_for(tree, rows)
    costs = cost_matrix(tree)
    return _native.codes(
        tree.nodes, *cells_for(tree, table), len(table), node_codes(tree, shares), shares, costs
    )


def shares(tree: Tree, rows: Any, *, smoothing: Smoothing = None) -> Floats:
    """[row, class] the share of each class where the row ends; `smoothing` as in `node_shares`."""
    return averages(tree, rows, _classes_only(tree, node_shares(tree, smoothing)))


def leaf_of(tree: Tree, rows: Any) -> Ints:
    """[row] the node each row ends in; of several, the one with its largest part (first of equals)."""
    table = table_for(tree, rows)
    return _native.leaves(tree.nodes, *cells_for(tree, table), len(table))


def averages(tree: Tree, rows: Any, said: Floats) -> Floats:
    """[row, ·] what the nodes say (`said` [node, ·]) where each row ends, averaged over its parts."""
    table = table_for(tree, rows)
    return _native.averages(
        tree.nodes, *cells_for(tree, table), len(table), np.ascontiguousarray(said, dtype=np.float64)
    )


def _classes_only(tree: Tree, shares: Floats) -> Floats:
    if tree.is_numeric:
        raise SettingError("This tree predicts a number: it has values, by predict, but no class shares.")
    return shares
