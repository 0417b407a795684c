"""Predictions of trees and ensembles for many rows at once, in native code; and of members of any kind."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.errors import Advice, SettingError
from clearwood.measures.inference import reach_of, wilson
from clearwood.models.decision import ShareSmoothing, cost_matrix, decided
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import Trees
from clearwood.models.kinds.tree.nodes import tested_by
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_shares, node_values, weighted_counts
from clearwood.models.model import holds_medians, kept
from clearwood.predicting.columns import cells_for, value_counts
from clearwood.table.table import Table


def codes_of_tree(tree: Tree, table: Table) -> Ints:
    """[row] the position of each row's class.

    A cell that no branch takes (empty, or a value never met) follows the split's surrogates, then its
    `otherwise` branch; where there is neither, the row goes down every branch in parts, and the leaves'
    shares are averaged.
    """
    codes, shares, costs = _answers(tree)
    return _native.codes(tree.nodes, *cells_for(tree, table), len(table), codes, shares, costs)


@kept
def _answers(tree: Tree) -> tuple[Ints, Floats, Floats | None]:
    """What every node answers, its shares, and the costs."""
    shares = node_shares(tree)
    return node_codes(tree, shares), shares, cost_matrix(tree.decision)


def shares_of_tree(tree: Tree, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the share of each class where the row ends."""
    return averages(tree, table, node_shares(tree, smoothing))


def numbers_of_tree(tree: Tree, table: Table) -> Floats:
    """[row] the number each row's leaf answers."""
    return averages(tree, table, node_values(tree)[:, None])[:, 0]


def leaves_of_tree(tree: Tree, table: Table) -> Ints:
    """[row] the leaf that each row reaches; of several, the one with its largest part (first of equals)."""
    return _native.leaves(tree.nodes, *cells_for(tree, table), len(table))


def averages(tree: Tree, table: Table, figures: Floats) -> Floats:
    """[row, ·] what the nodes say (`said` [node, ·]) where each row ends, averaged over its parts."""
    flat = np.ascontiguousarray(figures, dtype=np.float64)
    return _native.averages(tree.nodes, *cells_for(tree, table), len(table), flat)


@dataclass
class CompiledTrees:
    """The trees of an ensemble as native code asks them, and what each node adds to the answer."""

    ensemble: Any  # None once it is compiled: what is kept must not hold its model
    smoothing: ShareSmoothing = None
    apart: bool = False  # each tree adds to an answer of its own
    usual: Any = None  # as compiled, where another of these trees has done it
    trees: Trees = field(init=False)
    tested: list[int] = field(init=False)
    values: Ints = field(init=False)
    figures: Floats = field(init=False)  # [node, ·], times the tree's weight
    shares: Floats | None = field(init=False)  # [node, class], where members vote
    weights: Floats = field(init=False)  # [tree]
    _unusual: Any = field(init=False, default=None)

    def __post_init__(self) -> None:
        whole: Ensemble = self.ensemble
        assert whole.trees is not None
        self.trees = trees = whole.trees
        self.weights = np.array(whole.weights or [1.0] * len(trees), dtype=np.float64)
        of_node = np.repeat(self.weights, np.diff(trees.start))[:, None]
        self.shares = None
        if trees.answers == "shares":
            shares = shares_of_nodes(whole, self.smoothing)
            if whole.combined_by == "votes":
                self.shares = shares
                shares = np.eye(shares.shape[1])[shares.argmax(axis=1)]
            self.figures = shares * of_node
        else:
            self.figures = numbers_of_nodes(whole)[:, None] * of_node
        self.combined_by, self.base = whole.combined_by, np.array(whole.base, dtype=np.float64)
        self.scores = len(whole.base) if whole.combined_by == "sum" else self.figures.shape[1]
        self.adds_to = trees.adds_to
        if self.apart:
            self.adds_to = np.arange(len(trees), dtype=np.int32)
            self.scores = len(trees) * self.figures.shape[1]
        self.tested, self.values = tested_by(trees.nodes), value_counts(whole.schema)
        if self.usual is None:
            self.usual = _native.compile_trees(trees.nodes, trees.start, self.values, False)
        self.ensemble = None

    def sums(self, cells: list[Any], values: Ints, rows: int) -> Floats:
        """[row, score] added up tree after tree."""
        trees = self.trees
        while True:
            added = _native.trees_answers(
                trees.nodes, trees.start, self.adds_to, cells, values, rows, self.usual, self._unusual,
                self.figures, self.shares, self.weights, self.scores,
            )  # fmt: skip
            if added is not None:
                return added
            self._unusual = _native.compile_trees(trees.nodes, trees.start, values, True)

    def sums_of_one(self, cells: list[float]) -> list[float] | None:
        """[score] of one row, its cells [attribute] as numbers and codes; None: it needs the general way."""
        trees = self.trees
        return _native.trees_answer_of_one(
            self.usual, trees.start, self.adds_to, self.values, self.figures, self.weights, self.scores, cells
        )

    def finished(self, sums: Floats) -> Floats:
        """[row, score] the mean, the parts of the votes, or the sum with its base."""
        if self.combined_by == "sum":
            return sums + self.base
        total: Floats = sums / self.weights.sum()
        return total


