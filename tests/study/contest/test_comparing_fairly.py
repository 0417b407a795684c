"""Contenders that answer a part of the rows, scores without an order, kinds of numbers: nobody gains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SettingError
from clearwood.scoring import SCORES
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.scores import score_by_name
from clearwood.study.deciding.deciding_step import Deciding
from clearwood.table.table import Table
from tests.study.contest.tables import prices

CAREFUL: Any = cw.Recipe(cw.Logistic(), after=(Deciding(refer=0.9),))
BOTH = {"careful": CAREFUL, "plain": cw.Logistic()}
FOLDS = cw.Folds(4)


def credit() -> Table:
    chance = np.random.default_rng(4)
    x = chance.normal(size=(2, 120))
    good = x.sum(axis=0) + chance.normal(size=120) > 0
    return cw.read_table({"x": x[0], "z": x[1], "class": np.where(good, "good", "bad")}, target="class")


@pytest.mark.parametrize("design", [FOLDS, cw.HoldOut(0.4)])
def test_a_row_left_unanswered_counts_as_wrong(design: Any) -> None:
    choice = cw.choose(credit(), BOTH, design=design)
    rows = choice["careful"].predictions
    assert isinstance(rows, ClassPredictions)
    assert 0 < choice["careful"].answered == (rows.answers >= 0).mean() < 1
    right = [(rows.truth == rows.answers)[rows.part == part].mean() for part in np.unique(rows.part)]
    assert choice["careful"].score == pytest.approx(np.mean(right))
    assert choice["careful"].score < choice["plain"].score
    compared = cw.compare_learners(BOTH, credit(), design)
    assert compared.means["careful"] == pytest.approx(np.mean(right))
    assert compared.differences[0].of_first == pytest.approx(np.mean(right))
    assert any("count as wrong" in note for note in compared.notes)


def test_the_table_shows_who_answers_how_many() -> None:
    choice = cw.choose(credit(), BOTH, design=FOLDS)
    part = f"{100 * choice['careful'].answered:.1f} %"
    assert choice.table.heads[2] == "answered"
    assert part in str(choice.table)
    assert part in str(choice)
    assert f"careful predicts {part}; rows without a prediction count as wrong." in choice.notes[-1]
    assert part in choice.report().html
    assert "answered" not in cw.choose(credit(), [cw.Logistic()], design=FOLDS).table.heads


def test_tuning_does_not_take_the_one_that_answers_least() -> None:
    rows = cw.tune(CAREFUL, credit(), {"max_iterations": [100]}, design=FOLDS)
    assert rows.chosen.mean == pytest.approx(
        cw.choose(credit(), BOTH, design=FOLDS)["careful"].score, abs=0.02
    )


def test_what_an_unanswered_row_costs_nobody_knows() -> None:
    costs = {("bad", "good"): 5.0}
    choice = cw.choose(credit(), BOTH, design=FOLDS, by="cost", costs=costs)
    assert "without a prediction, and their expected cost is not known" in choice["careful"].refused
    with pytest.raises(SettingError, match=r"careful: It leaves .* without a prediction"):
        cw.compare_learners(BOTH, credit(), FOLDS, score="cost", costs=costs)
    with pytest.raises(LearningError, match="without a prediction"):
        cw.tune(CAREFUL, credit(), {"max_iterations": [100]}, design=FOLDS, by="cost", costs=costs)


@pytest.mark.parametrize(
    ("by", "mean"), [("precision", 1.0), ("f_beta", 8 / 9), ("balanced_accuracy", 5 / 6)]
)
def test_no_answer_is_no_class_that_a_mean_over_classes_has(by: str, mean: float) -> None:
    rows = ClassPredictions(
        classes=("a", "b", "c"),
        truth=np.array([0, 0, 1, 1, 2, 2]),
        answers=np.array([0, -1, 1, 1, 2, 2]),
        shares=np.zeros((6, 3)),
        weights=np.ones(6),
        places=np.arange(6),
        part=np.zeros(6, dtype=np.int64),
    )
    assert score_by_name(by, counting_all_rows(rows, SCORES[by])) == pytest.approx(mean)


@pytest.mark.parametrize("by", ["calibration_slope", "calibration_intercept"])
def test_contenders_are_not_ordered_by_what_is_best_at_one_place(by: str) -> None:
    with pytest.raises(SettingError, match="contenders are not compared by it"):
        cw.choose(credit(), [cw.Logistic()], design=FOLDS, by=by)
    with pytest.raises(SettingError, match="neither more nor less of it is better"):
        cw.compare_learners([cw.Logistic(), cw.NaiveBayes()], credit(), FOLDS, score=by)


def test_means_and_medians_are_not_judged_alike_in_silence() -> None:
    kinds = {"mean": cw.CART(max_depth=2), "median": cw.CART(max_depth=2, measure="absolute")}
    note = "Predicted are means by mean; medians by median: RMSE favours means."
    assert note in cw.choose(prices(), kinds, design=FOLDS).notes
    assert note in cw.compare_learners(kinds, prices(), FOLDS).notes
    alike = cw.choose(prices(), [cw.CART(max_depth=2)], design=FOLDS)
    assert not any("Predicted are" in each for each in alike.notes)
