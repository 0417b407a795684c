"""AdaBoost is scikit-learn's SAMME on numeric tables, round by round, each begun from its own weights.

A split may differ only where the two lower the impurity by as much, to rounding: scikit-learn looks at the
columns in random order and takes the first of equals, and it splits where nothing is gained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import clearwood as cw
from clearwood.learners.ensembles.adaboost import unbound
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from tests.shared_data import NAMES, load_shared

datasets = pytest.importorskip("sklearn.datasets")
sklearn = pytest.importorskip("sklearn.ensemble")
trees = pytest.importorskip("sklearn.tree")

ROUNDS = 20
BUNDLED = ("iris", "wine", "breast_cancer", "digits")
SHARED = tuple(name for name in ("breast_w", "diabetes", "glass", "credit_g") if name in NAMES)


def numbers_of(name: str) -> tuple[Any, Any]:
    """Cells and classes; of digits the first 500 rows, of the reference tables the numeric columns."""
    if name in BUNDLED:
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        x, y = x[:500] if name == "digits" else x, y[:500] if name == "digits" else y
    else:
        table = load_shared(name.removeprefix("shared "))
        numeric = [each.name for each in table.schema.inputs if isinstance(each, Numeric)]
        x, y = np.stack([table.columns[column] for column in numeric], axis=1), table.target
        whole = ~np.isnan(x).any(axis=1)
        y = np.unique(y[whole], return_inverse=True)[1]
        x = x[whole]
    return x.astype(np.float32).astype(np.float64), y  # scikit-learn's trees round cells to single precision


def as_table(x: Any, y: Any) -> Table:
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    names = tuple(f"c{c}" for c in range(y.max() + 1))
    schema = cw.Schema(tuple(map(cw.Numeric, columns)), cw.Nominal("y", names))
    return cw.Table(schema, {**columns, "y": y.astype(np.int32)})


def their_rounds(model: Any, x: Any, y: Any) -> Iterator[tuple[Any, Any, float]]:
    """Each round's weights, tree and weight in the vote, by scikit-learn's own update."""
    weights = np.full(len(y), 1 / len(y))
    for tree, weight in zip(model.estimators_, model.estimator_weights_, strict=False):
        weights = np.maximum(weights, np.finfo(np.float64).eps)
        yield weights, tree, float(weight)
        weights = np.exp(np.log(weights) + weight * (tree.predict(x) != y))
        weights = weights / weights.sum()


def impurity(y: Any, weights: Any) -> float:
    """Weight × Gini, as a sum of products of different classes, which rounding does not touch."""
    counts = np.bincount(y, weights)
    pairs = np.outer(counts, counts)
    return float((pairs.sum() - np.trace(pairs)) / counts.sum()) if counts.sum() > 0 else 0.0


def lowered(y: Any, weights: Any, left: Any) -> float:
    """By how much a split lowers it; no split by nothing."""
    if left is None:
        return 0.0
    sides = impurity(y[left], weights[left]) + impurity(y[~left], weights[~left])
    return impurity(y, weights) - sides


def compare(ours: Tree, theirs: Any, x: Any, y: Any, weights: Any) -> tuple[int, int]:
    """How many nodes split alike, and how many tie: there the two lower the impurity alike, or it fails."""
    nodes, tree = ours.nodes, theirs.tree_
    alike = tied = 0
    waiting = [(0, 0, np.arange(len(y)))]
    while waiting:
        mine, other, rows = waiting.pop()
        branches = np.flatnonzero(nodes.parent == mine)
        left = x[rows, nodes.attribute[branches[0]]] <= nodes.high[branches[0]] if len(branches) else None
        splits = tree.children_left[other] >= 0
        left_there = x[rows, tree.feature[other]] <= tree.threshold[other] if splits else None
        if left is None and left_there is None:
            continue
        if left is not None and left_there is not None and (left == left_there).all():
            alike += 1
            waiting.append((int(branches[0]), int(tree.children_left[other]), rows[left]))
            waiting.append((int(branches[1]), int(tree.children_right[other]), rows[~left]))
            continue
        tied += 1
        gains = [lowered(y[rows], weights[rows], side) for side in (left, left_there)]
        assert abs(gains[0] - gains[1]) <= 1e-12, (mine, other, gains)  # all weights add up to 1
    return alike, tied


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", [*BUNDLED, *(f"shared {name}" for name in SHARED)])
def test_every_round_begun_from_its_weights_makes_its_tree(name: str, depth: int) -> None:
    x, y = numbers_of(name)
    theirs = sklearn.AdaBoostClassifier(
        trees.DecisionTreeClassifier(max_depth=depth, random_state=0), n_estimators=ROUNDS, random_state=0
    ).fit(x, y)
    table, of = as_table(x, y), unbound(cw.CART(max_depth=depth))
    alike = tied = 0
    for weights, tree, _ in their_rounds(theirs, x, y):
        weighed = replace(table, weights=weights * (len(y) / weights.sum()), weights_are="counts")
        counts = compare(cast(Tree, of.learn(weighed)), tree, x, y, weights / weights.sum())
        alike, tied = alike + counts[0], tied + counts[1]
    assert alike > 0
    assert tied <= 0.2 * (alike + tied)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [1.0, 0.5])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", [*BUNDLED, *(f"shared {name}" for name in SHARED)])
def test_weights_errors_and_answers_are_the_same_up_to_the_first_tie(
    name: str, depth: int, rate: float
) -> None:
    x, y = numbers_of(name)
    theirs = sklearn.AdaBoostClassifier(
        trees.DecisionTreeClassifier(max_depth=depth, random_state=0),
        n_estimators=ROUNDS,
        learning_rate=rate,
        random_state=0,
    ).fit(x, y)
    table = as_table(x, y)
    ours = cw.AdaBoost(of=cw.CART(max_depth=depth), trees=ROUNDS, rate=rate).rounds(table).kept
    for mine, (weights, tree, weight) in zip(ours, their_rounds(theirs, x, y), strict=False):
        np.testing.assert_allclose(mine.weights, weights, rtol=1e-6)
        if (mine.wrong != (tree.predict(x) != y)).any():
            assert compare(cast(Tree, mine.member), tree, x, y, weights / weights.sum())[1] > 0
            break  # a tie: from here on the two are different models
        assert mine.weight == pytest.approx(weight, rel=1e-6)
    else:
        assert len(ours) == len(theirs.estimators_)
        model = cw.AdaBoost(of=cw.CART(max_depth=depth), trees=ROUNDS, rate=rate).learn(table)
        np.testing.assert_allclose(model.weights, theirs.estimator_weights_[: len(ours)], rtol=1e-6)
        np.testing.assert_allclose(model.curves[1].values, theirs.estimator_errors_[: len(ours)], rtol=1e-6)
        answers = np.array([int(answer[1:]) for answer in cw.predict(model, table)])
        assert (answers == theirs.predict(x)).all()
