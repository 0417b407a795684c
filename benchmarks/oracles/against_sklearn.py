"""CART against scikit-learn on numbers: the same tree up to ties, and the same cost-complexity sequence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tests.generated_tables import generated_table
from tests.shared_data import NAMES, describe, load_shared

from benchmarks.oracles.verdict import Verdict
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting import leaf_of
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

SETTINGS: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"max_depth": 4}, {"max_depth": 4}),
    ({"min_leaf": 5}, {"min_samples_leaf": 5}),
    ({}, {}),
)


def compare(tables: int) -> Iterator[Verdict]:
    """Reference tables whose features are complete numbers, then random ones without two equal cells."""
    for name in NAMES:
        about = describe(name)
        if {about["kinds"][feature] for feature in about["features"]} == {"numeric"} and not about["missing"]:
            yield from _verdicts(name, load_shared(name))
    for seed in range(10 * tables):
        for regression in (False, True):
            yield from _verdicts(f"random {seed}", _without_ties(seed, regression))
        yield from _verdicts(f"numeric {seed}", _complete(generated_table("numeric", seed)))


def _verdicts(name: str, table: Table) -> Iterator[Verdict]:
    x = np.column_stack([table.columns[a.name] for a in table.schema.inputs]).astype(np.float32)
    numeric = isinstance(table.schema.target, Numeric)
    for ours, theirs in SETTINGS:
        tree = CART(**ours).learn(table)
        worse = list(_worse_splits(tree, x, table.target, numeric, theirs.get("min_samples_leaf", 1)))
        peer = _learned(x, table.target, numeric, theirs)
        detail = f"nodes {worse[:5]}; leaves {int(tree.nodes.is_leaf.sum())} and {peer.get_n_leaves()}"
        yield Verdict(f"{name} {ours}", not worse, detail)
        if not ours and _same_nodes(tree, peer, x):
            alphas = cost_complexity_path(tree, risk="error" if numeric else "gini").alphas
            their_alphas = peer.cost_complexity_pruning_path(x, table.target).ccp_alphas
            scale = 1e-9 * max(1.0, float(np.max(their_alphas, initial=0)))
            agree = all(np.abs(their_alphas - each).min() <= scale for each in alphas)
            yield Verdict(f"{name} path", agree, f"steps {len(alphas)} and {len(their_alphas)}")


def _learned(x: Any, y: Any, numeric: bool, settings: dict[str, Any]) -> Any:
    learner = DecisionTreeRegressor if numeric else DecisionTreeClassifier
    return learner(random_state=0, **settings).fit(x, y)


def _worse_splits(tree: Tree, x: Any, y: Any, numeric: bool, min_leaf: int) -> Iterator[int]:
    """Our nodes where scikit-learn finds a better split of the same rows, or splits what we left whole.

    Of equally good splits scikit-learn draws one at random, so whole trees can't be compared below a tie;
    node by node they can.
    """
    nodes = tree.nodes
    ends = leaf_of(tree, x)
    for node in range(len(nodes)):
        rows = np.flatnonzero((ends >= node) & (ends < nodes.end[node]))
        if len(rows) < 2 or (nodes.is_leaf[node] and tree.origin.settings.get("max_depth") is not None):
            continue
        best = _learned(x[rows], y[rows], numeric, {"max_depth": 1, "min_samples_leaf": min_leaf}).tree_
        parts = [rows[(ends[rows] >= c) & (ends[rows] < nodes.end[c])] for c in nodes.children(node)] or [
            rows
        ]
        impurity = sum(len(part) * _impurity(y[part], numeric) for part in parts) / len(rows)
        leaf = best.children_left < 0
        theirs = (best.impurity * best.n_node_samples)[leaf].sum() / len(rows)
        if impurity > theirs + 1e-9 * max(1.0, best.impurity[0]):
            yield node


def _impurity(y: npt.NDArray[Any], numeric: bool) -> float:
    if numeric:
        return float(np.var(y))
    shares = np.unique(y, return_counts=True)[1] / len(y)
    return float(1 - (shares**2).sum())


def _same_nodes(tree: Tree, peer: Any, x: npt.NDArray[np.float32]) -> bool:
    """Do the nodes of both hold the same sets of rows?"""
    ends = leaf_of(tree, x)
    ours = {((ends >= node) & (ends < tree.nodes.end[node])).tobytes() for node in range(len(tree.nodes))}
    theirs = {column.tobytes() for column in peer.decision_path(x).toarray().astype(bool).T}
    return ours == theirs


def _without_ties(seed: int, regression: bool) -> Table:
    """Random normal columns, in which hardly two splits are equally good."""
    from clearwood.table import learn_table

    random = np.random.default_rng(seed)
    x = random.normal(size=(int(random.integers(5, 400)), int(random.integers(1, 8)))).astype(np.float32)
    signal = x[:, 0] + np.sin(3 * x[:, -1]) + random.normal(size=len(x))
    if regression:
        return learn_table(x, signal, numeric=True)
    return learn_table(x, np.digitize(signal, (-0.5, 0.8)))


def _complete(table: Table) -> Table:
    """The rows without an empty cell."""
    cells = np.column_stack([table.columns[a.name] for a in table.schema.inputs])
    return table.take(~np.isnan(cells).any(axis=1))
