"""Platt's curves and isotonic steps are those of scikit-learn; calibrated models come true more often."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression

import clearwood as cw
from clearwood.errors import SchemaError, SettingError
from clearwood.models.decision import Decision, Isotonic, Platt, check_decision, held_log_odds
from clearwood.models.lineage import Calibrated
from clearwood.scoring.predictions import Judged
from clearwood.scoring.recalibration import (
    calibrated_shares,
    calibrator_of,
    cross_calibrated,
    isotonic_of,
    platt_of,
)


def drawn(rows: int, classes: int, seed: int) -> tuple[Any, Any, Any]:
    """Overconfident shares, true classes, weights."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(rows, classes)) * 1.5
    true = np.array([rng.choice(classes, p=each) for each in _softmax(scores)])
    return _softmax(3 * scores), true, rng.uniform(0.2, 3.0, rows)


def _softmax(scores: Any) -> Any:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(4))
def test_platts_curve_is_scikit_learns(seed: int) -> None:
    shares, truth, weights = drawn(300, 2, seed)
    weights = weights if seed % 2 else np.ones(300)
    curve = platt_of(shares, truth[:, None] == np.arange(2), weights)
    theirs = _SigmoidCalibration().fit(held_log_odds(shares[:, 1], curve.least), truth, weights)
    assert curve.slopes[1] == pytest.approx(-theirs.a_, abs=1e-5)
    assert curve.intercepts[1] == pytest.approx(-theirs.b_, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_isotonic_steps_are_scikit_learns(seed: int) -> None:
    shares, truth, weights = drawn(300, 3, seed)
    shares = shares.round(2)  # ties
    steps = isotonic_of(shares, truth[:, None] == np.arange(3), weights)
    asked = np.linspace(0, 1, 101)
    for c in range(3):
        theirs = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
        theirs.fit(shares[:, c], truth == c, weights)
        assert np.interp(asked, steps.at[c], steps.share[c]) == pytest.approx(
            theirs.predict(asked), abs=1e-12
        )


class _Given(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted classifier whose shares are its rows."""

    def __init__(self, classes: int = 3) -> None:
        self.classes = classes
        self.classes_ = np.arange(classes)

    def fit(self, *_: Any) -> _Given:
        return self

    def predict(self, rows: Any) -> Any:
        return rows.argmax(axis=1)

    def predict_proba(self, rows: Any) -> Any:
        return rows


@pytest.mark.filterwarnings("ignore:Since FrozenEstimator")
@pytest.mark.parametrize("classes", [2, 3])
def test_calibrated_shares_are_those_of_calibrated_classifier_cv(classes: int) -> None:
    shares, truth, weights = drawn(400, classes, 9)
    theirs = CalibratedClassifierCV(FrozenEstimator(_Given(classes)), method="isotonic")
    theirs.fit(shares, truth, sample_weight=weights)
    ours = calibrated_shares(shares, calibrator_of("isotonic", Judged(shares, truth, weights, 0)))
    assert ours == pytest.approx(theirs.predict_proba(shares), abs=1e-9)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), st.booleans(), st.sampled_from([0.5, 1.0, 4.0])
        ),
        min_size=1,
        max_size=12,
    )
)
def test_any_rows_give_a_calibration_that_a_model_may_have(rows: list[tuple[float, bool, float]]) -> None:
    share, own, weights = (np.array(column) for column in zip(*rows, strict=True))
    both, truth = np.stack([1 - share, share], axis=1), np.stack([~own, own], axis=1)
    schema = cw.Schema((), cw.Nominal("y", ("no", "yes")))
    for calibrator in (platt_of(both, truth, weights), isotonic_of(both, truth, weights)):
        check_decision(Decision(calibration=calibrator), schema.classes)
        mended = calibrated_shares(both, calibrator)
        assert np.isfinite(mended).all()
        assert mended.sum(axis=1) == pytest.approx(1.0)


def test_a_class_without_rows_keeps_its_shares_and_one_class_alone_is_refused() -> None:
    shares = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.4, 0.5, 0.1]])
    rows = Judged(shares, np.array([0, 1, 1]), np.ones(3), 0)
    curve, steps = calibrator_of("platt", rows), calibrator_of("isotonic", rows)
    assert isinstance(curve, Platt)
    assert isinstance(steps, Isotonic)
    assert (curve.slopes[2], curve.intercepts[2]) == (1.0, 0.0)
    assert steps.at[2] == steps.share[2] == (0.0, 1.0)
    with pytest.raises(SchemaError, match="two classes"):
        calibrator_of("platt", replace(rows, truth=np.array([1, 1, 1])))


def test_constant_shares_become_how_often_the_class_comes_true() -> None:
    shares = np.full((40, 2), 0.5)
    truth = np.array([0] * 30 + [1] * 10)
    own = truth[:, None] == np.arange(2)
    assert isotonic_of(shares, own, np.ones(40)).share[1] == (0.25,)
    curve = platt_of(shares, own, np.ones(40))
    assert curve.slopes[1] == 0.0
    assert calibrated_shares(shares, curve)[0, 1] == pytest.approx(0.25, abs=0.02)  # Platt's targets


def test_no_row_is_calibrated_by_itself() -> None:
    """On labels that are pure chance, shares calibrated with their own rows look better than chance."""
    rng = np.random.default_rng(3)
    share = rng.random(300)
    rows = Judged(np.stack([1 - share, share], axis=1), rng.integers(0, 2, 300), np.ones(300), 0)
    own = calibrated_shares(rows.shares, calibrator_of("isotonic", rows))
    crossed = cross_calibrated("isotonic", rows).shares
    brier = [float(((shares[:, 1] - rows.truth) ** 2).mean()) for shares in (own, crossed)]
    assert brier[0] < 0.249
    assert brier[1] > 0.25


def noisy(rows: int, seed: int = 0) -> cw.Table:
    """Two columns that say the same: naive Bayes is far too sure."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    x = np.where(rng.random(rows) < 0.75, y, 1 - y)
    columns = {f"x{k}": [f"v{each}" for each in x] for k in range(6)}
    return cw.read_table({**columns, "y": [("no", "yes")[each] for each in y]}, target="y")


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_naive_bayes_that_is_too_sure_is_mended_by_fresh_rows(method: Any) -> None:
    table = noisy(900)
    learned, fresh, later = (table.take(np.arange(i, i + 300)) for i in (0, 300, 600))
    model = cw.NaiveBayes().learn(learned)
    calibrated = cw.calibrate(model, fresh, method)
    pair = cw.recalibration(calibrated, later)
    assert pair.before.log_loss > 1.0
    assert pair.after.log_loss == pytest.approx(0.562, abs=0.06)  # the entropy of 3 : 1
    assert pair.after.brier < pair.before.brier
    (done,) = calibrated.origin.after
    assert isinstance(done, Calibrated)
    assert (done.method, done.rows, done.by) == (method, 300, "fresh")
    assert done.log_loss is not None
    assert done.log_loss[0] > 1.0 > done.log_loss[1]
    assert cw.predict(calibrated, later).tolist() == cw.predict(model, later).tolist()
    assert "Probabilities are calibrated" in str(calibrated)


def test_training_rows_may_not_calibrate_and_numbers_have_no_shares() -> None:
    table = noisy(60)
    model = cw.NaiveBayes().learn(table)
    with pytest.raises(SettingError, match="learned from"):
        cw.calibrate(model, table)
    numbers = cw.read_table({"x": [1.0, 2.0, 3.0], "y": [1.5, 2.5, 3.5]}, target="y")
    with pytest.raises(SettingError, match="predicts numbers"):
        cw.calibrate(cw.CART().learn(numbers), numbers)
    with pytest.raises(SettingError, match="not calibrated"):
        cw.recalibration(model, table)


def test_a_calibrated_model_is_saved_and_loaded(tmp_path: Any) -> None:
    table = noisy(200)
    model = cw.calibrate(cw.NaiveBayes().learn(table.take(np.arange(100))), table.take(np.arange(100, 200)))
    cw.save(model, tmp_path / "m.json")
    loaded = cw.load(tmp_path / "m.json")
    assert loaded.decision == model.decision
    assert loaded.origin.after == model.origin.after


@pytest.mark.parametrize("least", [0.0, 0.5, float("nan")])
def test_a_curve_without_log_odds_is_refused(least: float) -> None:
    curve = Platt((1.0, 1.0), (0.0, 0.0), least)
    with pytest.raises(SchemaError, match=r"calibration\.least must be a probability above 0 and below 0\.5"):
        check_decision(Decision(calibration=curve), ("no", "yes"))
