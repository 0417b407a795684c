"""Minimum description length: keep a split only if asking it shortens the message (Quinlan & Rivest 1989).

The message gives someone who knows the attributes the class of each row: first the tree, then
the classes of the rows in each leaf. In bits:

- one per node: is it a leaf?
- for a split, which attribute, log2(inputs), and which of the ways to part its values: C(n − 1, b − 1) for b
  intervals of a number over n rows, C(v − 1, b − 1) for b runs of v ordered values, the Stirling number
  S(v, b) for b groups of v values, so none where each value has its own branch;
- for the n rows of a leaf, k classes, Σ nᵢ log2(n ÷ nᵢ) + (k − 1)/2 · log2(n ÷ 2) + log2(π^(k/2) ÷ Γ(k/2)):
  the stochastic complexity of Mehta, Rissanen & Agrawal (1995), with the middle term not below 0;
- for numbers, the normal code n/2 · log2(variance) + error ÷ (2 ln 2 · variance) and log2 n for its two
  parameters. The leaf's variance takes in one row's worth of the root's, since no finite code is exact.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.learners.trees.pruning.ledger import PrunedTree, cut_to_leaves
from clearwood.learners.trees.pruning.pruner import Pruner
from clearwood.measures.counts import xlog2x
from clearwood.models.cutting import cheaper_as_leaf
from clearwood.models.kept import check_kind
from clearwood.models.tree import Tree
from clearwood.table.attributes import Nominal, Numeric


def prune_description_length(tree: Tree) -> PrunedTree:
    """Bottom up, replace a split by a leaf if the description does not get longer."""
    check_kind("prune_description_length", tree, Tree)
    as_leaf = bits_as_leaf(tree)
    cut, subtree = cheaper_as_leaf(tree.nodes, as_leaf, 1.0 + bits_of_splits(tree))
    return cut_to_leaves(
        "mdl",
        tree,
        cut,
        {"bits": subtree},
        {"bits": as_leaf},
        "{after_bits:.4g} bits as a leaf, {before_bits:.4g} as a split",
    )


def bits_as_leaf(tree: Tree) -> Floats:
    """[node] What a node's rows cost if it is a leaf, with the bit that marks it as one."""
    return 1.0 + (_bits_of_numbers(tree) if tree.is_numeric else _bits_of_classes(tree.nodes.counts))


def _bits_of_classes(counts: Floats) -> Floats:
    n, k = counts.sum(axis=1), counts.shape[1]
    constant = k / 2 * math.log2(math.pi) - math.lgamma(k / 2) / math.log(2)
    spread = xlog2x(n) - xlog2x(counts).sum(axis=1)
    parameters = (k - 1) / 2 * np.log2(np.maximum(n / 2, 1.0)) + constant
    return np.asarray(np.where(n > 0, spread + parameters, 0.0))


def _bits_of_numbers(tree: Tree) -> Floats:
    n, _, error = tree.nodes.counts.T
    root = error[0] / n[0] if n[0] > 0 and error[0] > 0 else 1.0
    variance = (error + root) / (n + 1)
    bits = (
        n / 2 * np.log2(variance / root) + error / (2 * math.log(2) * variance) + np.log2(np.maximum(n, 1.0))
    )
    return np.asarray(np.where(n > 0, bits, 0.0))


def bits_of_splits(tree: Tree) -> Floats:
    """[node] Which attribute, and which of the ways to part its values; 0 at a leaf."""
    nodes, attributes = tree.nodes, tree.schema.attributes
    which = math.log2(max(len(tree.schema.inputs), 1))
    weight = tree.weights.tolist()
    branches = np.bincount(nodes.parent[1:], minlength=len(nodes)).tolist()
    values = np.zeros(len(nodes), dtype=np.int64)
    np.add.at(values, nodes.parent[1:], np.diff(nodes.set_start)[1:] + nodes.or_missing[1:])
    tested, met = nodes.attribute.tolist(), values.tolist()
    bits = [0.0] * len(nodes)
    for node, groups in enumerate(branches):
        if not groups:
            continue
        attribute = attributes[tested[node + 1]]
        if isinstance(attribute, Nominal):
            ways = log2_stirling(met[node], groups)
        else:
            ways = log2_choose(
                (weight[node] if isinstance(attribute, Numeric) else met[node]) - 1, groups - 1
            )
        bits[node] = which + ways
    return np.array(bits)


def log2_choose(n: float, k: int) -> float:
    """log2 of the ways to choose k of n; n may be a weight, and at least k of it are taken to be there."""
    n = max(n, k)
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)


@cache
def log2_stirling(items: int, groups: int) -> float:
    """log2 of the ways to part items into so many groups, none empty.

    >>> round(2 ** log2_stirling(4, 2), 9), round(2 ** log2_stirling(10, 4), 6), log2_stirling(5, 5)
    (7.0, 34105.0, 0.0)
    """
    if groups >= items:
        return 0.0
    # S(g + d, g) = Σ_{j ≤ g} j · S(j + d − 1, j), and S(j, j) = 1; in logarithms, since no float is so large.
    sizes = np.log(np.arange(1.0, groups + 1))
    ways = np.zeros(groups)
    for _ in range(items - groups):
        ways = np.logaddexp.accumulate(sizes + ways)
    return float(ways[-1]) / math.log(2)


PRUNER: Final = Pruner(
    prune_description_length,
    "Cut splits that lengthen the description (Quinlan and Rivest 1989).",
    steps=f"{__name__}_steps:description_length_steps",
)
