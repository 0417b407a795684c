"""Pruned by rows that are not at hand: a step for each split that became a leaf, as the lineage has them."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from clearwood.derive.trees.leaves import leaf_figures
from clearwood.learners.trees.pruning.places import TreeUnderPruning
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps, StepAt, cutting
from clearwood.models.lineage import Pruned
from clearwood.models.tree import Tree
from clearwood.working.derivation import BecameLeaf, Step
from clearwood.working.figures import Rows

CHAPTER: Final = "Pruned afterwards"
_NUMBERS: Final = "The numbers are in the pruner's ledger: cw.derive_pruning, clearwood prune … --work."


def steps_without_rows(tree: Tree, done: Pruned) -> PruningSteps:
    """The cuts of a pruning whose rows are not at hand, without the numbers that decided."""
    cut = np.zeros(tree.size, dtype=np.bool_)
    cut[list(done.cuts)] = True
    places = TreeUnderPruning(tree)
    return cutting(tree, cut, [StepAt(node, partial(_step, places, node)) for node in done.cuts])


def _step(places: TreeUnderPruning, node: int) -> Step:
    tree, where = places.tree, places.conditions(node)
    counts = tuple(tree.nodes.counts[node].tolist())
    rows = Rows(counts[0] if tree.is_numeric else sum(counts), where)
    title = places.split(node)
    return Step(
        CHAPTER,
        title[0].upper() + title[1:],
        leaf_figures(tree, counts, rows),
        f"Rows that the tree was not learned from made it a leaf, and they are not here. {_NUMBERS}",
        BecameLeaf(node),
        rows,
    )
