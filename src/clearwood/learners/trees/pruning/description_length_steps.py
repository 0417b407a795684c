"""Minimum description length, step by step: is the message shorter with the split, or without it?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Expression,
    Log,
    Number,
    Over,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from clearwood.learners.trees.pruning.description_length import bits_as_leaf, bits_of_splits
from clearwood.learners.trees.pruning.places import TreeUnderPruning
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps, StepAt, cutting
from clearwood.learners.trees.pruning.split_steps import NodeCosts
from clearwood.models.cutting import cheaper_as_leaf
from clearwood.models.tree import Tree
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, less, named, plain

_N: Final = Symbol("n", means="the number of rows here")
_V_0: Final = Symbol("v", "0", "the variance at the root")


def description_length_steps(tree: Tree, _: Table | None, __: Mapping[str, Any]) -> PruningSteps:
    """A step for each split, bottom up."""
    as_leaf, split_bits = bits_as_leaf(tree), bits_of_splits(tree)
    cut, subtree = cheaper_as_leaf(tree.nodes, as_leaf, 1.0 + split_bits)
    costs = NodeCosts(TreeUnderPruning(tree), as_leaf, subtree, cut, "bits")
    splits = np.flatnonzero(~tree.nodes.is_leaf)[::-1].tolist()
    steps = [StepAt(node, partial(_step, costs, node, float(split_bits[node]))) for node in splits]
    return cutting(tree, cut, steps)


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
    constant = k / 2 * math.log2(math.pi) - math.lgamma(k / 2) / math.log(2)
    gamma = math.lgamma(k / 2) / math.log(2)
    fixed = Figure(
        "constant",
        constant,
        _fixed(Symbol("classes"), Symbol("π"), None),
        _fixed(Number(k), Number(math.pi), gamma),
        because="It depends on the number of classes only.",
    )
    spread = tuple(Product((plain(c), Log(Quotient(plain(n), plain(c))))) for c in counts if c > 0)
    half: Expression = Quotient(plain(n), Number(2)) if n > 2 else Number(1)
    classes = Product((Quotient(less(Number(k), Number(1)), Number(2)), Log(half)))
    i = Symbol("n", "i", "the number of rows of class i")
    formula = Sum(
        (
            Number(1),
            Over("Σ", "i", Product((i, Log(Quotient(_N, i))))),
            Product(
                (
                    Quotient(less(Symbol("classes"), Number(1)), Number(2)),
                    Log(Quotient(_N, Number(2))),
                )
            ),
            Symbol("constant"),
        )
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
    half = Quotient(k, Number(2))
    return less(Product((half, Log(pi))), Applied("log₂ Γ", (half,), gamma))


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
        Quotient(Sum((Symbol("error"), _V_0)), Sum((_N, Number(1)))),
        Quotient(Sum((Number(error), Number(root))), Sum((plain(n), Number(1)))),
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
    return Sum(
        (
            Number(1),
            Product((Quotient(n, two), Log(Quotient(v, root)))),
            Quotient(error, Product((two, Log(two, "e"), v))),
            Log(most),
        )
    )


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
        ways = Log(Binomial(less(plain(size), Number(1)), less(Number(groups), Number(1))))
    else:
        because = "The ways to cut so much weight, by the gamma function."
        ways = Applied("log₂ C", (Number(size - 1), Number(groups - 1)), value - which)
    return Figure(
        "bits of the question",
        1.0 + value,
        Sum((Number(1), Log(Symbol("inputs")), Log(Symbol("ways")))),
        Sum((Number(1), Log(Number(inputs)), ways)),
        because=because,
    )
