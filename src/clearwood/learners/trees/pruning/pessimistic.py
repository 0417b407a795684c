"""Error-based pruning, as C4.5 does it: would a leaf, or the largest branch alone, err no more?"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.errors import LearningError
from clearwood.learners.learner import Grow, OwnPruner
from clearwood.learners.trees.growing import rows_to_add_up
from clearwood.measures.inference import ConfidenceTable, deviate
from clearwood.models.decision import cost_matrix
from clearwood.models.kinds.tree.nodes import cheaper_as_leaf, cut_below, keep_nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_space import columns_of_nodes
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
    target = np.ascontiguousarray(column_for(tree.schema.predicted, table))
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


# Collapsing, before C4.5 prunes: a subtree that corrects no error of the training rows becomes a leaf.


MARGIN = 1e-3  # errors that a subtree must spare, at least


def collapse(tree: Tree) -> Tree:
    """Turn to leaves the splits that err as much on the training rows as they would without what is below."""
    return replace(tree, nodes=cut_below(tree.nodes, idle_splits(tree)))


def idle_splits(tree: Tree) -> Bools:
    """[node] The splits that spare no training error."""
    alone, below = training_errors(tree)
    return np.asarray(~tree.nodes.is_leaf & (below >= alone - MARGIN))


def training_errors(tree: Tree) -> tuple[Floats, Floats]:
    """[node] The errors each node would make as a leaf, and those its leaves make."""
    nodes = tree.nodes
    counts = nodes.counts * np.array(tree.decision.factors) if tree.decision.factors else nodes.counts
    alone = counts.sum(axis=1) - counts.max(axis=1)
    # A subtree is a slice of the preorder, so its leaves' errors are a difference of running sums.
    running = np.concatenate(([0.0], np.cumsum(np.where(nodes.is_leaf, alone, 0.0))))
    return alone, running[nodes.end] - running[:-1]


# As learners use them, without a ledger.


def _error_based(tree: Tree, table: Table, _: Grow, settings: Mapping[str, Any]) -> Tree:
    how = settings["confidence"], settings["confidence_table"]
    if settings["raise_subtrees"]:
        rows = rows_to_add_up(table, columns_of_nodes(tree.schema, tree.nodes))
        return prune_with_raising(tree, rows, *how).tree
    return prune_without_raising(tree, *how).tree


COLLAPSE: Final = OwnPruner(
    lambda tree, *_: collapse(tree), steps="clearwood.deriving.trees.pessimistic_errors:collapse_steps"
)
ERROR_BASED: Final = OwnPruner(_error_based)


# Judgements: every decision of error-based pruning, those to keep a split too, with its numbers.


KEPT: Final = -2
LEAF: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """The smaller tree; and entry i is the i-th split judged, errors are those expected.

    A raised branch is judged again. `became` is KEPT, LEAF, or the node at the end of the `largest` branch,
    which took the split's place. What the errors add up from are the parts part_start[i] : branch_start[i]
    (the split's branches) and, with all its rows sent through the largest branch, branch_start[i] :
    part_start[i + 1]: that branch's leaves or, of more than 40, its own branches.
    """

    tree: Tree
    node: Ints
    largest: Ints
    became: Ints
    as_leaf: Floats
    subtree: Floats
    as_branch: Floats  # ∞ where no branch was tried
    counts: Floats  # [judgement, class]
    part_start: Longs
    branch_start: Longs
    part_node: Ints
    part_leaf: Ints
    part_errors: Floats
    part_counts: Floats  # [part, class]

    def __len__(self) -> int:
        return len(self.node)


def judge_with_raising(
    tree: Tree, table: Table, confidence: float, confidence_table: ConfidenceTable
) -> Judgements:
    """What `prune_with_raising` decides, in its order."""
    arrays = _native.error_based_judgements(
        tree.nodes, *counted_again(tree, table), *judging(tree, confidence, confidence_table)
    )
    judgements = Judgements(with_raised(tree, *arrays[:5]), *arrays[5:])
    classes = tree.nodes.counts.shape[1]
    return replace(
        judgements,
        counts=judgements.counts.reshape(-1, classes),
        part_counts=judgements.part_counts.reshape(-1, classes),
    )


def judge_without_raising(tree: Tree, confidence: float, confidence_table: ConfidenceTable) -> Judgements:
    """What `prune_without_raising` decides, bottom up."""
    nodes = tree.nodes
    as_leaf = _native.expected_errors(nodes.counts, *judging(tree, confidence, confidence_table))
    cut, subtree = cheaper_as_leaf(nodes, as_leaf, slack=TOLERANCE)
    at = np.flatnonzero(~nodes.is_leaf)[::-1].astype(np.int32)
    children = [nodes.children(node) for node in at.tolist()]
    part = np.array([child for each in children for child in each], dtype=np.int32)
    start = np.concatenate(([0], np.cumsum([len(each) for each in children]))).astype(np.int64)
    ends = nodes.is_leaf | cut
    return Judgements(
        replace(tree, nodes=cut_below(nodes, cut)),
        at,
        np.full(len(at), -1, dtype=np.int32),
        np.where(cut[at], LEAF, KEPT).astype(np.int32),
        as_leaf[at],
        subtree[at],
        np.full(len(at), np.inf),
        nodes.counts[at],
        start,
        start[1:],
        part,
        ends[part].astype(np.int32),
        np.where(ends, as_leaf, subtree)[part],
        nodes.counts[part],
    )
