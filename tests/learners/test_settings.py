"""Settings: any number of the right size is taken and kept plain; a wrong one is refused when given."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from clearwood.errors import SettingError
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from tests.typed import mistyped

LEARNERS: tuple[type[Any], ...] = (ID3, C45, CART, CHAID)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("three", [3, 3.0, np.int64(3), np.uint8(3), np.float32(3), Fraction(3)])
def test_any_whole_number_is_a_depth_and_kept_as_an_int(learner: type[Any], three: Any) -> None:
    assert type(learner(max_depth=three).max_depth) is int
    assert learner(max_depth=three) == learner(max_depth=3)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("wrong", [-1, 2.5, 2**40, True, "3", np.nan, np.inf, 10**400])
def test_what_is_no_depth_is_refused_with_its_name(learner: type[Any], wrong: Any) -> None:
    with pytest.raises(SettingError, match=r"max_depth must be (a whole number|at least 0|at most)"):
        learner(max_depth=wrong)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("wrong", [None, -0.5, np.nan, np.inf, 10**400, "2", np.True_])
def test_what_is_no_weight_is_refused_with_its_name(learner: type[Any], wrong: Any) -> None:
    with pytest.raises(SettingError, match="min_rows must be"):
        learner(min_rows=wrong)


def test_numbers_of_numpy_are_kept_as_floats() -> None:
    assert type(C45(confidence=mistyped(np.float32(0.5))).confidence) is float
    assert type(CART(alpha=np.float64(0.5)).alpha) is float


@pytest.mark.parametrize("wrong", ["no", 1, None, 0.0])
def test_a_switch_is_true_or_false(wrong: Any) -> None:
    for switch in ("prune", "collapse", "raise_subtrees", "group_values"):
        with pytest.raises(SettingError, match=f"{switch} must be True or False"):
            C45(**{switch: wrong})
    for switch in ("exhaustive", "bonferroni"):
        with pytest.raises(SettingError, match=f"{switch} must be True or False"):
            CHAID(**{switch: wrong})
    assert C45(prune=mistyped(np.False_)).prune is False


def test_alphas_of_chaid_reach_one_and_not_beyond() -> None:
    CHAID(alpha_merge=1, alpha_split=1.0)
    with pytest.raises(SettingError, match="alpha_split must lie above 0 and at most 1"):
        CHAID(alpha_split=1.00000001)
    assert CHAID(alpha_merge=0.05, alpha_resplit=0.05).alpha_resplit == 0.05
    with pytest.raises(SettingError, match=r"alpha_resplit must lie above 0 and at most 0\.05"):
        CHAID(alpha_merge=0.05, alpha_resplit=0.06)


def test_a_word_that_is_no_choice_is_refused() -> None:
    with pytest.raises(SettingError, match="Did you mean 'midpoint'"):
        C45(threshold=mistyped("mid_point"))
    with pytest.raises(SettingError, match="No measure called"):
        CART(measure=mistyped(3))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("wrong", ["foo", {"no": "a"}, {"no": np.inf}, {"no": 0}, {1: 0.5}, [0.5, 0.5], 0.5])
def test_what_are_no_priors_is_refused_when_made(learner: type[Any], wrong: Any) -> None:
    with pytest.raises(SettingError, match=r"priors(\['no'\])? must be"):
        learner(priors=wrong)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(
    "wrong",
    [[[0, 1], [5, 0]], {"no": 5}, {("no", "yes"): np.inf}, {("no", "yes"): -1}, {("no",): 1}, "equal"],
)
def test_what_are_no_costs_is_refused_when_made(learner: type[Any], wrong: Any) -> None:
    with pytest.raises(SettingError, match=r"costs(\['no', 'yes'\])? must be"):
        learner(costs=wrong)