@kept
def compiled_trees(ensemble: Ensemble) -> CompiledTrees:
    """The compiled trees of an ensemble."""
    return CompiledTrees(ensemble)


@kept
def compiled_apart(ensemble: Ensemble) -> CompiledTrees:
    """The same where each tree answers for itself, without weights."""
    return CompiledTrees(replace(ensemble, weights=()), apart=True, usual=compiled_trees(ensemble).usual)


def shares_of_nodes(ensemble: Ensemble, smoothing: ShareSmoothing = None) -> Floats:
    """[node, class] every node's shares, as its own tree gives them."""
    if smoothing is None or smoothing == "laplace":
        return node_shares(_as_one_tree(ensemble), smoothing)
    trees = [each for each in ensemble.members if isinstance(each, Tree)]
    return np.concatenate([node_shares(each, smoothing) for each in trees])


def numbers_of_nodes(ensemble: Ensemble) -> Floats:
    """[node] the number every node answers."""
    return node_values(_as_one_tree(ensemble))


def _as_one_tree(ensemble: Ensemble) -> Tree:
    """All nodes together, for what is worked out node by node."""
    trees, first = ensemble.trees, ensemble.members[0]
    assert trees is not None
    return Tree(first.schema, trees.nodes, trees.score_names, first.decision, answers=trees.answers)


# How sure a tree is, by the rows of its leaves.


def intervals_of_tree(tree: Tree, rows: Table, confidence: float) -> Floats:
    """[row, 2] both ends for the mean of a number, or for the probability of the predicted class."""
    if tree.answers == "step":
        raise SettingError(
            "This tree is a member of a sum, and its numbers are steps: they have no intervals."
        )
    if holds_medians(tree):
        raise SettingError(
            "This tree predicts medians, and its leaves do not keep what an interval of a median needs."
            " For intervals, grow a tree of means: ",
            Advice("measure", "squared", setting=True),
            ".",
        )
    if tree.is_numeric:
        value, spread, weight = averages(tree, rows, _moments(tree)).T
        reach = reach_of(spread, weight, confidence)
        return np.stack([value - reach, value + reach], axis=1)
    figures = averages(tree, rows, _shares_and_weights(tree))
    weight = figures[:, -1]
    if tree.decision.is_plain:
        codes = codes_of_tree(tree, rows)
    else:
        codes = decided(shares_of_tree(tree, rows), tree.decision, tree.schema.classes)
    share = np.take_along_axis(figures[:, :-1], codes[:, None], axis=1)[:, 0]
    return np.stack(wilson(share * weight, weight, confidence), axis=1)


@kept
def _shares_and_weights(tree: Tree) -> Floats:
    """[node, class and weight]."""
    return np.column_stack([node_shares(tree), node_weight(tree)])


def node_weight(tree: Tree) -> Floats:
    """[node] the weight of the rows that answer at each node: its own, or the nearest above that has some."""
    counts = weighted_counts(tree, factors=False)
    return counts[:, 0] if tree.is_numeric else counts.sum(axis=1)


def node_reach(tree: Tree, confidence: float = 0.95) -> Floats:
    """[node] how far the interval of a node's mean reaches to each side; not for a tree of medians."""
    _, spread, weight = _moments(tree).T
    return reach_of(spread, weight, confidence)


def _moments(tree: Tree) -> Floats:
    """[node, 3] value, error per unit of weight, weight."""
    counts = weighted_counts(tree)
    weight = np.where(counts[:, 0] > 0, counts[:, 0], 1.0)
    return np.column_stack([node_values(tree), counts[:, 2] / weight, weight])
