"""Error-based pruning: the book's charges, worked cuts, and a literal program as oracle."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings

from clearwood.errors import LearningError, SettingError
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.pruning.error_based import prune_error_based
from clearwood.measures.inference import extra_errors
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.tree import Leaf, Node, Split, Tree
from clearwood.table.table import Table
from tests.learners.simplifying.examples import (
    Rows,
    called,
    grown,
    parted,
    random_tree,
    rows_of,
    same_tree,
    target_of,
)
from tests.shared_data import load_shared
from tests.trees import tennis_table, tennis_tree, trees


@pytest.mark.parametrize(
    ("cases", "errors", "rate"), [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750), (16, 1, 0.157)]
)
def test_the_books_upper_bounds(cases: float, errors: float, rate: float) -> None:
    assert (errors + extra_errors(cases, errors, 0.25, "quinlan")) / cases == pytest.approx(rate, abs=1.1e-3)


def expected(counts: tuple[float, ...], decision: Decision, confidence: float) -> float:
    """Errors plus what is charged on top, from the formulas as printed."""
    factors = decision.factors or (1.0,) * len(counts)
    weighed = [c * f for c, f in zip(counts, factors, strict=True)]
    n, e = sum(weighed), sum(weighed) - weighed[called(counts, decision)]
    if n <= 0:
        return 0.0
    z = NormalDist().inv_cdf(1 - confidence)

    def charge(e: float) -> float:
        if e == 0:
            return float(n * (1 - confidence ** (1 / n)))
        if e < 1:
            return charge(0) + e * (charge(1) - charge(0))
        if e + 0.5 >= n:
            return max(n - e, 0.0)
        f = (e + 0.5) / n
        root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
        return n * (f + z * z / (2 * n) + z * root) / (1 + z * z / n) - e

    return e + charge(e)


class Literal:
    """C4.5's pruning said once more, with objects and lists of rows."""

    def __init__(self, tree: Tree, confidence: float) -> None:
        self.tree, self.confidence = tree, confidence
        self.raised = 0

    def counts(self, rows: Rows) -> tuple[float, ...]:
        name, classes = target_of(self.tree), self.tree.schema.classes
        return tuple(sum(w for row, w in rows if row[name] == each) for each in classes)

    def weight(self, counts: tuple[float, ...]) -> float:
        factors = self.tree.decision.factors or (1.0,) * len(counts)
        return sum(c * f for c, f in zip(counts, factors, strict=True))

    def below(self, split: Split, rows: Rows) -> list[Rows]:
        taken, rest = parted(split, rows)
        return [
            part + [(row, w * branch.share) for row, w in rest if branch.share > 1e-6]
            for part, branch in zip(taken, split.branches, strict=True)
        ]

    def resent(self, node: Node, rows: Rows) -> Node:
        """The node with these rows' counts, and the known rows' shares; equal ones where none is known."""
        if isinstance(node, Leaf):
            return Leaf(self.counts(rows))
        known = [self.weight(self.counts(part)) for part in parted(node, rows)[0]]
        shares = [k / sum(known) if sum(known) > 0 else 1 / len(known) for k in known]
        shared = [replace(b, share=share) for b, share in zip(node.branches, shares, strict=True)]
        node = replace(node, branches=tuple(shared))
        parts = self.below(node, rows)
        then = [self.resent(b.then, part) for b, part in zip(node.branches, parts, strict=True)]
        branches = [replace(b, then=t) for b, t in zip(node.branches, then, strict=True)]
        return replace(node, counts=self.counts(rows), branches=tuple(branches))

    def estimate(self, node: Node) -> float:
        if isinstance(node, Leaf):
            return expected(node.counts, self.tree.decision, self.confidence)
        return sum(self.estimate(branch.then) for branch in node.branches)

    def prune(self, node: Node, rows: Rows) -> Node:
        if isinstance(node, Leaf):
            return node
        parts = self.below(node, rows)
        then = [self.prune(b.then, part) for b, part in zip(node.branches, parts, strict=True)]
        node = replace(
            node, branches=tuple(replace(b, then=t) for b, t in zip(node.branches, then, strict=True))
        )
        most = max(self.weight(child.counts) for child in then)
        largest = [child for child in then if self.weight(child.counts) >= most - 1e-6][-1]
        leaf, subtree = self.estimate(Leaf(node.counts)), self.estimate(node)
        lifted = self.resent(largest, rows)
        branch = self.estimate(lifted)
        if leaf <= subtree + 0.1 + 1e-6 and leaf <= branch + 0.1 + 1e-6:
            return Leaf(node.counts)
        if branch <= subtree + 0.1 + 1e-6:
            self.raised += 1
            return self.prune(lifted, rows)
        return node


