"""Naive Bayes and logistic regression as classifiers: more rows, weights in the user's units, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.estimators import LogisticClassifier, NaiveBayesClassifier
from tests.estimators.tables import fruit, ripe

FRAME = fruit()
LABELS = ripe(FRAME)
DRAWN = np.random.default_rng(5)
NUMBERS = DRAWN.normal(size=(200, 3)) * [1.0, 100.0, 0.01] + [0.0, 50.0, 1.0]
LETTERS = np.array(list("abc"))[
    np.clip(np.round(NUMBERS[:, 0] + DRAWN.normal(size=200)) + 1, 0, 2).astype(int)
]


@pytest.mark.parametrize("settings", [{}, {"numeric": "kernel"}, {"smoothing": 2.0, "m_prior": "overall"}])
def test_rows_in_pieces_make_the_model_of_all_rows(settings: dict[str, Any]) -> None:
    whole = NaiveBayesClassifier(**settings).fit(FRAME, LABELS)
    parts = NaiveBayesClassifier(**settings)
    for first in range(0, len(FRAME), 70):
        parts.partial_fit(FRAME[first : first + 70], LABELS[first : first + 70])
    assert parts.tables_.classes == whole.tables_.classes
    np.testing.assert_array_equal(parts.predict_proba(FRAME), whole.predict_proba(FRAME))


def test_classes_that_come_later_stand_in_their_place() -> None:
    order = np.argsort(LETTERS == "a", kind="stable")  # a comes last, and is first of the classes
    parts = NaiveBayesClassifier()
    parts.partial_fit(NUMBERS[order[:100]], LETTERS[order[:100]])
    assert parts.classes_.tolist() == ["b", "c"]
    parts.partial_fit(NUMBERS[order[100:]], LETTERS[order[100:]])
    assert parts.classes_.tolist() == ["a", "b", "c"]
    whole = NaiveBayesClassifier().fit(NUMBERS, LETTERS)
    np.testing.assert_array_equal(parts.predict_proba(NUMBERS), whole.predict_proba(NUMBERS))


def test_costs_follow_classes_to_their_new_places() -> None:
    costs = {("c", "b"): 50.0}
    order = np.argsort(LETTERS == "a", kind="stable")
    parts = NaiveBayesClassifier(costs=costs)
    for rows in (order[:100], order[100:]):
        parts.partial_fit(NUMBERS[rows], LETTERS[rows])
    whole = NaiveBayesClassifier(costs=costs).fit(NUMBERS, LETTERS)
    assert parts.predict(NUMBERS).tolist() == whole.predict(NUMBERS).tolist()


def test_given_priors_must_know_a_class_that_comes_later() -> None:
    parts = NaiveBayesClassifier(priors={0: 0.5, 1: 0.5}).partial_fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(LearningError, match="lack the new class '2'"):
        parts.partial_fit([[1.0]], [2])


def test_decay_lets_old_rows_fade() -> None:
    parts = NaiveBayesClassifier(decay=0.5).partial_fit([["x"], ["y"]], ["no", "yes"])
    assert parts.partial_fit([["x"]], ["yes"]).tables_.classes == (0.5, 1.5)


def test_columns_of_an_array_are_named_by_position() -> None:
    model = NaiveBayesClassifier(distributions={1: "cuts"}).fit(NUMBERS, LETTERS)
    assert [type(each).__name__ for each in model.tables_.distributions] == ["Gaussian", "Cuts", "Gaussian"]


def test_joint_logs_are_scikit_learns() -> None:
    ours = NaiveBayesClassifier(floor=0).fit(NUMBERS, LETTERS)
    theirs = GaussianNB(var_smoothing=0).fit(NUMBERS, LETTERS)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(NUMBERS), theirs.predict_joint_log_proba(NUMBERS), rtol=1e-10
    )


@pytest.mark.parametrize("labels", [LETTERS, LETTERS == "a"], ids=["three classes", "two"])
def test_coefficients_are_in_the_users_units_and_in_scikit_learns_places(labels: Any) -> None:
    model = LogisticClassifier().fit(NUMBERS, labels)
    scores = NUMBERS @ model.coef_.T + model.intercept_
    if scores.shape[1] == 1:
        scores = np.hstack([np.zeros_like(scores), scores])
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_proba(NUMBERS), raised / raised.sum(axis=1, keepdims=True))
    theirs = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000, solver="newton-cg").fit(NUMBERS, labels)
    assert model.coef_.shape == theirs.coef_.shape
    np.testing.assert_allclose(model.predict_proba(NUMBERS), theirs.predict_proba(NUMBERS), atol=2e-3)


@pytest.mark.parametrize("labels", [LETTERS, LETTERS == "a"], ids=["three classes", "two"])
@pytest.mark.parametrize("against", [None, "c"])
@pytest.mark.parametrize("strength", [0.1, 1.0, 20.0])
def test_coefficients_under_a_ridge_are_scikit_learns(labels: Any, against: Any, strength: float) -> None:
    if labels.dtype == bool and against:
        against = True
    ours = LogisticClassifier(
        penalty="l2", strength=strength, standardise=False, against=against, tolerance=1e-10
    ).fit(NUMBERS, labels)
    theirs = LogisticRegression(C=1 / strength, tol=1e-12, solver="newton-cholesky").fit(NUMBERS, labels)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)


def test_the_class_that_others_are_set_against_is_a_label() -> None:
    usual, turned = (LogisticClassifier(against=each).fit(NUMBERS, LETTERS == "a") for each in (None, True))
    assert turned.weights_.against == "True"
    np.testing.assert_allclose(turned.coef_, usual.coef_, rtol=1e-5)


def test_priors_move_the_intercept() -> None:
    plain, moved = (LogisticClassifier(priors=each).fit(NUMBERS, LETTERS) for each in (None, "equal"))
    np.testing.assert_allclose(moved.coef_, plain.coef_)
    scores = NUMBERS @ moved.coef_.T + moved.intercept_
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(moved.predict_proba(NUMBERS), raised / raised.sum(axis=1, keepdims=True))


def test_there_are_no_coefficients_by_column_where_values_have_their_own() -> None:
    model = LogisticClassifier().fit(FRAME[["colour"]].fillna("red"), LABELS)
    assert not hasattr(model, "coef_")
    with pytest.raises(AttributeError, match="has a weight of its own"):
        _ = model.coef_
    assert str(model.weights_.terms[0]).startswith("colour = ")


def test_one_class_is_refused_by_logistic_regression() -> None:
    with pytest.raises(LearningError, match="Every row is of one class, 'only'"):
        LogisticClassifier().fit(FRAME, ["only"] * len(FRAME))


def test_a_column_that_was_empty_at_first_is_named_with_the_way_out() -> None:
    first, later = [[1.0, None], [2.0, None]], [[3.0, "red"], [4.0, "blue"]]
    parts = NaiveBayesClassifier().partial_fit(first, ["a", "b"])
    with pytest.warns(ClearwoodWarning, match=r"Column 'x1' was empty .* kinds=\{'x1': 'numeric'\}"):
        parts.partial_fit(later, ["a", "b"])
    declared = NaiveBayesClassifier(kinds={"x1": "nominal"}).partial_fit(first, ["a", "b"])
    declared.partial_fit(later, ["a", "b"])
    whole = NaiveBayesClassifier().fit([*first, *later], ["a", "b", "a", "b"])
    np.testing.assert_array_equal(declared.predict_proba(later), whole.predict_proba(later))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F", "strided"])
def test_a_plain_array_is_answered_as_a_list_of_lists_is(kind: Any, order: str) -> None:
    model = LogisticClassifier().fit(NUMBERS, LETTERS)
    rows = NUMBERS[:20].astype(kind)
    given = np.repeat(rows, 2, axis=1)[:, ::2] if order == "strided" else np.array(rows, order=order)  # type: ignore[call-overload]
    np.testing.assert_array_equal(
        model.predict_proba(given), model.predict_proba(rows.astype(float).tolist())
    )


def test_a_plain_array_is_checked_as_scikit_learn_checks_it() -> None:
    model = LogisticClassifier().fit(NUMBERS, LETTERS)
    with pytest.raises(ValueError, match="features"):
        model.predict(NUMBERS[:, :2])
    with pytest.raises(ValueError, match="inf"):
        model.predict(np.full((1, NUMBERS.shape[1]), np.inf))
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(NUMBERS[:0])
    with pytest.raises(ValueError, match="2D array"):
        model.predict(NUMBERS[0])


def test_lists_whole_numbers_and_frames_are_answered_as_an_array_of_floats_is() -> None:
    whole = np.round(NUMBERS * 10)
    model = LogisticClassifier(penalty="l2").fit(whole, LETTERS)
    expected = model.predict_proba(whole).tolist()
    for given in (whole.astype(np.int64), whole.astype(np.int16), whole.tolist(), whole.astype(int).tolist()):
        assert model.predict_proba(given).tolist() == expected
    frame = pd.DataFrame(whole, columns=["a", "b", "c"])
    named = LogisticClassifier(penalty="l2").fit(frame, LETTERS)
    assert named.predict_proba(frame).tolist() == expected
    assert named.predict_proba(frame.astype({"b": np.float32})).tolist() == expected
    with pytest.raises(ValueError, match="same order as they were in fit"):
        named.predict(frame[["b", "a", "c"]])
    with pytest.raises(ValueError, match="inf is infinite"):
        named.predict(frame.assign(c=np.inf))
    with pytest.raises(ValueError, match=r"inhomogeneous|rows of one length"):
        model.predict([[1.0, 2.0, 3.0], [1.0]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        named.predict(whole)


def test_whole_numbers_that_no_float_holds_are_answered_as_the_nearest() -> None:
    model = NaiveBayesClassifier().fit([[1], [2], [5], [9]], [0, 0, 1, 1])
    for far in (2**60 + 1, -(2**63)):
        assert model.predict(np.array([[far]])).tolist() == model.predict([[float(far)]]).tolist()
