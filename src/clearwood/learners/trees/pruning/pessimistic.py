"""Error-based pruning, as C4.5 does it: would a leaf, or the largest branch alone, err no more?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints
from clearwood.errors import LearningError
from clearwood.measures.pessimistic import ConfidenceTable, deviate
from clearwood.models.deciding import cost_matrix
from clearwood.models.kinds.tree.cutting import cheaper_as_leaf, cut_below, keep_nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.columns import cells_for, column_for
from clearwood.records import dataclass
from clearwood.table.table import Column, Table

TOLERANCE = 0.1 + 1e-6  # errors by which a subtree may be better and still be replaced


@dataclass(frozen=True, slots=True, eq=False)
class ErrorBased:
    """The smaller tree; and by cut: node, child raised into its place (−1: none), expected errors."""

    tree: Tree
    node: Ints
    raised: Ints
    before: Floats
    after: Floats


def prune_with_raising(
    tree: Tree, table: Table, confidence: float, confidence_table: ConfidenceTable
) -> ErrorBased:
    """Bottom up, replace a split by a leaf or by its largest branch where that is expected to err no more.

    A leaf must not err more than the branch either. On raising, the node's rows are sent through the branch
    again and all of it is judged anew (Quinlan 1993).
    """
    keep, leaf, entered_as, counts, share, node, raised, before, after = _native.error_based(
        tree.nodes, *counted_again(tree, table), *judging(tree, confidence, confidence_table)
    )
    smaller = with_raised(tree, keep, leaf, entered_as, counts, share)
    return ErrorBased(smaller, node, raised, before, after)


def prune_without_raising(tree: Tree, confidence: float, confidence_table: ConfidenceTable) -> ErrorBased:
    """Bottom up: a leaf if that is expected to err no more than the subtree. Needs no rows."""
    as_leaf = _native.expected_errors(tree.nodes.counts, *judging(tree, confidence, confidence_table))
    cut, subtree = cheaper_as_leaf(tree.nodes, as_leaf, slack=TOLERANCE)
    at = np.flatnonzero(cut)[::-1].astype(np.int32)
    smaller = replace(tree, nodes=cut_below(tree.nodes, cut))
    return ErrorBased(smaller, at, np.full(len(at), -1, dtype=np.int32), subtree[at], as_leaf[at])


def with_raised(
    tree: Tree, keep: Bools, leaf: Bools, entered_as: Ints, counts: Floats, share: Floats
) -> Tree:
    """The smaller tree as the native code gives it: a choice of nodes [node], and what they counted."""
    nodes = tree.nodes
    recounted = replace(nodes, counts=counts.reshape(nodes.counts.shape), share=share)
    return replace(tree, nodes=keep_nodes(recounted, keep, entered_as, leaf))


def counted_again(tree: Tree, table: Table) -> tuple[list[Column | None], Ints, Ints, Floats | None, Floats]:
    """The training rows as the native code takes them, and the tree's counts, which must be theirs."""
    nodes = tree.nodes
    cells, values = cells_for(tree, table)
    assert tree.schema.target is not None
    target = np.ascontiguousarray(column_for(tree.schema.target, table))
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    classes = len(tree.schema.classes)
    known = (target >= 0) & (target < classes)
    counts = np.bincount(target[known], None if weights is None else weights[known], minlength=classes)
    if not np.allclose(counts, nodes.counts[0], rtol=1e-6, atol=1e-6):
        raise LearningError(
            "Raising subtrees needs the rows the tree was learned from, and this table counts other classes: "
            f"{counts.tolist()}, not {nodes.counts[0].tolist()}. Give the training table."
        )
    return cells, values, target, weights, nodes.counts


def judging(
    tree: Tree, confidence: float, confidence_table: ConfidenceTable
) -> tuple[Floats | None, Floats | None, float, float, bool]:
    """How counts become an answer, and errors a charge, as the native code takes them."""
    factors = np.array(tree.decision.factors) if tree.decision.factors else None
    z = deviate(confidence, confidence_table)
    return factors, cost_matrix(tree.decision), confidence, z, confidence_table == "quinlan"
