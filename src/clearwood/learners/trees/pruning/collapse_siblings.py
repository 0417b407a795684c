"""Sibling collapse: a question whose every answer leads to the same class need not be asked."""

from __future__ import annotations

import numpy as np

from clearwood.learners.trees.pruning.ledger import Pruned, cut_to_leaves
from clearwood.models.bottom_up import while_children_are_leaves
from clearwood.models.kinds import check_kind
from clearwood.models.nodes import Bools
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_codes, node_values


def collapse_siblings(tree: Tree) -> Pruned:
    """Merge sibling leaves that give the same answer, bottom up.

    A row that ends in one leaf is answered as before; one that ends in several averages fewer of them.
    """
    check_kind("collapse_siblings", tree, Tree)
    nodes = tree.nodes
    branches = np.bincount(nodes.parent[1:], minlength=len(nodes)).astype(np.float64)
    return cut_to_leaves(
        "collapse_siblings",
        tree,
        while_children_are_leaves(nodes, of_one_answer(tree)),
        {"leaves": branches},
        {"leaves": np.ones(len(nodes))},
        "all {before_leaves:.0f} branches give the same answer",
    )


def of_one_answer(tree: Tree) -> Bools:
    """[node] Do all of its children answer as it does?"""
    nodes = tree.nodes
    above = nodes.parent[1:]
    answers = node_values(tree) if tree.is_numeric else node_codes(tree)
    agree = np.ones(len(nodes), dtype=np.bool_)
    np.logical_and.at(agree, above, answers[1:] == answers[above])
    return agree
