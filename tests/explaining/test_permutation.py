"""Permutation importance: what a shuffled column costs, on rows whose target is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from tests.trees import tennis_table, tennis_tree


def test_a_column_that_decides_alone_costs_what_chance_would() -> None:
    random = np.random.default_rng(0)
    x = random.integers(0, 2, 2000)
    table = cw.read_table(
        {
            "x": np.array(["a", "b"])[x].tolist(),
            "z": random.normal(size=2000),
            "y": np.array(["no", "yes"])[x].tolist(),
        },
        target="y",
    )
    worth = cw.permutation_importance(cw.C45().learn(table), table)
    (only,) = worth.columns
    assert (only.name, worth.baseline) == ("x", 0.0)
    assert only.importance == pytest.approx(0.5, abs=4 * only.error)
    # Each row is wrong with probability ½, in the mean of five shuffles: √(¼ ÷ 5 ÷ 2000).
    assert only.error == pytest.approx(np.sqrt(0.25 / 5 / 2000), rel=0.1)
    assert len(only.by_shuffle) == 5


def test_the_loss_may_be_of_shares_and_is_squared_for_numbers() -> None:
    table = tennis_table()
    assert cw.permutation_importance(tennis_tree(), table, loss="log loss").loss == "log loss"
    numbers = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 1.0, 2.0, 3.0]}, target="y")
    tree = cw.CART().learn(numbers)
    worth = cw.permutation_importance(tree, numbers)
    assert (worth.loss, worth.baseline) == ("squared error", 0.0)
    with pytest.raises(SettingError, match="squared error"):
        cw.permutation_importance(tree, numbers, loss="error")
    with pytest.raises(SettingError, match="no squares"):
        cw.permutation_importance(tennis_tree(), table, loss="squared error")


def test_rows_without_a_target_or_weight_are_not_judged() -> None:
    table = tennis_table()
    target = table.target.copy()
    target[:4] = -1
    unknown = replace(table, columns={**table.columns, "PlayTennis": target})
    assert cw.permutation_importance(tennis_tree(), unknown).rows == 10
    weights = np.ones(14)
    weights[:3] = 0
    assert cw.permutation_importance(tennis_tree(), replace(table, weights=weights)).rows == 11
    nothing = replace(table, columns={**table.columns, "PlayTennis": np.full(14, -1, dtype=np.int32)})
    with pytest.raises(SettingError, match="no rows whose target is known"):
        cw.permutation_importance(tennis_tree(), nothing)


def test_the_same_seed_gives_the_same_figures_in_words() -> None:
    table = tennis_table()
    one, two = (cw.permutation_importance(tennis_tree(), table, seed=4) for _ in range(2))
    assert one == two
    assert str(one).startswith("error 0.0000 on 14 rows; shuffled, it rises by\nOutlook")
    assert one["Wind"].name == "Wind"
