"""Collapsing, step by step: does what hangs below a split spare the training rows an error?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.derive.trees.pessimistic_errors import ROWS
from clearwood.formulas.expressions import Compared, Number, Sum, Symbol
from clearwood.learners.trees.pruning.collapse import MARGIN, idle_splits, training_errors
from clearwood.learners.trees.pruning.places import TreeUnderPruning
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps, StepAt, cutting
from clearwood.learners.trees.pruning.split_steps import CHAPTER
from clearwood.models.cutting import below as hidden_below
from clearwood.models.tree import Tree
from clearwood.words.numbers import with_noun
from clearwood.working.derivation import BecameLeaf, Kept, Step
from clearwood.working.figures import Figure, Grid, Rows, less, named, plain


def collapse_steps(tree: Tree, *_: Any) -> PruningSteps:
    """A step for each split that was looked at, from the top down."""
    places, nodes = TreeUnderPruning(tree), tree.nodes
    alone, below = training_errors(tree)
    cut = idle_splits(tree)
    seen = np.flatnonzero(~nodes.is_leaf & ~hidden_below(nodes, cut)).tolist()
    steps = [StepAt(node, partial(_step, places, node, bool(cut[node]), alone, below)) for node in seen]
    return cutting(tree, cut, steps)


def _step(places: TreeUnderPruning, node: int, cut: bool, alone: Floats, below: Floats) -> Step:
    tree = places.tree
    counts = tree.nodes.counts[node]
    weighed = counts * np.asarray(tree.decision.factors) if tree.decision.factors else counts
    as_leaf = Figure(
        "training errors as a leaf",
        float(alone[node]),
        less(
            ROWS,
            Symbol("n", "most common class", "the number of them of the most common class"),
        ),
        less(plain(float(weighed.sum())), plain(float(weighed.max()))),
    )
    children = tree.nodes.children(node)
    parts = [float(below[child]) for child in children]
    subtree = Figure(
        "training errors of the subtree",
        float(below[node]),
        put_in=Sum(tuple(map(plain, parts))),
        grids=(
            Grid(
                "Branches",
                ("branch", "training errors below"),
                [(str(tree.condition(child)), part) for child, part in zip(children, parts, strict=True)],
                on_sheet=("given", "asked"),
            ),
        ),
    )
    spares = Figure(
        "subtree ≥ leaf − 0.001",
        cut,
        put_in=Compared(named(subtree), "≥", less(named(as_leaf), Number(MARGIN))),
        because="Then what is below spares no error; a thousandth of a row is none.",
    )
    decision = (
        f"{with_noun(f'{subtree.value:.4g}', 'error')} with what is below, {as_leaf.value:.4g} without: "
        f"{'it becomes a leaf' if cut else 'it stays'}."
    )
    return Step(
        CHAPTER,
        f"Collapse {places.split(node)}?",
        (as_leaf, subtree, spares),
        decision,
        (BecameLeaf if cut else Kept)(node),
        Rows(float(counts.sum()), places.conditions(node)),
    )
