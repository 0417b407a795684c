"""What makes no sense in a study is refused in a sentence; differences are of the score asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError


def credit(rows: int = 120) -> cw.Table:
    chance = np.random.default_rng(3)
    x = chance.normal(size=rows)
    kinds = chance.choice(["red", "blue"], rows)
    return cw.read_table(
        {"x": x, "kind": kinds, "y": np.where(x + chance.normal(size=rows) > 1, "bad", "good")}, target="y"
    )


@pytest.mark.parametrize("learner", [cw.ILA(), cw.ILA3(), cw.ILA4(), cw.PRISM()], ids=repr)
def test_class_weights_that_cannot_move_a_learner_are_refused(learner: Any) -> None:
    with pytest.raises(SettingError, match="weights of classes change nothing"):
        cw.Recipe(learner, before=(cw.Balance("weights"),)).learn(credit())


def test_a_class_in_the_place_of_a_learner_and_a_number_in_that_of_a_selection() -> None:
    with pytest.raises(SettingError, match=r"C45 is a class: give a learner made of it, C45\(\)"):
        cw.choose(credit(), [cw.C45])
    number: Any = 8
    with pytest.raises(SettingError, match="selection must be a Selection"):
        cw.selection_stability(credit(), number)
    folds: Any = [0, 1]
    with pytest.raises(SettingError, match="names the column whose values are the folds"):
        cw.GivenFolds(folds)


@pytest.mark.parametrize("by", ["rmse", "r2"])
def test_on_rows_held_out_a_contender_is_behind_by_the_score_that_was_asked_for(by: str) -> None:
    chance = np.random.default_rng(1)
    x = chance.normal(size=200)
    table = cw.read_table({"x": x, "y": 2 * x + chance.normal(size=200)}, target="y")
    trees = {"deep": cw.CART(max_depth=3), "stump": cw.CART(max_depth=1)}
    choice = cw.choose(table, trees, design=cw.HoldOut(0.3), by=by)
    (difference,) = choice.differences
    assert difference.score == by
    assert difference.difference == pytest.approx(choice["deep"].score - choice["stump"].score)
    low, high = difference.interval
    assert low < difference.difference < high
