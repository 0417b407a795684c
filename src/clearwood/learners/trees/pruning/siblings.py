"""Sibling collapse: a question whose every answer leads to the same class need not be asked."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.learners.trees.pruning.pruner import (
    PrunedTree,
    Pruner,
    PruningSteps,
    TreeUnderPruning,
    cut_to_leaves,
    split_step,
    steps_above_leaves,
)
from clearwood.models.kinds.tree.nodes import while_children_are_leaves
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_values
from clearwood.models.model import check_kind
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Grid, GridCell


def prune_siblings(tree: Tree) -> PrunedTree:
    """Merge sibling leaves that predict the same class, bottom up.

    A row that ends in one leaf is answered as before; one that ends in several averages fewer of them.
    """
    check_kind("prune_siblings", tree, Tree)
    nodes = tree.nodes
    branches = np.bincount(nodes.parent[1:], minlength=len(nodes)).astype(np.float64)
    return cut_to_leaves(
        "siblings",
        tree,
        while_children_are_leaves(nodes, of_one_answer(tree)),
        {"leaves": branches},
        {"leaves": np.ones(len(nodes))},
        "all {before_leaves:.0f} branches predict the same",
    )


def of_one_answer(tree: Tree) -> Bools:
    """[node] Do all of its children answer as it does?"""
    nodes = tree.nodes
    above = nodes.parent[1:]
    answers = node_values(tree) if tree.is_numeric else node_codes(tree)
    agree = np.ones(len(nodes), dtype=np.bool_)
    np.logical_and.at(agree, above, answers[1:] == answers[above])
    return agree


def sibling_steps(tree: Tree, _: Table | None, __: Mapping[str, Any]) -> PruningSteps:
    """A step for each split whose branches all ended in leaves, bottom up."""
    cut = while_children_are_leaves(tree.nodes, of_one_answer(tree))
    answers = node_values(tree) if tree.is_numeric else node_codes(tree).astype(np.float64)
    return steps_above_leaves(tree, cut, partial(_comparison_step, cut, answers))


def _comparison_step(cuts: Bools, answers: Floats, places: TreeUnderPruning, node: int) -> Step:
    tree, cut = places.tree, bool(cuts[node])

    def answer(of: int) -> GridCell:
        return float(answers[of]) if tree.is_numeric else tree.schema.classes[int(answers[of])]

    children = tree.nodes.children(node)
    rows: list[tuple[GridCell, ...]] = [
        ("without the question", answer(node)),
        *((str(tree.condition(child)), answer(child)) for child in children),
    ]
    figure = Figure("one prediction", cut, grids=(Grid("Predictions", ("branch", "predicted"), rows),))
    decision = (
        f"All {len(children)} branches predict the same: it becomes a leaf."
        if cut
        else "The branches predict differently: it stays."
    )
    return split_step(places, node, (figure,), decision, cut=cut)


PRUNER: Final = Pruner(
    prune_siblings,
    "Merge leaves that predict the same class; no prediction changes.",
    steps=sibling_steps,
    keeps_answers=True,
)
