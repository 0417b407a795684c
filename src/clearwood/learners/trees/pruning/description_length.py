"""Minimum description length, step by step: is the message shorter with the split, or without it?"""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Applied, Binomial, Expression, Log, Number, Over, Sum, Symbol
from clearwood.learners.trees.pruning.pruner import (
    NodeCosts,
    PrunedTree,
    Pruner,
    PruningSteps,
    cut_to_leaves,
    node_costs,
)
from clearwood.measures.impurity import xlog2x
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, named, plain

_N: Final = Symbol("n", means="the number of rows here")
_V_0: Final = Symbol("v", "0", "the variance at the root")


def description_length_steps(tree: Tree, _: Table | None, __: Mapping[str, Any]) -> PruningSteps:
    """A step for each split, bottom up."""
    split_bits = bits_of_splits(tree)
    costs = node_costs(tree, bits_as_leaf(tree), "bits", 1.0 + split_bits)
    return costs.steps(lambda node: _step(costs, node, float(split_bits[node])))


def _step(costs: NodeCosts, node: int, split_bits: float) -> Step:
    tree = costs.places.tree
    value = float(costs.as_leaf[node])
    figure = _numbers(tree, node, value) if tree.is_numeric else _classes(tree, node, value)
    return costs.step(node, figure, (_question(tree, node, split_bits),))


def _classes(tree: Tree, node: int, value: float) -> Figure:
    """1 + Σ nᵢ log₂(n/nᵢ) + (k − 1)/2 · log₂(n/2) + log₂(π^(k/2)/Γ(k/2))"""
    counts = tree.nodes.counts[node].tolist()
    n, k = sum(counts), len(counts)
    if not n > 0:
        return Figure("bits as a leaf", value, put_in=Number(1), because="No row comes here.")
    gamma = math.lgamma(k / 2) / math.log(2)
    constant = k / 2 * math.log2(math.pi) - gamma
    fixed = Figure(
        "constant",
        constant,
        _fixed(Symbol("classes"), Symbol("π"), None),
        _fixed(Number(k), Number(math.pi), gamma),
        because="It depends on the number of classes only.",
    )
    spread = tuple(plain(c) * Log(plain(n) / plain(c)) for c in counts if c > 0)
    half: Expression = plain(n) / 2 if n > 2 else Number(1)
    classes = (Number(k) - 1) / 2 * Log(half)
    i = Symbol("n", "i", "the number of rows of class i")
    formula = (
        1 + Over("Σ", "i", i * Log(_N / i)) + (Symbol("classes") - 1) / 2 * Log(_N / 2) + Symbol("constant")
    )
    return Figure(
        "bits as a leaf",
        value,
        formula,
        Sum((Number(1), *spread, classes, named(fixed))),
        because="One bit says that it is a leaf; the rest tells the classes of its rows.",
        under=(fixed,),
    )


def _fixed(k: Expression, pi: Expression, gamma: float | None) -> Expression:
    """k/2 · log₂ π − log₂ Γ(k/2)"""
    half = k / 2
    return half * Log(pi) - Applied("log₂ Γ", (half,), gamma)


def _numbers(tree: Tree, node: int, value: float) -> Figure:
    """1 + n/2 · log₂(v/v₀) + error/(2 ln 2 · v) + log₂ n"""
    counts = tree.nodes.counts
    n, _, error = (float(each) for each in counts[node])
    if not n > 0:
        return Figure("bits as a leaf", value, put_in=Number(1), because="No row comes here.")
    whole, _, all_error = (float(each) for each in counts[0])
    root = all_error / whole if whole > 0 and all_error > 0 else 1.0
    variance = Figure(
        "variance",
        (error + root) / (n + 1),
        (Symbol("error") + _V_0) / (_N + 1),
        (Number(error) + Number(root)) / (plain(n) + 1),
        because="With one row's worth of the root's variance, v₀.",
    )
    return Figure(
        "bits as a leaf",
        value,
        _normal(_N, Symbol("v", means="the variance here"), _V_0, Symbol("error"), _N),
        _normal(plain(n), named(variance), Number(root), Number(error), plain(max(n, 1.0))),
        because="One bit says that it is a leaf; the rest tells the numbers of its rows.",
        under=(variance,),
    )


def _normal(
    n: Expression, v: Expression, root: Expression, error: Expression, most: Expression
) -> Expression:
    two = Number(2)
    return 1 + n / two * Log(v / root) + error / (two * Log(two, "e") * v) + Log(most)


def _question(tree: Tree, node: int, value: float) -> Figure:
    """1 + log₂(inputs) + log₂(ways): that it splits, on which attribute, and how its values are parted."""
    nodes = tree.nodes
    children = nodes.children(node)
    groups, inputs = len(children), max(len(tree.schema.inputs), 1)
    attribute = tree.schema.attributes[int(nodes.attribute[children[0]])]
    which = math.log2(inputs)
    met = int(sum(nodes.set_start[c + 1] - nodes.set_start[c] + bool(nodes.or_missing[c]) for c in children))
    size = tree.weight(node) if isinstance(attribute, Numeric) else float(met)
    if isinstance(attribute, Nominal):
        because = f"S({met}, {groups}) ways to part {met} values into {groups} groups."
        ways: Expression = Applied("log₂ S", (Number(met), Number(groups)), value - which)
    elif size == int(size) and size >= groups and size < 1e15:
        things = "rows" if isinstance(attribute, Numeric) else "values"
        because = f"C({size - 1:g}, {groups - 1}) ways to cut {size:g} {things} in order."
        ways = Log(Binomial(plain(size) - 1, Number(groups) - 1))
    else:
        because = "The ways to cut so much weight, by the gamma function."
        ways = Applied("log₂ C", (Number(size - 1), Number(groups - 1)), value - which)
    return Figure(
        "bits of the question",
        1.0 + value,
        1 + Log(Symbol("inputs")) + Log(Symbol("ways")),
        1 + Log(Number(inputs)) + ways,
        because=because,
    )


# Minimum description length: keep a split only if asking it shortens the message (Quinlan & Rivest 1989).
#
# The message gives someone who knows the attributes the class of each row: first the tree, then the classes
# of the rows in each leaf. In bits:
#
# - one per node: is it a leaf? - for a split, which attribute, log2(inputs), and which of the ways to part
# its values: C(n − 1, b − 1) for b   intervals of a number over n rows, C(v − 1, b − 1) for b runs of v
# ordered values, the Stirling number   S(v, b) for b groups of v values, so none where each value has its
# own branch; - for the n rows of a leaf, k classes, Σ nᵢ log2(n ÷ nᵢ) + (k − 1)/2 · log2(n ÷ 2) +
# log2(π^(k/2) ÷ Γ(k/2)):   the stochastic complexity of Mehta, Rissanen & Agrawal (1995), with the middle
# term not below 0; - for numbers, the normal code n/2 · log2(variance) + error ÷ (2 ln 2 · variance) and
# log2 n for its two   parameters. The leaf's variance takes in one row's worth of the root's, since no
# finite code is exact.


def prune_description_length(tree: Tree) -> PrunedTree:
    """Bottom up, replace a split by a leaf if the description does not get longer."""
    check_kind("prune_description_length", tree, Tree)
    costs = node_costs(tree, bits_as_leaf(tree), "bits", 1.0 + bits_of_splits(tree))
    return cut_to_leaves(
        "mdl",
        tree,
        costs.cut,
        {"bits": costs.subtree},
        {"bits": costs.as_leaf},
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
    steps=f"{__name__}:description_length_steps",
)
