"""Calibration gives scikit-learn's log loss and Brier score, and counts what came true in each bin."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

from clearwood.errors import SchemaError, SettingError
from clearwood.learners.trees.cart import CART
from clearwood.measures.inference import wilson
from clearwood.predicting import shares
from clearwood.scoring.calibration import calibration
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.learners.linear_tables import linear_table, noisy_table
from tests.typed import mistyped


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("weighed", [False, True])
def test_log_loss_and_brier_score_are_those_of_scikit_learn(classes: int, weighed: bool) -> None:
    pytest.importorskip("sklearn", "1.7", "Earlier versions have no Brier score of several classes.")
    metrics = pytest.importorskip("sklearn.metrics")
    table = noisy_table(classes=classes)
    weights = np.random.default_rng(1).uniform(0.5, 2, len(table)) if weighed else None
    table = Table(table.schema, table.columns, weights)
    tree = CART(max_depth=4).learn(table)
    curve = calibration(tree, table)
    answers, labels = shares(tree, table), list(range(classes))
    assert curve.log_loss == pytest.approx(
        metrics.log_loss(table.target, answers, sample_weight=weights, labels=labels), abs=1e-12
    )
    proba = answers[:, 1] if classes == 2 else answers
    theirs = metrics.brier_score_loss(table.target, proba, sample_weight=weights, labels=labels)
    assert curve.brier == pytest.approx(theirs, abs=1e-12)


def test_shares_of_nought_are_counted_and_cost_what_scikit_learn_says() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    x = np.array([1.0, 1.0, 2.0, 2.0])
    tree = CART().learn(linear_table({"x": x}, [0, 0, 1, 1]))
    other = linear_table({"x": x}, [0, 1, 1, 1])
    curve = calibration(tree, other)
    assert curve.impossible == 1
    assert curve.log_loss == pytest.approx(metrics.log_loss(other.target, shares(tree, other)), abs=1e-12)
    assert "1 of a class called impossible" in str(curve)


def test_the_bins_hold_every_row_once_with_its_share() -> None:
    table = noisy_table()
    tree = CART(max_depth=3).learn(table)
    class_shares = shares(tree, table)[:, 1]
    for by in ("width", "rows"):
        bins = calibration(tree, table, bins=5, by=by).reliability["B"]
        assert sum(each.weight for each in bins) == len(table)
        for each in bins:
            inside = (class_shares > each.low) & (class_shares <= each.high)
            assert each.weight == inside.sum()
            if each.weight:
                assert each.predicted == pytest.approx(class_shares[inside].mean())
                assert each.observed == pytest.approx(table.target[inside].mean())
                low, high = wilson(each.observed * each.weight, each.weight)
                assert each.interval == pytest.approx((float(low), float(high)))


def test_a_tree_on_its_own_rows_is_calibrated() -> None:
    table = noisy_table(classes=3)
    curve = calibration(CART(max_depth=3).learn(table), table, bins=50)
    assert list(curve.reliability) == ["A", "B", "C"]
    assert max(curve.error.values()) < 0.01


def test_rows_without_a_known_class_are_left_out_and_counted() -> None:
    table = noisy_table()
    tree = CART(max_depth=2).learn(table)
    some = table.take(np.arange(50))
    whole = calibration(tree, some)
    gone = Table(some.schema, {**some.columns, "y": some.target.copy()})
    more = np.concatenate([np.arange(50), [0, 1]])
    gone = gone.take(more)
    gone.target[50:] = [MISSING, UNSEEN]
    curve = calibration(tree, gone)
    assert (curve.left_out, curve.log_loss, curve.brier) == (2, whole.log_loss, whole.brier)
    gone.target[:] = MISSING
    with pytest.raises(SchemaError, match="no rows to evaluate"):
        calibration(tree, gone)


def test_it_can_be_written_and_read_as_json() -> None:
    table = noisy_table(30)
    curve = calibration(CART().learn(table), table)
    read = json.loads(json.dumps(curve.to_json()), parse_constant=pytest.fail)
    assert read["log_loss"] == curve.log_loss
    assert len(read["reliability"]["B"]) == 10
    assert any(each["observed"] is None for each in read["reliability"]["B"])


def test_wrong_requests_are_refused() -> None:
    table = noisy_table(30)
    tree = CART().learn(table)
    with pytest.raises(SettingError, match="bins must be at least 1"):
        calibration(tree, table, bins=0)
    with pytest.raises(SettingError, match="No by called 'size'"):
        calibration(tree, table, by=mistyped("size"))
    numbers = Table(Schema(table.schema.attributes[:1], Numeric("z")), dict(table.columns))
    with warnings.catch_warnings(), pytest.raises(SettingError, match="predicts a number"):
        calibration(CART().learn(numbers), numbers)
