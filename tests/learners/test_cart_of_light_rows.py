"""CART on rows whose weights are far apart, as boosting makes them: the light ones are told apart as well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import clearwood as cw


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
