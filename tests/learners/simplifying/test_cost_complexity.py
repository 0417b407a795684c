"""The weakest-link sequence: a literal one, scikit-learn's and rpart's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from clearwood.formulas.conditions import Above, AtMost
from clearwood.learners.trees.pruning.cost_complexity import prune_cost_complexity
from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path, cut_at, node_risks
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.nodes import cut_below
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Tree
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.simplifying.examples import grown
from tests.trees import tennis_tree

FIGURES = json.loads((Path(__file__).parents[2] / "figures" / "rpart.json").read_text())


def test_the_tennis_tree_by_hand() -> None:
    """Four leaves more save 5 of 14 errors; no part of the tree saves less a leaf."""
    path = cost_complexity_path(tennis_tree())
    assert path.alphas == pytest.approx([0, 5 / 14 / 4])
    assert path.leaves.tolist() == [5, 1]
    assert path.risks == pytest.approx([0, 5 / 14])
    assert path.relative == pytest.approx([0, 1 / 4])


def weakest_links(tree: Tree, risk: str) -> list[tuple[float, int, float]]:
    """The book's way: cut all the weakest links, write down the subtree, begin again."""
    actual: list[tuple[float, int, float]] = []
    last = 0.0
    while True:
        nodes, risks = tree.nodes, node_risks(tree, risk=risk)
        below = [[i for i in range(node, nodes.end[node]) if nodes.is_leaf[i]] for node in range(len(nodes))]
        saves = {
            node: (risks[node] - risks[below[node]].sum()) / max(len(below[node]) - 1, 1)
            for node in range(len(nodes))
            if not nodes.is_leaf[node]
        }
        weakest = max(min(saves.values(), default=np.inf), 0.0)
        if weakest > last + 1e-9:
            actual.append((last, len(below[0]), float(risks[below[0]].sum())))
            last = weakest
        if not saves:
            return actual
        marked = np.array([saves.get(node, np.inf) <= last + 1e-12 for node in range(len(nodes))])
        tree = replace(tree, nodes=cut_below(nodes, marked))


@pytest.mark.slow
@pytest.mark.parametrize("risk", ["error", "gini", "entropy"])
@given(grown())
def test_the_sequence_is_the_literal_one(risk: str, example: tuple[Tree, Table]) -> None:
    tree, _ = example
    path = cost_complexity_path(tree, risk=risk)
    expected = weakest_links(tree, risk)
    assert path.leaves.tolist() == [leaves for _, leaves, _ in expected]
    assert path.alphas == pytest.approx([alpha for alpha, _, _ in expected], abs=1e-9)
    assert path.risks == pytest.approx([amount for _, _, amount in expected], abs=1e-9)


@pytest.mark.slow
@given(grown(numeric=True))
def test_the_sequence_of_numbers_is_the_literal_one(example: tuple[Tree, Table]) -> None:
    tree, _ = example
    scale = max(node_risks(tree)[0], 1.0)
    path = cost_complexity_path(tree)
    expected = weakest_links(tree, "error")
    assert path.leaves.tolist() == [leaves for _, leaves, _ in expected]
    assert path.alphas == pytest.approx([alpha for alpha, _, _ in expected], abs=1e-8 * scale)


@pytest.mark.slow
@given(grown())
def test_the_tree_cut_at_a_step_is_the_one_the_path_tells_of(example: tuple[Tree, Table]) -> None:
    tree, _ = example
    path = cost_complexity_path(tree)
    for alpha, leaves, amount in zip(path.alphas, path.leaves, path.risks, strict=True):
        cut = cut_at(tree, path, float(alpha))
        assert cut.leaves == leaves
        assert node_risks(cut)[cut.nodes.is_leaf].sum() == pytest.approx(amount)
        pruned = prune_cost_complexity(tree, float(alpha))
        assert replace(pruned.tree, origin=cut.origin) == cut
        assert all(each.before["alpha"] <= alpha + 1e-9 for each in pruned.ledger)


def from_sklearn(fitted: DecisionTreeClassifier | DecisionTreeRegressor, width: int) -> Tree:
    """scikit-learn's tree as one of ours."""
    t = fitted.tree_
    names = [f"x{i}" for i in range(t.n_features)]
    numeric = isinstance(fitted, DecisionTreeRegressor)

    def node(i: int) -> Node:
        weight = float(t.weighted_n_node_samples[i])
        if numeric:
            counts: tuple[float, ...] = (weight, float(t.value[i, 0, 0]), float(t.impurity[i]) * weight)
        else:
            counts = tuple(float(share) * weight for share in t.value[i, 0])
        if t.children_left[i] < 0:
            return Leaf(counts)
        name, limit = names[t.feature[i]], float(t.threshold[i])
        left, right = t.children_left[i], t.children_right[i]
        share = float(t.weighted_n_node_samples[left]) / weight
        below = (
            Branch(AtMost(name, limit), share, node(left)),
            Branch(Above(name, limit), 1 - share, node(right)),
        )
        return Split(counts, {}, below)

    target = Numeric("y") if numeric else Nominal("y", tuple(f"c{i}" for i in range(width)))
    return tree_of(Schema(tuple(map(Numeric, names)), target), node(0))


