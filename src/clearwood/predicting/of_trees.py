"""Predictions of trees and ensembles for many rows at once, in native code; and of members of any kind."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, assert_never

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.models.deciding import NOTHING, ShareSmoothing, cheapest, check_smoothing, cost_matrix
from clearwood.models.kept import kept
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.models.kinds.ensemble.many_trees import Trees
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.node_answers import node_codes, node_shares, node_values
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_space import tested_by
from clearwood.predicting.bayes import codes_of_bayes, shares_of_bayes
from clearwood.predicting.columns import cells_at, cells_for, value_counts
from clearwood.predicting.of_additive import linked, shares_of_scores
from clearwood.predicting.of_linear import codes_of_linear, shares_of_linear
from clearwood.predicting.of_rules import codes_of_rules, numbers_of_rules, shares_of_rules
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


def shares_of_tree(tree: Tree, table: Table, smoothing: ShareSmoothing) -> Floats:
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


def member_shares(member: Member, table: Table) -> Floats:
    """[row, class] its shares; all 0 where it says nothing."""
    match member:
        case Tree():
            return shares_of_tree(member, table, None)
        case RuleList():
            return shares_of_rules(member, table, None)
        case BayesTables():
            return shares_of_bayes(member, table, None)
        case LinearModel():
            return shares_of_linear(member, table)
        case _:
            assert_never(member)


def member_codes(member: Member, table: Table) -> Ints:
    """[row] the position of the class that it votes for; −1 where it says nothing."""
    match member:
        case Tree():
            return codes_of_tree(member, table)
        case RuleList():
            return codes_of_rules(member, table)
        case BayesTables():
            return codes_of_bayes(member, table)
        case LinearModel():
            return codes_of_linear(member, table)
        case _:
            assert_never(member)


def member_numbers(member: Member, table: Table) -> Floats:
    """[row] its number; NaN where it says nothing."""
    match member:
        case Tree():
            return numbers_of_tree(member, table)
        case RuleList():
            return numbers_of_rules(member, table)
        case BayesTables() | LinearModel():
            raise SettingError("A Bayes or a linear model predicts classes, not numbers.")
        case _:
            assert_never(member)


def codes_of_ensemble(ensemble: Ensemble, table: Table) -> Ints:
    """[row] the position of each row's class: that of least expected cost, first of equals; −1 where no
    member says anything."""
    costs = ensemble.decision.costs
    shares = shares_of_ensemble(ensemble, table)
    codes = cheapest(shares, np.array(costs, dtype=np.float64) if costs else None)
    if ensemble.trees is not None:
        return codes
    return np.where((shares > 0).any(axis=1), codes, np.int32(NOTHING))


def shares_of_ensemble(ensemble: Ensemble, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the members' shares or votes combined, or what the link makes of their sum."""
    check_smoothing(smoothing, ensemble.origin)
    if smoothing is not None and (ensemble.combined_by != "mean" or ensemble.trees is None):
        raise SettingError("smoothing is for counts; only an ensemble that averages trees has some.")
    return shares_from(ensemble, scores_of_ensemble(ensemble, table, smoothing))


def shares_from(ensemble: Ensemble, scores: Floats) -> Floats:
    """[row, class] the shares that these scores of members come to."""
    if ensemble.combined_by != "sum":
        return scores
    return shares_of_scores(scores, ensemble.link, ensemble.decision)


def numbers_of_ensemble(ensemble: Ensemble, table: Table) -> Floats:
    """[row] the number that each row is answered."""
    return numbers_from(ensemble, scores_of_ensemble(ensemble, table))


def numbers_from(ensemble: Ensemble, scores: Floats) -> Floats:
    """[row] the numbers that these scores of members come to."""
    return linked(scores, ensemble.link)[:, 0] if ensemble.combined_by == "sum" else scores[:, 0]


def answers_by_member(ensemble: Ensemble, table: Table) -> Floats:
    """[row, member, ·] what each member says by itself: shares (1 for its class where members vote), or one
    number; of a sum its step."""
    trees = ensemble.trees
    if trees is None:
        return np.stack([_own(ensemble, member, table) for member in ensemble.models], axis=1)
    compiled = _compiled_apart(ensemble)
    cells, values = cells_at(ensemble.schema, compiled.tested, table)
    return compiled.sums(cells, values, len(table)).reshape(len(table), len(trees), -1)


def scores_of_ensemble(ensemble: Ensemble, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, score] what the members add up to: of a mean or of votes the shares or the number, of a sum its
    scores before the link, on whose scale members add up."""
    trees = ensemble.trees
    if trees is None:
        return _combined_models(ensemble, table)
    compiled = compiled_trees(ensemble) if smoothing is None else CompiledTrees(ensemble, smoothing)
    cells, values = cells_at(ensemble.schema, compiled.tested, table)
    return compiled.finished(compiled.sums(cells, values, len(table)))


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
def _compiled_apart(ensemble: Ensemble) -> CompiledTrees:
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


def _combined_models(ensemble: Ensemble, table: Table) -> Floats:
    """[row, ·] by one member after another. Where a member has no answer, the others' count alone."""
    weights = np.array(ensemble.weights or [1.0] * ensemble.size)
    width = 1 if ensemble.is_numeric else len(ensemble.schema.classes)
    totals, heard = np.zeros((len(table), width)), np.zeros((len(table), 1))
    for member, weight in zip(ensemble.models, weights.tolist(), strict=True):
        own = _own(ensemble, member, table)
        silent = np.isnan(own[:, :1]) if ensemble.is_numeric else ~(own > 0).any(axis=1, keepdims=True)
        totals += np.where(silent, 0.0, weight * own)
        heard += np.where(silent, 0.0, weight)
    nothing = np.nan if ensemble.is_numeric else 0.0
    return np.divide(totals, heard, out=np.full_like(totals, nothing), where=heard > 0)


def _own(ensemble: Ensemble, member: Member, table: Table) -> Floats:
    """[row, ·] what a member of another kind says."""
    if ensemble.is_numeric:
        return member_numbers(member, table)[:, None]
    if ensemble.combined_by == "votes":
        width = len(ensemble.schema.classes)
        return np.eye(width + 1, width)[member_codes(member, table)]  # −1 is the line of zeros
    return member_shares(member, table)
