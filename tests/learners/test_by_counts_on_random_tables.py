"""What holds for every tree by counts, on any table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from clearwood.measures import IMPURITIES
from clearwood.measures.impurity import Impurity
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.definitions.trees import learn_by_counts
from tests.learners.random_tables import random_tables

CLASSES: dict[str, TreeLearner] = {
    "id3": ID3(),
    "id3 gini": ID3(measure="gini", min_leaf=2),
    "c45": C45(),
    "c45 groups": C45(group_values=True, ordinal="cut", prune=False, min_rows=1),
    "c45 quinlan": C45(confidence_table="quinlan", threshold="midpoint"),
    "cart": CART(),
    "cart direction": CART(missing="direction", measure="entropy", min_leaf=2),
    "cart error": CART(measure="error", max_depth=4, priors="equal"),
    "chaid": CHAID(min_rows=4, min_leaf=1, alpha_split=0.5),
    "chaid exhaustive": CHAID(exhaustive=True, min_rows=4, min_leaf=2, alpha_split=0.9, bins=4),
    "chaid resplit": CHAID(
        alpha_resplit=0.04, statistic="likelihood_ratio", min_rows=2, min_leaf=0, bonferroni=False
    ),
}
NUMBERS: dict[str, TreeLearner] = {
    "cart": CART(),
    "cart absolute": CART(measure="absolute", missing="direction"),
    "cart decrease": CART(min_decrease=0.05, min_leaf=3),
    "chaid": CHAID(min_rows=4, min_leaf=1, alpha_split=0.5),
    "chaid exhaustive": CHAID(exhaustive=True, min_rows=4, min_leaf=2, alpha_split=0.9),
}
small = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def weight(tree: Tree) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return tree.nodes.counts[:, 0] if tree.is_numeric else tree.nodes.counts.sum(axis=1)


def check(tree: Tree, table: Table) -> None:
    nodes, weights = tree.nodes, weight(tree)
    total = len(table) if table.weights is None else table.weights.sum()
    assert weights[0] == pytest.approx(total)
    for node in tree:
        below = nodes.children(node)
        if below:
            # No row is lost and none is made on the way down.
            assert weights[below].sum() == pytest.approx(weights[node])
            assert nodes.share[below].sum() == pytest.approx(1)
            assert len(below) >= 2
            assert nodes.otherwise[node] < len(below)
            assert not np.isnan(nodes.scores[node]).any()
        else:
            assert np.isnan(nodes.scores[node]).all()


# CHAID fits row effects to every pair of values where the classes are ordered: fewer of them there.
any_classes = random_tables(("nominal",), max_rows=50, max_values=60) | random_tables(
    ("ordinal",), max_rows=50, max_values=10
)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@small
@given(table=any_classes)
def test_a_tree_of_classes_accounts_for_every_row(name: str, table: Table) -> None:
    check(learn_by_counts(CLASSES[name], table), table)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(NUMBERS))
@small
@given(table=random_tables(("numeric",), max_rows=50, max_values=60))
def test_a_tree_of_numbers_accounts_for_every_row(name: str, table: Table) -> None:
    check(learn_by_counts(NUMBERS[name], table), table)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@small
@given(table=random_tables(("nominal",), max_rows=30, max_values=20, weights=("whole",)))
def test_a_weight_of_two_is_a_row_twice(name: str, table: Table) -> None:
    assert table.weights is not None
    times = np.repeat(np.arange(len(table)), table.weights.astype(int))
    repeated = table.take(times)
    plain = Table(repeated.schema, repeated.columns)
    one, two = learn_by_counts(CLASSES[name], table), learn_by_counts(CLASSES[name], plain)
    assert one.nodes.attribute.tolist() == two.nodes.attribute.tolist()
    np.testing.assert_allclose(one.nodes.counts, two.nodes.counts)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@small
@given(table=random_tables(("nominal",), max_rows=30, max_values=20), seed=st.integers(0, 2**16))
def test_the_order_of_the_rows_does_not_matter(name: str, table: Table, seed: int) -> None:
    shuffled = table.take(np.random.default_rng(seed).permutation(len(table)))
    one, two = learn_by_counts(CLASSES[name], table), learn_by_counts(CLASSES[name], shuffled)
    assert one.nodes.attribute.tolist() == two.nodes.attribute.tolist()
    np.testing.assert_allclose(one.nodes.counts, two.nodes.counts)
    assert one.nodes.high.tolist() == two.nodes.high.tolist()


def test_a_new_impurity_works_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Impurity(lambda counts: np.sqrt(IMPURITIES["gini"](counts)), "The root of Gini.")
    monkeypatch.setitem(IMPURITIES, "root", root)
    schema = Schema((Numeric("x"), Nominal("n", ("a", "b"))), Nominal("y", ("no", "yes")))
    columns = {
        "x": np.array([1.0, 1, 1, 2]),
        "n": np.array([0, 1, 1, 0], np.int32),
        "y": np.array([0, 1, 1, 0], np.int32),
    }
    for learner in (ID3(measure="root"), CART(measure="root")):
        tree = learn_by_counts(learner, Table(schema, columns))
        assert tree.nodes.attribute.tolist() == [-1, 1, 1]