def last_of_equals(alphas: np.ndarray, risks: np.ndarray) -> tuple[list[float], list[float]]:
    """scikit-learn lists every cut; ours lists what is left when all of one α are made."""
    last = np.append(np.diff(alphas) > 1e-9 * risks[-1], True)
    return alphas[last].tolist(), risks[last].tolist()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(5))
def test_scikit_learns_path_for_classes(criterion: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(400, 4))
    y = (x[:, 0] + x[:, 1] ** 2 + rng.normal(size=400) > 0.5).astype(int) + (x[:, 2] > 1)
    weights = rng.choice([1.0, 2.0], 400)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0)
    theirs = model.cost_complexity_pruning_path(x, y, sample_weight=weights)
    fitted = model.fit(x, y, sample_weight=weights)
    path = cost_complexity_path(from_sklearn(fitted, 3), risk=criterion)
    alphas, risks = last_of_equals(theirs.ccp_alphas, theirs.impurities)
    assert path.alphas == pytest.approx(alphas, abs=1e-9)
    assert path.risks == pytest.approx(risks, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learns_path_for_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(400, 4))
    y = x[:, 0] * 3 + rng.normal(size=400)
    theirs = DecisionTreeRegressor(random_state=0, min_samples_leaf=4).cost_complexity_pruning_path(x, y)
    fitted = DecisionTreeRegressor(random_state=0, min_samples_leaf=4).fit(x, y)
    path = cost_complexity_path(from_sklearn(fitted, 0))
    alphas, risks = last_of_equals(theirs.ccp_alphas, theirs.impurities)
    assert path.alphas == pytest.approx(alphas, abs=1e-9)
    assert path.risks == pytest.approx(risks, abs=1e-9)
    middle = alphas[len(alphas) // 2]
    cut = DecisionTreeRegressor(random_state=0, min_samples_leaf=4, ccp_alpha=middle * 1.0000001).fit(x, y)
    assert prune_cost_complexity(from_sklearn(fitted, 0), middle).tree.leaves == cut.get_n_leaves()


RPART_TREES = [figure for figure in FIGURES["trees"] if isinstance(figure["nodes"], list)]


def from_rpart(figure: dict[str, Any]) -> Tree:
    """rpart's own nodes (their number, rows and risk) as a tree of numbers."""
    nodes = {int(number): (float(n), float(dev)) for number, _, n, dev in figure["nodes"]}

    def node(number: int) -> Node:
        n, dev = nodes[number]
        if 2 * number not in nodes:
            return Leaf((n, 0.0, dev))
        limit = float(number)
        low, high = node(2 * number), node(2 * number + 1)
        return Split(
            (n, 0.0, dev), {}, (Branch(AtMost("x", limit), 0.5, low), Branch(Above("x", limit), 0.5, high))
        )

    return tree_of(Schema((Numeric("x"),), Numeric("y")), node(1))


@pytest.mark.parametrize("figure", RPART_TREES, ids=lambda figure: figure.get("reference") or "made")
def test_rparts_complexity_table(figure: dict[str, Any]) -> None:
    path = cost_complexity_path(from_rpart(figure), links="rpart")
    expected = figure["cp"][::-1]
    assert path.leaves.tolist() == [splits + 1 for _, splits, _ in expected]
    assert path.relative == pytest.approx([cp for cp, _, _ in expected], abs=1e-8)
    assert path.risks / path.risks[-1] == pytest.approx([error for _, _, error in expected], abs=1e-8)


def test_the_exact_sequence_is_rparts_on_most_trees_and_never_worse() -> None:
    same = 0
    for figure in RPART_TREES:
        tree = from_rpart(figure)
        exact, theirs = cost_complexity_path(tree), cost_complexity_path(tree, links="rpart")
        same += exact.leaves.tolist() == theirs.leaves.tolist()
        for alpha in theirs.alphas.tolist():
            costs = [
                node_risks(cut)[cut.nodes.is_leaf].sum() + alpha * cut.leaves
                for cut in (cut_at(tree, exact, alpha), cut_at(tree, theirs, alpha))
            ]
            assert costs[0] <= costs[1] + 1e-9
    assert same >= 0.7 * len(RPART_TREES)
