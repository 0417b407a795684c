"""The best trial, and the simplest within one standard error of it, in cases made for the rule."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clearwood.errors import LearningError
from clearwood.scoring import SCORES
from clearwood.scoring.intervals import error_of_terms
from clearwood.study.tuning.trials import Trial, best_of, simplest_within_one_error

ACCURACY, RMSE = SCORES["accuracy"], SCORES["rmse"]


def _trial(mean: float, size: int, spread: float = 0.0, failed: str = "") -> Trial:
    return Trial({}, (mean - spread, mean, mean + spread), (size,) * 3, failed=failed)


def test_the_simplest_within_one_standard_error_of_the_best_is_taken() -> None:
    # The best has a standard error of 0.03 / √3 = 0.01732: 0.88 is within it, 0.87 is not.
    trials = [_trial(0.87, 2), _trial(0.88, 8), _trial(0.89, 30), _trial(0.895, 60, 0.03)]
    assert best_of(trials, ACCURACY) == 3
    assert trials[3].standard_error == pytest.approx(0.03 / math.sqrt(3))
    assert simplest_within_one_error(trials, ACCURACY) == 1


def test_of_a_loss_less_is_better() -> None:
    trials = [_trial(2.0, 2), _trial(1.02, 8), _trial(1.0, 60, 0.05)]
    assert best_of(trials, RMSE) == 2
    assert simplest_within_one_error(trials, RMSE) == 1


def test_exactly_one_standard_error_away_is_within_it() -> None:
    best = _trial(0.75, 9, 0.125)
    error = best.standard_error
    assert simplest_within_one_error([_trial(0.75 - error, 3), best], ACCURACY) == 0


def test_of_equal_means_the_simpler_is_best_and_of_equal_sizes_the_first() -> None:
    assert best_of([_trial(0.8, 9), _trial(0.8, 4), _trial(0.8, 4)], ACCURACY) == 1
    rounding = [_trial(0.1 + 0.2, 9), _trial(0.3, 4)]
    assert best_of(rounding, ACCURACY) == 1


def test_of_equally_simple_ones_the_better_is_taken() -> None:
    trials = [_trial(0.88, 4), _trial(0.89, 4), _trial(0.895, 9, 0.03)]
    assert simplest_within_one_error(trials, ACCURACY) == 1


def test_folds_without_a_score_are_left_out_and_a_trial_without_any_is_never_best() -> None:
    nan = math.nan
    some = Trial({}, (0.8, nan, 0.6), (3, 3, 3))
    assert some.mean == pytest.approx(0.7)
    assert some.standard_error == pytest.approx(0.1)
    assert best_of([Trial({}, (nan, nan), (1, 1)), some], ACCURACY) == 1
    assert math.isnan(Trial({}, (0.5,), (1,)).standard_error)


def test_a_failed_trial_is_never_best_and_where_all_failed_the_first_says_why() -> None:
    assert best_of([_trial(0.9, 3, failed="In fold 2: no."), _trial(0.6, 3)], ACCURACY) == 1
    with pytest.raises(LearningError, match=r"None of the settings could be evaluated\. In fold 2: no\."):
        best_of([_trial(0.9, 3, failed="In fold 2: no.")], ACCURACY)
    with pytest.raises(LearningError, match="Take another"):
        best_of([Trial({}, (math.nan,), (3,))], ACCURACY)


def test_where_rows_judge_more_than_once_the_error_is_larger() -> None:
    scores = (0.7, 0.8, 0.9)
    assert error_of_terms(np.array(scores), 0.25) == pytest.approx(0.1 * math.sqrt(1 / 3 + 0.25))
