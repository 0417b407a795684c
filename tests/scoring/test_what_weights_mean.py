"""Scores use the weights; their intervals count the effective rows of weights that are no counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.measures.inference import wilson
from clearwood.predicting import predict_codes
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.table.schema import effective_rows
from clearwood.table.table import Table

_WEIGHTS = np.random.default_rng(3).lognormal(8.0, 1.0, 120)


def _table(weights: Any = None, weights_are: Any = None) -> Table:
    dice = np.random.default_rng(1)
    x = dice.integers(0, 4, 120)
    cells = {
        "x": [f"v{each}" for each in x],
        "y": ["yes" if hit else "no" for hit in dice.random(120) < 0.2 + 0.2 * x],
        "z": (x + dice.normal(size=120)).tolist(),
    }
    table = cw.read_table(cells, target="y", ignore="z")
    return replace(table, weights=weights, weights_are=weights_are)


def _right(tree: Any, table: Table) -> Any:
    return predict_codes(tree, table) == table.target


@pytest.mark.parametrize("weights_are", ["sampling", "importance"])
def test_accuracy_is_by_weight_and_its_interval_by_rows(weights_are: str) -> None:
    table = _table(_WEIGHTS, weights_are)
    tree = cw.ID3().learn(table)
    evaluation = cw.evaluate(tree, table)
    accuracy = _WEIGHTS[_right(tree, table)].sum() / _WEIGHTS.sum()
    rows = effective_rows(_WEIGHTS) if weights_are == "sampling" else 120
    assert isinstance(evaluation, ClassEvaluation)
    assert evaluation.accuracy == pytest.approx(accuracy)
    assert evaluation.weight == pytest.approx(rows)
    told = effective_rows(_WEIGHTS)  # whatever the weights mean, if they are no counts
    assert evaluation.interval == pytest.approx(tuple(map(float, wilson(accuracy * told, told))))


def test_counted_rows_narrow_the_interval() -> None:
    once, often = (
        cw.evaluate(cw.ID3().learn(each), each) for each in (_table(), _table(np.full(120, 100.0)))
    )
    assert isinstance(once, ClassEvaluation)
    assert isinstance(often, ClassEvaluation)
    assert once.accuracy == pytest.approx(often.accuracy)
    assert often.interval[1] - often.interval[0] < 0.2 * (once.interval[1] - once.interval[0])


def test_rows_held_out_by_many_folds_are_added_up_on_one_scale() -> None:
    table = _table(_WEIGHTS, "sampling")
    places = np.arange(120)
    pairs = [(places[places % 3 != fold], places[places % 3 == fold]) for fold in range(3)]
    validation = cw.cross_validate(cw.ID3(), table, folds=pairs)
    right = np.zeros(120, dtype=np.bool_)
    for train, test in pairs:
        right[test] = _right(cw.ID3().learn(table.take(train)), table.take(test))
    assert isinstance(validation.together, ClassEvaluation)
    assert validation.together.accuracy == pytest.approx(_WEIGHTS[right].sum() / _WEIGHTS.sum())
    assert validation.together.weight == pytest.approx(effective_rows(_WEIGHTS))


def test_the_price_of_a_leaf_is_the_same_in_any_unit() -> None:
    actual = [
        cw.cross_validated_alpha(cw.CART(min_leaf=2), _table(unit * _WEIGHTS, "sampling"), folds=4)
        for unit in (1.0, 1024.0)
    ]
    assert np.array_equal(actual[0].errors, actual[1].errors)
    assert actual[0].errors[-1] <= 0.7  # the error of the root, not a sum of folds on scales of their own


def test_the_intervals_of_rules_and_of_calibration_count_effective_rows() -> None:
    table = _table(_WEIGHTS, "sampling")
    tree = cw.ID3().learn(table)
    scores = cw.rule_scores(tree, table).tables["training"]
    assert scores.rows == pytest.approx(effective_rows(_WEIGHTS))
    assert cw.calibration(tree, table).weight == pytest.approx(effective_rows(_WEIGHTS))


@pytest.mark.parametrize("weights_are", ["sampling", "importance"])
@pytest.mark.parametrize("repeats", [1, 3])
def test_the_interval_of_folds_counts_the_effective_rows_of_the_table(weights_are: str, repeats: int) -> None:
    table = _table(_WEIGHTS, weights_are)
    together = cw.cross_validate(cw.ID3(), table, design=cw.Folds(5, repeats=repeats)).together
    assert isinstance(together, ClassEvaluation)
    told = effective_rows(_WEIGHTS)
    assert together.effective == pytest.approx(told)
    unmade = replace(together, made_interval=None)
    expected = wilson(together.accuracy * told, told)
    assert unmade.interval == pytest.approx(tuple(map(float, expected)))
    assert together.interval_by == f"Nadeau–Bengio over {5 * repeats} parts"
    assert together.interval[0] < together.accuracy < together.interval[1]


def test_the_cost_of_weighted_rows_has_the_interval_of_the_effective_ones() -> None:
    table = _table(_WEIGHTS, "importance")
    evaluation = cw.evaluate(cw.CART(costs={("yes", "no"): 1}).learn(table), table)
    assert isinstance(evaluation, ClassEvaluation)
    assert evaluation.cost is not None
    low, high = evaluation.interval
    assert evaluation.cost.interval == pytest.approx((1 - high, 1 - low))
