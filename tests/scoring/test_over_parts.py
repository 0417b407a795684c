"""Scores over parts judged by a model each: right for parts of any size, and within what they can be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SettingError
from clearwood.scoring import Stakes
from clearwood.scoring.intervals import score_intervals, score_over_parts
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions
from clearwood.scoring.scores import score_by_name
from clearwood.study.scores import phrase_of_folds
from clearwood.study.study import short_scores, study_of

ONE_OUT = cw.LeaveOneOut()


def numbers(rows: int = 40) -> cw.Table:
    chance = np.random.default_rng(3)
    x = chance.normal(size=rows)
    return cw.read_table({"x": x, "y": 2 * x + chance.standard_t(3, size=rows)}, target="y")


def unequal(rows: int = 60) -> cw.Table:
    """Fifteen rows of a hundred are bad."""
    chance = np.random.default_rng(4)
    x = chance.normal(size=rows)
    bad = x + 0.3 * chance.normal(size=rows) > np.quantile(x, 0.85)
    return cw.read_table({"x": x, "class": np.where(bad, "bad", "good")}, target="class")


def test_the_rmse_of_single_rows_is_no_mean_absolute_error() -> None:
    validation = cw.cross_validate(cw.CART(max_depth=2), numbers(), design=ONE_OUT)
    rows = validation.predictions
    assert isinstance(rows, NumberPredictions)
    squares = (rows.truth - rows.answers) ** 2
    assert validation.score == pytest.approx(math.sqrt(squares.mean()))
    size = len(squares)  # each judges what was learned from all others
    error = squares.std(ddof=1) * math.sqrt(1 / size + 1 / (size - 1)) / (2 * validation.score)
    assert validation.standard_error == pytest.approx(error)
    assert f"off by {validation.score:.4g} (root mean square" in phrase_of_folds(validation)


def test_choosing_comparing_and_tuning_have_the_same_rmse() -> None:
    tree, table = cw.CART(max_depth=2), numbers()
    pooled = cw.cross_validate(tree, table, design=ONE_OUT).score
    choice = cw.choose(table, {"tree": tree, "stump": cw.CART(max_depth=1)}, design=ONE_OUT)
    assert choice["tree"].score == pytest.approx(pooled)
    apart = abs(choice["tree"].score - choice["stump"].score)
    assert abs(choice.differences[0].difference) == pytest.approx(apart)
    compared = cw.compare_learners({"tree": tree, "stump": cw.CART(max_depth=1)}, table, ONE_OUT)
    assert compared.means["tree"] == pytest.approx(pooled)
    tuned = cw.tune(cw.CART(), table, {"max_depth": [2]}, design=ONE_OUT)
    assert tuned.chosen.mean == pytest.approx(pooled)


@pytest.mark.parametrize("by", ["balanced_accuracy", "f_beta", "recall", "mcc"])
def test_what_single_rows_cannot_tell_is_told_by_all_of_them(by: str) -> None:
    choice = cw.choose(unequal(), [cw.CART(max_depth=2)], design=ONE_OUT, by=by, positive="bad")
    judged = choice.judged[0]
    assert judged.predictions is not None
    assert judged.score == pytest.approx(score_by_name(by, judged.predictions, Stakes("bad")))
    assert 0 < judged.standard_error < 0.3


def test_the_baseline_of_single_rows_has_half_of_the_balanced_accuracy() -> None:
    choice = cw.choose(unequal(), [cw.CART(max_depth=2)], design=ONE_OUT, by="balanced_accuracy")
    assert choice.baseline.score == pytest.approx(0.5)


def test_the_error_of_all_rows_together_is_that_of_the_jackknife() -> None:
    rows = cw.cross_validate(cw.CART(max_depth=2), unequal(), design=ONE_OUT).predictions
    over = score_over_parts("balanced_accuracy", rows, Stakes("bad"))
    left = [score_by_name("balanced_accuracy", rows.take(rows.places != place)) for place in range(60)]
    assert over.standard_error() == pytest.approx(math.sqrt(59 * np.var(left)))


def test_single_rows_rank_nothing() -> None:
    constant = cw.cross_validate(cw.CART(max_depth=0), unequal(), design=ONE_OUT).predictions
    for name in ("auc", "average_precision", "ks"):
        scored = score_intervals((name,), constant, Stakes("bad"))[name]
        assert math.isnan(scored.value)
        assert scored.why == "parts of so few rows cannot rank; take folds of more rows"
    with pytest.raises(LearningError, match="cannot rank; take folds of more rows"):
        cw.choose(unequal(), [cw.CART(max_depth=2)], design=ONE_OUT, by="auc")
    printed = short_scores(study_of(cw.CART(max_depth=2), unequal(), ONE_OUT))
    assert printed is not None
    assert math.isnan(printed["auc"].value)


def test_rows_are_ranked_within_folds() -> None:
    rows = cw.cross_validate(
        cw.CART(max_depth=0), unequal(), design=cw.Folds(7, stratified=False)
    ).predictions
    assert (
        score_by_name("auc", rows, Stakes("bad")) < 0.5
    )  # of constants, each fold's the less the more it has
    assert score_intervals(("auc",), rows, Stakes("bad"))["auc"].value == 0.5


def test_settings_are_not_tuned_by_a_score_that_single_rows_do_not_have() -> None:
    with pytest.raises(
        SettingError, match=r"of folds of 1 row balanced accuracy says nothing. Take folds of at"
    ):
        cw.tune(cw.CART(), unequal(), {"max_depth": [1, 2]}, design=ONE_OUT, by="balanced_accuracy")
    tuned = cw.tune(cw.CART(), unequal(22), {"max_depth": [1, 2]}, by="balanced_accuracy")
    assert tuned.folds == 4


def test_intervals_end_where_the_score_does() -> None:
    chance = np.random.default_rng(1)
    truth = chance.integers(0, 2, 50)
    shares = np.where(truth == 1, 0.97, 0.03)
    shares[0] = 1 - shares[0]
    places = np.tile(np.arange(50), 3)
    rows = ClassPredictions(
        classes=("good", "bad"),
        truth=truth[places],
        answers=(shares > 0.5).astype(np.int64)[places],
        shares=np.stack([1 - shares, shares], axis=1)[places],
        weights=np.ones(150),
        places=places,
        part=np.arange(150) // 10,
    )
    made = score_intervals(("accuracy", "brier", "auc"), replace(rows), Stakes("bad"))
    assert made["accuracy"].interval is not None
    assert made["accuracy"].interval[1] == 1.0
    assert made["brier"].interval is not None
    assert made["brier"].interval[0] == 0.0
