"""A tree's counts are those of its training rows sent through it: what is printed is what predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from clearwood.predicting import count_through
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables

LEARNERS: dict[str, TreeLearner] = {
    "id3": ID3(),
    "c45": C45(),
    "c45 unpruned": C45(prune=False, collapse=False, min_rows=1),
    "cart": CART(),
    "cart direction": CART(missing="direction"),
    "chaid": CHAID(min_rows=4, min_leaf=2, alpha_split=0.5, alpha_merge=0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LEARNERS))
@settings(max_examples=40)
@given(table=random_tables(("nominal",)))
def test_rows_sent_through_count_what_the_tree_says(name: str, table: Table) -> None:
    tree = LEARNERS[name].learn(table)
    np.testing.assert_allclose(count_through(tree, table), tree.nodes.counts, rtol=1e-9, atol=1e-7)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("learner", [ID3(), C45(prune=False), CART()], ids=["id3", "c45", "cart"])
def test_seventy_thousand_values_keep_their_own_branches(learner: ID3 | C45 | CART) -> None:
    values = 70_000
    codes = np.repeat(np.arange(values, dtype=np.int32), 4)
    schema = Schema((Nominal("a", tuple(map(str, range(values)))),), Nominal("y", ("even", "odd")))
    table = Table(schema, {"a": codes, "y": (codes % 2).astype(np.int32)})
    tree = learner.learn(table)
    np.testing.assert_array_equal(count_through(tree, table), tree.nodes.counts)
    assert (tree.nodes.counts[tree.nodes.is_leaf] > 0).sum() == tree.leaves


@pytest.mark.parametrize(
    ("scale", "shift"), [(1e-8, 0.0), (1.0, 1e8), (60.0, 1.7e9), (1e100, 0.0), (1e-100, 0.0)]
)
def test_the_scale_of_the_numbers_does_not_change_the_tree(scale: float, shift: float) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    y = np.round(np.sin(3 * x) * 8) / 8

    def tree_for(numbers: np.ndarray[tuple[int], np.dtype[np.float64]], learner: CART | CHAID) -> list[Any]:
        table = Table(Schema((Numeric("x"),), Numeric("y")), {"x": x, "y": numbers})
        return list(learner.learn(table).nodes.parent)

    for learner in (CART(max_depth=5), CHAID(min_rows=20, min_leaf=10)):
        assert tree_for(y * scale + shift, learner) == tree_for(y, learner)