def literal(tree: Tree, table: Table, confidence: float = 0.25) -> tuple[Node, int]:
    program = Literal(tree, confidence)
    classes = tree.schema.classes
    rows = [(row, w) for row, w in rows_of(table) if row[target_of(tree)] in classes]
    return program.prune(tree.root, rows), program.raised


@pytest.mark.slow
@settings(deadline=None)
@given(grown())
def test_any_tree_is_pruned_as_the_literal_program_does(example: tuple[Tree, Table]) -> None:
    tree, table = example
    target, _ = literal(tree, table)
    assert same_tree(prune_error_based(tree, table).tree.root, target)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("confidence", [0.1, 0.25, 0.45])
def test_deep_noisy_trees_are_pruned_as_the_literal_program_does(seed: int, confidence: float) -> None:
    tree, table = random_tree(seed)
    target, raised = literal(tree, table, confidence)
    pruned = prune_error_based(tree, table, confidence=confidence)
    assert same_tree(pruned.tree.root, target)
    assert sum(cut.action == "raised" for cut in pruned.ledger) == raised


def test_raising_does_happen_in_these_examples() -> None:
    actions = [cut.action for seed in range(40) for cut in prune_error_based(*random_tree(seed)).ledger]
    assert actions.count("raised") > 50
    assert actions.count("leaf") > 50


@pytest.mark.slow
@given(trees(numeric=False))
def test_without_raising_it_is_the_same_without_the_branch(tree: Tree) -> None:
    def prune(node: Node) -> tuple[Node, float]:
        as_leaf = expected(node.counts, tree.decision, 0.25)
        if isinstance(node, Leaf):
            return node, as_leaf
        below = [prune(branch.then) for branch in node.branches]
        total = sum(errors for _, errors in below)
        if as_leaf <= total + 0.1 + 1e-6:
            return Leaf(node.counts), as_leaf
        then = [replace(b, then=t) for b, (t, _) in zip(node.branches, below, strict=True)]
        return replace(node, branches=tuple(then)), total

    actual = prune_error_based(tree, raise_subtrees=False).tree
    assert same_tree(actual.root, prune(tree.root)[0])


def test_the_tennis_tree_stands() -> None:
    pruned = prune_error_based(tennis_tree(), tennis_table())
    assert pruned.tree.nodes == tennis_tree().nodes
    assert str(pruned.ledger) == "error-based: 0 cuts, 8 nodes → 8"


def test_a_strict_confidence_fells_the_tennis_tree_and_the_ledger_tells_the_errors() -> None:
    pruned = prune_error_based(tennis_tree(), tennis_table(), confidence=0.001)
    assert pruned.tree.size == 1
    last = pruned.ledger.cuts[-1]
    assert (last.node, last.condition, last.action) == (0, "(root)", "leaf")
    assert last.after["errors"] == pytest.approx(expected((5.0, 9.0), Decision(), 0.001))
    assert last.because.endswith("as a split")


@pytest.mark.parametrize("name", ["breast_cancer", "credit_g", "labor", "tic_tac_toe"])
def test_c45s_own_pruning_is_the_same(name: str) -> None:
    """A tree grown without pruning, then pruned here, is the tree that C4.5 prunes itself."""
    table = load_shared(name)
    pruned = prune_error_based(C45(prune=False).learn(table), table)
    assert same_tree(pruned.tree.root, C45().learn(table).root)
    assert pruned.ledger.cuts


def test_quinlans_table_gives_another_deviate() -> None:
    tree, table = random_tree(2)
    by_table = prune_error_based(tree, table, confidence_table="quinlan")
    assert by_table.ledger != prune_error_based(tree, table).ledger


def test_other_rows_than_the_trees_own_are_refused() -> None:
    half = tennis_table().take(np.arange(7))
    with pytest.raises(LearningError, match="needs the rows the tree was learned from"):
        prune_error_based(tennis_tree(), half)
    with pytest.raises(SettingError, match="give the table"):
        prune_error_based(tennis_tree())


@pytest.mark.slow
@given(trees(numeric=True))
def test_a_tree_of_numbers_is_refused(tree: Tree) -> None:
    with pytest.raises(SettingError, match="Cost-complexity pruning takes such trees"):
        prune_error_based(tree, raise_subtrees=False)
