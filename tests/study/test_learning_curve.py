"""Learning curves: scores by the number of rows learned from, on the same held-out rows for every learner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.designs import TrainingRows
from clearwood.study.dividing import parts_by_design
from tests.study.learners_that_watch import Watched


def table_of(rows: int = 120, classes: tuple[str, ...] = ("a", "b"), **more: Any) -> cw.Table:
    dice = np.random.default_rng(0)
    x = dice.random(rows).round(3)
    noisy = x + 0.25 * dice.normal(size=rows)
    y = np.array(classes)[np.clip((noisy * len(classes)).astype(int), 0, len(classes) - 1)]
    return cw.read_table({"x": x, "z": dice.random(rows).round(3), **more, "y": y}, target="y")


def test_with_all_rows_the_scores_are_those_of_cross_validation() -> None:
    table = table_of()
    curves = cw.learning_curve(cw.C45(), table, sizes=[20, 96], design=cw.Folds(5, 3))
    judged = cw.cross_validate(cw.C45(), table, design=cw.Folds(5, 3))
    assert curves.curves[0].held_out[:, -1].tolist() == pytest.approx(judged.scores)
    assert curves.curves[0].mean()[-1] == pytest.approx(judged.score)
    assert curves.curves[0].standard_error()[-1] == pytest.approx(judged.standard_error)


def test_each_point_is_a_model_of_so_many_training_rows_judged_on_the_fold() -> None:
    table = table_of()
    watched = Watched(cw.CART(min_rows=5))
    curves = cw.learning_curve(watched, table, sizes=[10, 40, 90], design=cw.Folds(4))
    expected_training, expected = [], []
    for part, tables in zip(parts_by_design(cw.Folds(4), table), np.reshape(range(12), (4, 3)), strict=True):
        for at in tables:
            rows = watched.tables[at]
            assert rows.places is not None
            assert set(rows.places.tolist()) <= set(part.learn.tolist())
            model = cw.CART(min_rows=5).learn(rows)
            expected_training.append(accuracy(model, rows))
            expected.append(accuracy(model, table.take(part.judge)))
    curve = curves.curves[0]
    assert curve.training.ravel().tolist() == pytest.approx(expected_training)
    assert curve.held_out.ravel().tolist() == pytest.approx(expected)


def accuracy(model: Any, rows: cw.Table) -> float:
    evaluation = cw.evaluate(model, rows)
    assert isinstance(evaluation, ClassEvaluation)
    return evaluation.accuracy


def test_the_rows_of_a_size_are_among_those_of_the_next_and_every_class_has_its_part() -> None:
    watched = Watched(cw.NaiveBayes())
    cw.learning_curve(watched, table_of(150, ("a", "b", "c")), sizes=[12, 30, 60], design=cw.Folds(2))
    for fold in (watched.tables[:3], watched.tables[3:]):
        small, middle, large = (set(rows.places.tolist()) for rows in fold if rows.places is not None)
        assert small < middle < large
        whole = np.bincount(fold[2].target) / 60
        assert np.abs(np.bincount(fold[0].target, minlength=3) / 12 - whole).max() < 0.1


def test_every_learner_is_judged_on_the_same_rows() -> None:
    one, other = Watched(cw.CART()), Watched(cw.NaiveBayes())
    curves = cw.learning_curve({"one": one, "other": other}, table_of(), sizes=3)
    for first, second in zip(one.tables, other.tables, strict=True):
        assert first.places is not None
        assert second.places is not None
        assert first.places.tolist() == second.places.tolist()
    assert [curve.name for curve in curves.curves] == ["one", "other"]
    assert "other held out" in str(curves)


def test_a_learner_that_cannot_learn_from_so_few_has_no_score_there() -> None:
    class NeedsMany:
        def learn(self, table: cw.Table) -> cw.Tree:
            if len(table) < 30:
                raise LearningError("Too few rows.")
            return cw.CART().learn(table)

    curves = cw.learning_curve(NeedsMany(), table_of(), sizes=[10, 40, 80], design=cw.Folds(3))
    assert np.isnan(curves.curves[0].held_out[:, 0]).all()
    assert np.isfinite(curves.curves[0].held_out[:, 1:]).all()
    assert str(curves).splitlines()[2].split() == ["10", "–", "–"]
    assert cw.charts.learning_curve(curves).alt.startswith("Accuracy")
    with pytest.raises(LearningError, match="In fold 1: Too few rows"):
        cw.learning_curve(NeedsMany(), table_of(), sizes=[10, 20], design=cw.Folds(3))


def test_repeated_folds_do_not_shrink_the_band_to_nothing() -> None:
    table = table_of(60)
    once, often = (
        cw.learning_curve(cw.CART(), table, sizes=[40], design=cw.Folds(4, repeats=n)).curves[0]
        for n in (1, 12)
    )
    spread = often.held_out.std(axis=0, ddof=1)
    assert often.shared == pytest.approx(1 / 3)
    assert often.standard_error()[0] == pytest.approx(float(spread[0]) * np.sqrt(1 / 48 + 1 / 3))
    assert once.shared == pytest.approx(1 / 3)  # one ruler for one round and for many
    spread = once.held_out.std(axis=0, ddof=1)
    assert once.standard_error()[0] == pytest.approx(float(spread[0]) * np.sqrt(1 / 4 + 1 / 3))


def test_groups_stay_together_and_are_not_learned_from() -> None:
    table = table_of(who=[f"p{i % 20}" for i in range(120)])
    watched = Watched(cw.CART())
    cw.learning_curve(watched, table, sizes=2, design=cw.Folds(4, group="who"))
    assert all("who" not in rows.columns for rows in watched.tables)


def test_numbers_are_judged_by_rmse_and_any_score_can_be_named() -> None:
    x = np.random.default_rng(0).random(80)
    numbers = cw.read_table({"x": x, "y": x**2}, target="y")
    curves = cw.learning_curve(cw.CART(), numbers, sizes=3)
    assert (curves.score, curves.better) == ("RMSE", "less")
    assert curves.curves[0].mean()[-1] < curves.curves[0].mean()[0]
    assert cw.learning_curve(cw.CART(), numbers, sizes=2, score="mae").score == "MAE"
    with pytest.raises(SettingError, match=r"No score 'acuracy'\. Did you mean 'accuracy'"):
        cw.learning_curve(cw.CART(), table_of(), score="acuracy")


def test_what_is_at_stake_can_be_named() -> None:
    dear = cw.learning_curve(cw.CART(), table_of(), sizes=[90], score="cost", costs={("a", "b"): 9.0})
    cheap = cw.learning_curve(cw.CART(), table_of(), sizes=[90], score="cost")
    assert dear.curves[0].mean()[0] > cheap.curves[0].mean()[0]
    recall = cw.learning_curve(cw.CART(), table_of(), sizes=[90], score="recall", positive="a")
    other = cw.learning_curve(cw.CART(), table_of(), sizes=[90], score="recall", positive="b")
    assert (recall.score, other.score) == ("recall of a", "recall of b")
    assert recall.curves[0].mean()[0] != other.curves[0].mean()[0]
    guessed = cw.learning_curve(cw.CART(), table_of(), sizes=[90], score="recall")
    assert guessed.score in (recall.score, other.score)  # one for all folds, and named
    with pytest.raises(SettingError, match="No class 'c'"):
        cw.learning_curve(cw.CART(), table_of(), positive="c")
    with pytest.raises(SettingError, match="a score such as recall"):
        cw.learning_curve(cw.CART(), table_of(), positive="a")


def test_a_learner_with_costs_is_judged_by_them() -> None:
    careful = cw.CART(costs={("a", "b"): 5.0})
    assert cw.learning_curve(careful, table_of(), sizes=2).score == "expected cost"


def test_the_last_doubling_is_read_off_the_curve() -> None:
    curves = cw.learning_curve(cw.CART(), table_of(), sizes=[24, 48, 96], design=cw.Folds(5))
    curve = curves.curves[0]
    gains = curve.held_out[:, 2] - curve.held_out[:, 1]  # half of 96 is a size itself
    gain, error = curves.last_doubling(curve)
    assert gain == pytest.approx(gains.mean())
    assert error == pytest.approx(gains.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4))
    assert "from 48 to 96 rows accuracy" in str(curves)
    short = cw.learning_curve(cw.CART(), table_of(), sizes=[96])
    assert np.isnan(short.last_doubling(short.curves[0])[0])


def test_few_rows_a_single_class_and_wrong_sizes() -> None:
    three = cw.read_table({"x": [1.5, 2.5, 3.5], "y": ["a", "b", "a"]}, target="y")
    assert cw.learning_curve(cw.CART(), three).folds == 3
    alone = cw.read_table({"x": np.arange(30) / 7, "y": ["a"] * 30}, target="y")
    assert cw.learning_curve(cw.CART(), alone, sizes=2).curves[0].mean().tolist() == [1.0, 1.0]
    with pytest.raises(SettingError, match="sizes must be numbers of rows up to 96"):
        cw.learning_curve(cw.CART(), table_of(), sizes=[10, 97])
    with pytest.raises(SettingError, match="needs test rows"):
        cw.learning_curve(cw.CART(), table_of(), design=TrainingRows())
    with pytest.raises(SchemaError, match="at least two rows"):
        cw.learning_curve(cw.CART(), three.take(np.array([0])))
    with pytest.raises(SettingError, match="no curve of 'C45'"):
        cw.learning_curve(cw.CART(), three)["C45"]


def test_more_points_than_rows_are_refused_with_the_way_out() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    with pytest.raises(SettingError) as refused:
        cw.learning_curve(cw.ID3(), days, sizes=5000)
    assert str(refused.value) == (
        "sizes is how many points the curve has, and 5,000 of them are more than the 11 rows that each fold "
        "leaves to learn from. Take fewer, such as sizes=8, or name numbers of rows, two or more: "
        "sizes=[5, 11]."
    )


def test_to_json_has_every_fold_and_the_means() -> None:
    told = cw.learning_curve(cw.CART(), table_of(), sizes=[20, 90]).to_json()
    assert told["rows"] == [20, 90]
    assert np.mean(told["learners"][0]["held_out"], axis=0).tolist() == pytest.approx(
        told["learners"][0]["mean"]
    )


def test_the_chart_names_each_learner_and_a_single_one_by_its_rows() -> None:
    both = cw.charts.learning_curve(cw.learning_curve([cw.CART(), cw.NaiveBayes()], table_of(), sizes=3))
    assert "NaiveBayes" in both.svg
    assert "± 1 standard error over 5 folds" in both.svg
    alone = cw.charts.learning_curve(cw.learning_curve(cw.CART(), table_of(), sizes=3))
    assert "held out" in alone.svg
    assert "training" in alone.svg
