"""Grids: which values are tried, drawn or refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.study.tuning.trials import settings_to_try
from tests.typed import mistyped


@pytest.mark.parametrize(
    ("values", "tried"),
    [
        (cw.Range(3, 6), (3, 4, 5, 6)),
        (cw.Range(3, 30, 9), (3, 12, 21, 30)),
        (cw.Range(3, 10, 4), (3, 7)),
        (cw.Range(0.1, 0.5, 0.1), (0.1, 0.2, 0.3, 0.4, 0.5)),
        (cw.Range(0.0, 1.0, count=3), (0.0, 0.5, 1.0)),
        (cw.Range(0.001, 0.1, log=True), (0.001, 0.00316, 0.01, 0.0316, 0.1)),
        (cw.Range(1, 1000, log=True, count=4), (1, 10, 100, 1000)),
        (cw.Range(1, 3, log=True, count=9), (1, 2, 3)),
        (cw.Range(5, 5), (5,)),
    ],
)
def test_a_range_has_both_ends_and_short_numbers(values: cw.Range, tried: tuple[float, ...]) -> None:
    assert values.values == tried


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: cw.Range(9, 3), "from low to high, not from 9 to 3"),
        (lambda: cw.Range(0, 3, log=True), "begins above 0"),
        (lambda: cw.Range(1, 3, -1), "step of a range must be above 0"),
        (lambda: cw.Range(1, 3, 1, log=True), "Give one of them"),
        (lambda: cw.Range(1, 10**9).values, "Give a step or a count"),
        (lambda: cw.Range(float("nan"), 1), "finite"),
        (lambda: cw.SettingGrid({}), "A grid names settings"),
        (lambda: cw.SettingGrid({"measure": "gini"}), "a Range or a list"),
        (lambda: cw.SettingGrid({"max_depth": []}), "no value for max_depth"),
        (lambda: cw.SettingGrid({"max_depth": [3, 3]}), "3 twice for max_depth"),
        (lambda: cw.SettingGrid({"a": range(200), "b": range(200)}).combinations, "Draw some of them"),
        (lambda: cw.SettingGrid({"a": [1]}, draws=0), "draws must be at least 1"),
    ],
)
def test_what_is_no_grid_is_refused_in_a_sentence(make: Any, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        make()


def test_draws_are_repeatable_different_and_within_the_range() -> None:
    over = {
        "alpha": cw.Range(0.001, 0.1, log=True),
        "min_leaf": cw.Range(1, 50),
        "measure": ("gini", "error"),
    }
    drawn = cw.SettingGrid(over, draws=40, seed=1).combinations
    assert drawn == cw.SettingGrid(over, draws=40, seed=1).combinations
    assert drawn != cw.SettingGrid(over, draws=40, seed=2).combinations
    assert len({repr(each) for each in drawn}) == 40
    assert all(0.001 <= each["alpha"] <= 0.1 and 1 <= each["min_leaf"] <= 50 for each in drawn)
    below = sum(each["alpha"] < 0.01 for each in drawn)
    assert 10 <= below <= 30  # half of a log range lies below its geometric middle
    assert {each["measure"] for each in drawn} == {"gini", "error"}


def test_of_a_finite_grid_no_more_are_drawn_than_there_are() -> None:
    grid = cw.SettingGrid({"max_depth": cw.Range(1, 3), "min_leaf": (1, 5)}, draws=40)
    assert grid.combinations == cw.SettingGrid(grid.over).combinations
    few = cw.SettingGrid(grid.over, draws=4, seed=3).combinations
    assert len(few) == 4
    assert all(each in grid.combinations for each in few)


def test_a_grid_can_be_copied_and_pickled() -> None:
    grid = cw.SettingGrid({"max_depth": cw.Range(1, 3), "min_leaf": (1, 5)}, draws=4, seed=2)
    assert copy.deepcopy(grid) == pickle.loads(pickle.dumps(grid)) == grid


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ({"max_dept": (1, 2)}, "No setting of CART called 'max_dept'. Did you mean 'max_depth'?"),
        ({"max_depth": (1, 2.5)}, "max_depth must be a whole number, not 2.5"),
        ({"min_leaf": (-1,)}, "min_leaf must be at least"),
        ({"measure": ("ginny",)}, "Did you mean 'gini'?"),
    ],
)
def test_the_learner_itself_says_which_settings_and_values_it_takes(
    grid: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(SettingError) as refused:
        settings_to_try(cw.CART(), cw.SettingGrid(grid))
    assert sentence in str(refused.value)


def test_settings_that_do_not_go_together_are_marked_and_others_are_tried() -> None:
    grid = cw.SettingGrid({"loss": ("squared", "quantile"), "quantile": (0.5, 0.9)})
    tried = settings_to_try(cw.Boosting(), grid)
    assert [each.learner is None for each in tried] == [False, True, False, False]
    assert "quantile = 0.9 has no effect" in tried[1].refused


def test_only_a_learner_with_settings_can_be_tuned() -> None:
    with pytest.raises(SettingError, match="such as CART"):
        settings_to_try(mistyped(object()), cw.SettingGrid({"a": (1,)}))
