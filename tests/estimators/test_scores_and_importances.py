"""`decision_function` in scikit-learn's shapes, and importances of rules and Bayes models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from clearwood.estimators import ESTIMATORS, LogisticClassifier, NaiveBayesClassifier, TextBayesClassifier
from tests.estimators.tables import RULES, fruit, make, ripe

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")  # columns of noise go

FRAME = fruit()
LABELS = ripe(FRAME)
IRIS, SPECIES = load_iris(return_X_y=True)
DECIDING = ["NaiveBayesClassifier", "LogisticClassifier"]


@pytest.mark.parametrize("name", DECIDING)
def test_two_classes_have_one_score_and_more_have_one_each(name: str) -> None:
    settings: dict[str, Any] = {"penalty": "l2"} if name == "LogisticClassifier" else {}
    two = ESTIMATORS[name](**settings).fit(FRAME, LABELS)
    scores = two.decision_function(FRAME)
    assert scores.shape == (300,)
    assert two.predict(FRAME).tolist() == two.classes_[(scores > 0).astype(int)].tolist()
    shares = two.predict_proba(FRAME)
    np.testing.assert_allclose(scores, np.log(shares[:, 1] / shares[:, 0]), rtol=1e-6, atol=1e-9)
    more = ESTIMATORS[name](**settings).fit(IRIS, SPECIES)
    scores = more.decision_function(IRIS)
    assert scores.shape == (150, 3)
    assert more.predict(IRIS).tolist() == scores.argmax(axis=1).tolist()
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(
        raised / raised.sum(axis=1, keepdims=True), more.predict_proba(IRIS), atol=1e-12
    )


@pytest.mark.parametrize("y", [SPECIES, SPECIES == 1], ids=["three classes", "two"])
@pytest.mark.parametrize("settings", [{}, {"priors": "equal"}])
def test_linear_scores_are_coefficients_times_x(y: Any, settings: dict[str, Any]) -> None:
    model = LogisticClassifier(penalty="l2", standardise=False, tolerance=1e-10, **settings).fit(IRIS, y)
    scores = IRIS @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(
        model.decision_function(IRIS), scores[:, 0] if scores.shape[1] == 1 else scores
    )
    if not settings:
        theirs = LogisticRegression(C=1.0, tol=1e-10, solver="newton-cholesky").fit(IRIS, y)
        np.testing.assert_allclose(model.decision_function(IRIS), theirs.decision_function(IRIS), atol=1e-4)


def test_rows_too_sure_for_a_share_still_differ_in_score() -> None:
    rows = np.array([[0.0], [1.0], [10.0], [11.0]])
    model = NaiveBayesClassifier().fit(rows, ["a", "a", "b", "b"])
    far = np.array([[200.0], [300.0]])
    assert model.predict_proba(far)[:, 0].tolist() == [0.0, 0.0]
    scores = model.decision_function(far)
    assert np.isfinite(scores).all()
    assert scores[0] < scores[1]
    joint = model.predict_joint_log_proba(far)
    np.testing.assert_allclose(scores, joint[:, 1] - joint[:, 0])


def test_what_cannot_be_is_infinitely_unlikely() -> None:
    model = NaiveBayesClassifier(smoothing="none").fit([["x"], ["x"], ["z"]], ["a", "b", "b"])
    assert model.decision_function([["z"]]).tolist() == [np.inf]


def test_texts_have_scores_too() -> None:
    model = TextBayesClassifier().fit(["free prize", "free", "see you", "you"], [1, 1, 0, 0])
    scores = model.decision_function(["free you", "free free", "you"])
    assert scores[2] < scores[0] < scores[1]


def test_scores_serve_scikit_learns_tools() -> None:
    model = NaiveBayesClassifier().fit(FRAME, LABELS)
    assert roc_auc_score(LABELS == "yes", model.decision_function(FRAME)) > 0.9
    rows = FRAME.to_numpy(dtype=object)
    calibrated = CalibratedClassifierCV(NaiveBayesClassifier(), cv=3).fit(rows, LABELS)
    assert calibrated.score(rows, LABELS) > 0.9


@pytest.mark.parametrize("name", [*RULES, "NaiveBayesClassifier"])
def test_importances_are_parts_of_a_whole_and_the_same_again(name: str) -> None:
    parts = make(name).fit(FRAME, LABELS).feature_importances_
    assert parts.shape == (4,)
    assert parts.min() >= 0
    assert parts.sum() == pytest.approx(1)
    if name == "OneRClassifier":
        assert parts.tolist() == [1, 0, 0, 0]  # the one column that predicts best
    else:
        assert set(np.argsort(parts)[2:]) == {0, 2}  # the two columns that decide
    assert parts.tolist() == make(name).fit(FRAME, LABELS).feature_importances_.tolist()


SETTINGS = [
    {},
    {"numeric": "kernel"},
    {"numeric": "cuts"},
    {"numeric": "multinomial"},
    {"numeric": "bernoulli"},
    {"numeric": "complement"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_column_that_tells_goes_before_noise(settings: dict[str, Any]) -> None:
    draw = np.random.default_rng(1)
    y = draw.integers(0, 3, 400)
    rows = draw.integers(0, 3, (400, 4)) * draw.integers(0, 2, (400, 4)) * 1.0
    rows[:, 2] = np.where(draw.random(400) < 0.2, rows[:, 2], y)
    parts = NaiveBayesClassifier(**settings).fit(rows, y).feature_importances_
    assert parts.argmax() == 2
    assert parts.sum() == pytest.approx(1)
    assert parts.min() >= 0


def test_what_a_column_of_values_tells_is_its_mutual_information() -> None:
    rows = [["x", "u"], ["x", "v"], ["z", "u"], ["z", "v"]]
    model = NaiveBayesClassifier(smoothing="none").fit(rows, ["a", "a", "b", "b"])
    assert model.feature_importances_.tolist() == [1.0, 0.0]


def test_a_bell_curve_tells_what_the_integral_says() -> None:
    draw = np.random.default_rng(0)
    y = np.repeat([0, 1], 500)
    rows = np.column_stack([draw.normal(size=1000) + 2 * y, draw.normal(size=1000) * (1 + 2 * y)])
    model = NaiveBayesClassifier().fit(rows, y)
    fine = np.linspace(-20, 20, 200_001)
    texts = []
    for j in range(2):
        cells = rows[:, [j]]
        means = [cells[y == c].mean() for c in (0, 1)]
        spreads = [cells[y == c].std() for c in (0, 1)]
        bells = [
            np.exp(-(((fine - m) / s) ** 2) / 2) / (s * np.sqrt(2 * np.pi))
            for m, s in zip(means, spreads, strict=True)
        ]
        mixed = sum(bells) / 2
        logs = [np.where(b > 0, b * np.log(np.where(b > 0, b, 1) / mixed), 0) for b in bells]
        texts.append(sum(each.sum() for each in logs) / 2)
    np.testing.assert_allclose(model.feature_importances_, np.array(texts) / sum(texts), rtol=1e-3)


def test_one_class_leaves_nothing_to_tell() -> None:
    model = NaiveBayesClassifier().fit(FRAME, ["only"] * len(FRAME))
    assert model.feature_importances_.tolist() == [0.0] * 4


def test_a_text_column_counts_by_its_words() -> None:
    frame = FRAME.assign(note=np.where(LABELS == "yes", "soft sweet", "hard sour"))
    model = NaiveBayesClassifier(kinds={"note": "text"}).fit(frame, LABELS)
    assert model.feature_importances_.argmax() == 4
    seen = NaiveBayesClassifier(kinds={"note": "text"}, text="bernoulli").fit(frame, LABELS)
    assert seen.feature_importances_.argmax() == 4
