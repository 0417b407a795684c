"""Judgements: every decision of error-based pruning, those to keep a split too, with its numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints, Longs
from clearwood.learners.trees.pruning.pessimistic import TOLERANCE, counted_again, judging, with_raised
from clearwood.measures.pessimistic import ConfidenceTable
from clearwood.models.kinds.tree.cutting import cheaper_as_leaf, cut_below
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table

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
