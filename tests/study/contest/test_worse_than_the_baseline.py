"""A recommendation says so where the same prediction for every row does better."""

from __future__ import annotations

import numpy as np

import clearwood as cw


def test_who_is_worse_than_the_baseline_is_not_praised() -> None:
    chance = np.random.default_rng(5)
    labels = chance.permutation(["a"] * 140 + ["b"] * 60)
    noise = {f"x{k}": chance.normal(size=200) for k in range(4)}
    table = cw.read_table(noise | {"y": labels}, target="y")
    choice = cw.choose(table, {"deep": cw.CART(min_rows=2)}, design=cw.Folds(5))
    text = str(choice.recommendation)
    assert choice["deep"].score < choice.baseline.score
    assert "the same prediction for every row does better here, 0.700" in text
    assert "These rows chose among" not in text
