"""Reduced-error pruning: cut each split that does not pay on rows the tree has not seen (Quinlan 1987)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood.errors import SettingError
from clearwood.learners.fingerprint import fingerprint
from clearwood.learners.trees.pruning.ledger import Pruned, cut_to_leaves
from clearwood.models.bottom_up import cheaper_as_leaf
from clearwood.models.kinds import check_kind
from clearwood.models.nodes import Floats
from clearwood.models.tree import Tree
from clearwood.predict.answers import cost_matrix, node_codes, node_values
from clearwood.predict.through import count_through
from clearwood.table.table import Table


def reduced_error(tree: Tree, validation: Table) -> Pruned:
    """Bottom up, replace a split by a leaf when the validation rows' error does not rise.

    The error is the cost of the wrong answers, or the squared error of numbers. A split that no
    validation row reaches is cut: nothing speaks for it. The rows that the tree was learned from are refused.
    """
    check_kind("reduced_error", tree, Tree)
    if not len(validation):
        raise SettingError("Reduced-error pruning needs validation rows, and this table has none.")
    if tree.origin.fingerprint and tree.origin.fingerprint == fingerprint(validation):
        raise SettingError(
            "The tree was learned from these very rows, which speak for every split of it. Reduced-error "
            "pruning needs rows it has not seen: keep some back before learning."
        )
    as_leaf = validation_errors(tree, validation)
    cut, subtree = cheaper_as_leaf(tree.nodes, as_leaf)
    return cut_to_leaves(
        "reduced_error",
        tree,
        cut,
        {"errors": subtree},
        {"errors": as_leaf},
        "validation errors: {after_errors:.4g} as a leaf, {before_errors:.4g} as a split",
        rows=validation,
    )


def validation_errors(tree: Tree, validation: Table) -> Floats:
    """[node] The error of the validation rows that pass a node, were it a leaf."""
    return _squared_errors(tree, validation) if tree.is_numeric else _wrong_answers(tree, validation)


def _wrong_answers(tree: Tree, validation: Table) -> Floats:
    """[node] What the validation rows that pass a node would cost, were it a leaf."""
    counts, called, costs = count_through(tree, validation), node_codes(tree), cost_matrix(tree.decision)
    if costs is not None:
        return np.asarray((counts * costs.T[called]).sum(axis=1))
    return np.asarray(counts.sum(axis=1) - counts[np.arange(len(counts)), called])


def _squared_errors(tree: Tree, validation: Table) -> Floats:
    """[node] Σ w · (y − the node's number)², from sums about the root's number so that no digits are lost."""
    assert tree.schema.target is not None
    name, values = tree.schema.target.name, node_values(tree)
    about = values - values[0]
    shifted = replace(
        validation, columns={**validation.columns, name: validation.target.astype(np.float64) - values[0]}
    )
    weight, total, squares = count_through(tree, shifted).T
    return np.asarray(np.maximum(squares - 2 * about * total + about**2 * weight, 0.0))
