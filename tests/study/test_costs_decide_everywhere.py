"""What mistakes cost decides alike in choose, compare and tune: the same learner costs the same."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw


def test_a_learner_costs_the_same_whoever_judges_it() -> None:
    chance = np.random.default_rng(8)
    x = chance.normal(size=(240, 2))
    y = np.where(x[:, 0] + chance.normal(size=240) > 0.8, "bad", "good")
    table = cw.read_table({"x": x[:, 0], "z": x[:, 1], "y": y}, target="y")
    costs, folds = {("bad", "good"): 5.0}, cw.Folds(5)
    tree, bayes = cw.CART(max_depth=2), cw.NaiveBayes()
    choice = cw.choose(table, {"tree": tree, "bayes": bayes}, design=folds, costs=costs)
    compared = cw.compare_learners({"tree": tree, "bayes": bayes}, table, folds, costs=costs)
    tuned = cw.tune(cw.CART(), table, {"max_depth": (2,)}, design=folds, costs=costs)
    assert compared.means["tree"] == pytest.approx(choice["tree"].score)
    assert compared.means["bayes"] == pytest.approx(choice["bayes"].score)
    assert tuned.best.mean == pytest.approx(choice["tree"].score)
    assert choice["tree"].score < 1.0
    assert tuned.model.decision.costs
