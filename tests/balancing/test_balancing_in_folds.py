"""Balancing in folds: it sees training rows alone, so that noise stays noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import clearwood as cw
from clearwood.errors import ClearwoodWarning
from clearwood.scoring.predictions import ClassPredictions
from clearwood.table.table import Table
from tests.balancing.rare_classes import noise, rare_table


def _auc(judged: Any) -> float:
    rows = judged.predictions
    assert isinstance(rows, ClassPredictions)
    return float(roc_auc_score(rows.truth, rows.shares[:, 1]))


def _reach(table: Table) -> float:
    """The half width of the 95 % interval of an AUC of ½ on these rows."""
    common, rare = np.bincount(table.target)
    return float(1.96 * np.sqrt((common + rare + 1) / (12 * common * rare)))


@pytest.mark.parametrize("by", ["weights", "under", "over", "smote", "tomek", "enn"])
def test_noise_that_is_balanced_in_folds_gives_chance(by: str) -> None:
    tables = [noise(400, seed) for seed in range(4)]
    recipe = cw.Recipe(cw.CART(), before=(cw.Balance(by),))
    scores = [_auc(cw.cross_validate(recipe, table, folds=5)) for table in tables]
    assert np.mean(scores) == pytest.approx(0.5, abs=_reach(tables[0]) / 2)  # the mean of four


def test_noise_that_is_balanced_before_it_is_folded_seems_to_be_learned() -> None:
    table = noise(400, 0)
    leaking = cw.cross_validate(cw.CART(), cw.balanced(table, "smote"), folds=5)
    assert _auc(leaking) > 0.75


def test_copies_that_are_known_as_such_do_not_leak_even_then() -> None:
    table = noise(400, 0)
    judged = cw.cross_validate(cw.CART(), cw.balanced(table, "over"), folds=5)
    assert _auc(judged) < 0.6


def test_the_rows_that_judge_are_rows_of_the_table_each_once() -> None:
    table = rare_table(100)
    judged = cw.cross_validate(cw.Recipe(cw.CART(), before=(cw.Balance("over"),)), table, folds=5)
    assert sorted(judged.predictions.places.tolist()) == list(range(100))


def test_a_fold_without_the_rare_class_is_learned_as_it_is() -> None:
    table = noise(40, 0, rare=0.025)  # one row
    recipe = cw.Recipe(cw.CART(), before=(cw.Balance("over"),))
    with pytest.warns(ClearwoodWarning, match="nothing to balance"):
        judged = cw.cross_validate(recipe, table, folds=4)
    assert len(judged.folds) == 4


def test_each_fold_corrects_by_the_prevalence_of_its_own_training_rows() -> None:
    table = rare_table(200)
    rows = np.arange(150)
    model: Any = cw.Recipe(cw.CART(max_depth=2), before=(cw.Balance("over"),)).learn(table.take(rows))
    expected = np.bincount(table.target[rows]) / 150
    assert model.decision.prevalence == pytest.approx(expected.tolist())
