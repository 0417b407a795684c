"""Overfitting: each size's subtree is really cut, and judged on both parts."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.scoring.evaluation import ClassEvaluation
from tests.shared_data import load_shared
from tests.typed import mistyped, sure


def noisy(rows: int = 200, seed: int = 0) -> cw.Table:
    """Two classes told apart by x, one row in six the other way round."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=rows).round(3), rng.normal(size=rows).round(3)
    y = (x > 0) ^ (rng.random(rows) < 1 / 6)
    return cw.read_table(
        {"x": x.tolist(), "z": z.tolist(), "y": ["b" if each else "a" for each in y]}, target="y"
    )


def test_training_rises_to_the_end_and_validation_is_best_before_it() -> None:
    curve = cw.overfitting(cw.CART(min_rows=2), noisy())
    assert (np.diff(curve.training) >= 0).all()
    assert curve.training[-1] == 1.0
    assert curve.leaves[0] == 1
    assert 1 < curve.leaves[curve.best] < curve.leaves[-1] / 3
    assert curve.validation[curve.best] > curve.validation[-1] + 0.03


def test_the_ends_are_the_root_and_the_whole_tree_evaluated() -> None:
    table = noisy(seed=3)
    train, test = cw.hold_out(table, 0.3, 5)
    tree = cw.CART(min_rows=2).learn(table.take(train))
    curve = cw.overfitting(cw.CART(min_rows=2), table, seed=5)
    assert curve.leaves[-1] == tree.leaves
    assert curve.validation[-1] == sure(ClassEvaluation, cw.evaluate(tree, table.take(test))).accuracy
    assert curve.training[0] == max(np.bincount(table.take(train).target)) / len(train)


def test_each_size_is_that_of_the_subtree_cost_complexity_cuts() -> None:
    table = noisy(seed=4)
    train, test = cw.hold_out(table, 0.3, 0)
    tree = cw.CART(min_rows=2).learn(table.take(train))
    curve = cw.overfitting(cw.CART(min_rows=2), table)
    for alpha in cw.cost_complexity_path(tree).alphas.tolist():
        pruned = cw.prune_cost_complexity(tree, alpha=alpha).tree
        place = curve.leaves.tolist().index(pruned.leaves)
        assert (
            curve.validation[place] == sure(ClassEvaluation, cw.evaluate(pruned, table.take(test))).accuracy
        )


def test_folds_give_means_with_their_standard_errors() -> None:
    curve = cw.overfitting(cw.CART(min_rows=20), noisy(), folds=4)
    assert curve.deviations is not None
    assert curve.deviations.shape == curve.validation.shape
    scores = cw.cross_validate(cw.CART(min_rows=20), noisy(), folds=4)
    assert curve.validation[-1] == pytest.approx(scores.score)
    assert curve.deviations[-1] == pytest.approx(scores.standard_error)


def test_numbers_are_judged_by_the_spread_taken_away() -> None:
    curve = cw.overfitting(cw.CART(min_rows=10), load_shared("auto_mpg"))
    assert curve.measure == "R²"
    assert curve.training[0] == pytest.approx(0.0, abs=1e-12)
    assert curve.training[-1] > 0.8


def test_a_learner_of_rules_is_refused() -> None:
    with pytest.raises(cw.errors.ClearwoodError, match="overfitting"):
        cw.overfitting(mistyped(cw.PRISM()), cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))


def test_repeated_folds_have_standard_errors_corrected_for_what_they_share() -> None:
    design = cw.Folds(4, repeats=5)
    curve = cw.overfitting(cw.CART(min_rows=20), noisy(), design=design)
    scores = cw.cross_validate(cw.CART(min_rows=20), noisy(), design=design)
    assert curve.deviations is not None
    assert curve.deviations[-1] == pytest.approx(scores.standard_error)
    plain = np.std(scores.scores, ddof=1) / np.sqrt(20)
    assert curve.deviations[-1] == pytest.approx(plain * np.sqrt(1 + 20 / 3))
