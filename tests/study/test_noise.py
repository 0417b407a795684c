"""Noise on purpose: so much of it, by seed, and only in the rows that are learned from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SettingError
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.designs import TrainingRows
from tests.study.learners_that_watch import Watched
from tests.typed import mistyped


def steps(rows: int = 200) -> cw.Table:
    x = np.arange(rows) / 7
    return cw.read_table(
        {"x": x, "y": np.array(["low", "mid", "high"])[(x % 9 // 3).astype(int)]}, target="y"
    )


def test_exactly_the_share_gets_another_class_each_as_likely() -> None:
    table = steps(3000)
    noisy = cw.with_noise(table, 0.3, seed=5)
    changed = noisy.target != table.target
    assert changed.sum() == 900
    for code in range(3):
        given = np.bincount(noisy.target[changed & (table.target == code)], minlength=3)
        assert given[code] == 0
        assert np.delete(given, code).min() > 0.4 * given.sum()
    assert np.array_equal(noisy.target, cw.with_noise(table, 0.3, seed=5).target)
    assert not np.array_equal(noisy.target, cw.with_noise(table, 0.3, seed=6).target)
    assert noisy.columns["x"] is table.columns["x"]


def test_numbers_move_by_the_share_of_their_deviation() -> None:
    table = cw.read_table({"x": np.arange(5000) / 7, "y": np.linspace(0, 50, 5000) ** 1.5}, target="y")
    error = cw.with_noise(table, 0.2).target - table.target
    assert error.std() == pytest.approx(0.2 * table.target.std(), rel=0.05)
    assert abs(error.mean()) < 0.01 * table.target.std()
    within = np.mean(np.abs(error) < error.std())
    assert within == pytest.approx(0.683, abs=0.03)  # as of a normal error


def test_rows_without_a_class_keep_none_and_classes_that_do_not_occur_are_not_given() -> None:
    table = steps(90)
    codes = np.where(table.target == 2, -1, table.target).astype(np.int32)
    noisy = cw.with_noise(replace(table, columns={**table.columns, "y": codes}), 1.0)
    assert np.array_equal(noisy.target < 0, codes < 0)
    assert set(noisy.target[codes >= 0].tolist()) == {0, 1}


def test_no_noise_is_the_table_itself_and_wrong_shares_are_refused() -> None:
    table = steps()
    assert cw.with_noise(table, 0) is table
    with pytest.raises(SettingError, match="from 0 to 1"):
        cw.with_noise(table, 1.5)
    with pytest.raises(SettingError, match="noise"):
        cw.with_noise(table, -0.1)
    with pytest.raises(LearningError, match="only one occurs"):
        cw.with_noise(table.take(table.target == 0), 0.1)


def test_noise_is_in_the_rows_learned_from_and_in_no_others() -> None:
    table = steps()
    watched = Watched(cw.CART(min_rows=2))
    curve = cw.overfitting(mistyped(watched), table, noise=0.25, seed=2)
    (learned,) = watched.tables
    assert learned.places is not None
    disturbed = learned.target != table.target[learned.places]
    assert disturbed.mean() == pytest.approx(0.25, abs=0.01)
    apart = table.take(np.setdiff1d(np.arange(len(table)), learned.places))
    judged = cw.evaluate(cw.CART(min_rows=2).learn(learned), apart)
    assert isinstance(judged, ClassEvaluation)
    assert curve.validation[-1] == pytest.approx(judged.accuracy)
    assert curve.training[-1] == pytest.approx(1.0)  # noise and all
    assert curve.noise == 0.25


def test_with_noise_the_full_tree_is_worse_than_the_best_and_without_it_is_not() -> None:
    by_noise = cw.overfitting_by_noise(cw.CART(min_rows=2), steps(), noise=[0.3, 0.0], folds=4)
    clean, noisy = by_noise.curves
    assert (clean.noise, noisy.noise) == (0.0, 0.3)
    assert clean.validation[clean.best] - clean.validation[-1] < 0.02
    assert noisy.validation[noisy.best] - noisy.validation[-1] > 0.1
    assert noisy.leaves[noisy.best] < noisy.leaves[-1] / 2
    assert [each["noise"] for each in by_noise.to_json()["curves"]] == [0.0, 0.3]
    drawn = cw.charts.overfitting_by_noise(by_noise)
    assert "no noise" in drawn.svg
    assert "30 % noise" in drawn.svg


def test_overfitting_is_judged_by_any_design_and_needs_noise_to_be_a_share() -> None:
    table = steps()
    folds = cw.overfitting(cw.CART(min_rows=2), table, design=cw.Folds(3, 1))
    assert (
        folds.validation.tolist()
        == cw.overfitting(cw.CART(min_rows=2), table, folds=3, seed=1).validation.tolist()
    )
    with pytest.raises(SettingError, match="rows not learned from"):
        cw.overfitting(cw.CART(), table, design=TrainingRows())
    with pytest.raises(SettingError, match="at least one fraction"):
        cw.overfitting_by_noise(cw.CART(), table, noise=[])
