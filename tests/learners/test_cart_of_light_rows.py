"""CART on rows whose weights are far apart, as boosting makes them: the light ones are told apart as well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from tests.definitions.trees import learn_by_counts
from tests.same_nodes import same_nodes


def test_a_split_of_rows_of_a_billionth_of_the_weight_is_not_lost_to_rounding() -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        # The last rows of these columns are light and of class a: nothing is gained there.
        columns = {
            name: np.concatenate([random.permutation(38), 38 + random.permutation(3)]).astype(float)
            for name in ("one", "two")
        }
        for each in columns.values():
            each[-1] = 19.5
        x = np.arange(41.0)
        schema = cw.Schema((*map(cw.Numeric, columns), cw.Numeric("x")), cw.Nominal("y", tuple("abc")))
        table = cw.encode({**columns, "x": x, "y": [*("a" * 40), "b"]}, schema)
        weights = 10.0 ** random.uniform(-7, 2, 41)
        weights[[-3, -2, -1]] = 7.3e-8
        tree = cw.CART(max_depth=1, min_rows=0, min_leaf=0).learn(replace(table, weights=weights))
        assert tree.nodes.counts[1:, 1].tolist() == [0.0, 7.3e-8], seed


@pytest.mark.parametrize("names", [["bad", "good"], ["good", "bad"]])
def test_values_of_equal_shares_do_not_follow_how_classes_are_declared(names: list[str]) -> None:
    """clerk and none are all good, and smith is too light for a leaf of its own: one of the two joins it, and
    it was the other one where good was declared first."""
    rows = {
        "job": ["clerk", "clerk", "none", "clerk", "smith", "none"],
        "w": [1.6, 2.6, 0.9, 1.2, 0.76, 1.2],
        "y": ["good", "good", "good", "good", "bad", "good"],
    }
    table = cw.read_table(rows, target="y", weight="w", weights_are="sampling", ordered={"y": names})
    learner = cw.CART(min_leaf=1, min_rows=2)
    tree = learner.learn(table)
    bad = cw.shares(tree, table)[:, names.index("bad")]
    assert len(set(bad[[0, 1, 3]])) == 1
    assert bad[2] == bad[5] == 0.0  # clerk is beside smith, in both orders
    same_nodes(tree.nodes, learn_by_counts(learner, table).nodes)
