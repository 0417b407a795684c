"""A predicted quantile is no mean: models say what they predict, and are scored by what it makes least."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.models.files import from_json, to_json
from clearwood.models.predicted import predicted, predicted_quantile
from clearwood.scoring.evaluation import NumberEvaluation
from clearwood.study.cross_validation import cross_validate
from clearwood.study.scores import evaluation_to_json, phrase, phrase_of_folds


@pytest.fixture(scope="module")
def table() -> cw.Table:
    dice = np.random.default_rng(3)
    x = dice.uniform(0, 10, 400)
    return cw.read_table({"x": x, "price": (x * (1 + dice.exponential(1, 400))).round(3)}, target="price")


UPPER = cw.Boosting(loss="quantile", quantile=0.9, trees=20)
MEDIAN = cw.Boosting(loss="absolute", trees=20)


@pytest.mark.parametrize(
    ("learner", "quantile", "words"),
    [
        (UPPER, 0.9, "the 0.9 quantile of price"),
        (MEDIAN, 0.5, "the median of price"),
        (cw.CART(measure="absolute"), 0.5, "the median of price"),
        (cw.Bagging(of=cw.CART(measure="absolute"), trees=3), 0.5, "the median of price"),
        (cw.Boosting(loss="poisson", trees=5), None, "the mean of price"),
        (cw.Boosting(trees=5), None, "price"),
        (cw.Forest(trees=5), None, "price"),
    ],
)
def test_a_model_says_what_it_predicts(
    learner: Any, quantile: float | None, words: str, table: cw.Table
) -> None:
    model = learner.learn(table)
    assert (predicted_quantile(model), predicted(model)) == (quantile, words)
    told = cw.explain(model, {"x": 5.0})
    assert told.predicted == words
    assert str(told).startswith(f"{words[0].upper() if words != 'price' else 'p'}{words[1:]} is ")
    assert from_json(to_json(model)) == model


def test_the_first_line_of_the_model_names_the_quantile(table: cw.Table) -> None:
    assert str(UPPER.learn(table)).startswith("The 0.9 quantile of price by 20 trees")
    assert str(MEDIAN.learn(table)).startswith("The median of price by 20 trees")


def test_a_quantile_is_scored_by_the_pinball_loss(table: cw.Table) -> None:
    model = UPPER.learn(table)
    score = cw.evaluate(model, table)
    assert isinstance(score, NumberEvaluation)
    error = np.asarray(table.target) - np.asarray(cw.predict(model, table))
    assert score.quantile_loss == pytest.approx(np.where(error > 0, 0.9 * error, -0.1 * error).mean())
    assert score.coverage == pytest.approx((error <= 0).mean())
    assert score.score == ("quantile loss", score.quantile_loss)
    assert "quantile loss" in str(score)
    assert "R²" not in str(score)
    assert "90 % should be" in phrase(score)
    assert evaluation_to_json(score)["quantile_loss"] == score.quantile_loss
    assert model.curves[0].error == pytest.approx(score.quantile_loss)


def test_a_median_is_scored_by_the_absolute_error(table: cw.Table) -> None:
    score = cw.evaluate(MEDIAN.learn(table), table)
    assert isinstance(score, NumberEvaluation)
    assert score.score == ("MAE", score.mae)
    assert "root mean square" not in phrase(score)


def test_a_mean_is_scored_as_before(table: cw.Table) -> None:
    score = cw.evaluate(cw.CART(max_depth=2).learn(table), table)
    assert isinstance(score, NumberEvaluation)
    assert score.score == ("RMSE", score.rmse)
    assert "quantile" not in evaluation_to_json(score)


@pytest.mark.parametrize(
    ("learner", "name", "phrased"), [(UPPER, "quantile loss", "quantile loss"), (MEDIAN, "MAE", "(mean;")]
)
def test_folds_are_scored_by_what_is_predicted(
    learner: cw.Boosting, name: str, phrased: str, table: cw.Table
) -> None:
    judged = cross_validate(learner, table, folds=3)
    assert judged.score_name == name
    assert str(judged).startswith(name)
    assert phrased in phrase_of_folds(judged)
    parts = [each for each in judged.folds if isinstance(each, NumberEvaluation)]
    assert isinstance(judged.together, NumberEvaluation)
    assert judged.together.pinball == pytest.approx(sum(each.pinball for each in parts))


def test_shuffled_columns_are_judged_by_what_is_predicted(table: cw.Table) -> None:
    upper = UPPER.learn(table)
    worth = cw.permutation_importance(upper, table)
    assert worth.loss == "quantile loss"
    assert worth.baseline == pytest.approx(upper.curves[0].error)
    assert cw.permutation_importance(MEDIAN.learn(table), table).loss == "absolute error"
    assert cw.permutation_importance(upper, table, loss="squared error").loss == "squared error"
    with pytest.raises(SettingError, match="predicts means, not quantiles"):
        cw.permutation_importance(cw.CART().learn(table), table, loss="quantile loss")


def test_a_report_says_which_quantile_and_by_what_it_is_scored(table: cw.Table) -> None:
    page = cw.report(table, learner=UPPER).html
    assert "a number: the 0.9 quantile of price." in page
    assert "(which is lowest for the 0.9 quantile that it predicts)" in page


def test_rounds_of_another_quantile_are_not_added(table: cw.Table) -> None:
    with pytest.raises(LearningError, match="which these rounds would not"):
        cw.Boosting(loss="quantile", quantile=0.1, trees=5).learn_more(UPPER.learn(table), table)
    assert UPPER.learn_more(UPPER.learn(table), table).quantile == 0.9


def test_only_a_sum_of_numbers_has_a_quantile(table: cw.Table) -> None:
    from dataclasses import replace

    with pytest.raises(SchemaError, match="A quantile lies between 0 and 1"):
        replace(UPPER.learn(table), quantile=1.5)
    with pytest.raises(SchemaError, match="A quantile lies between 0 and 1"):
        replace(cw.Forest(trees=2).learn(table), quantile=0.5)
