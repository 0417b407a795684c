"""Logistic regression of scikit-learn, as weights of numbers and values of the user's own columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.errors import ModelFileError
from clearwood.importing.linear_columns import LinearColumns
from clearwood.importing.scikit_learn.estimator import FittedEstimator
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model


def read_logistic(asked: FittedEstimator) -> Model:
    """LogisticRegression and LogisticRegressionCV, of two classes or by softmax."""
    estimator = asked.estimator
    weights = np.atleast_2d(np.asarray(estimator.coef_, dtype=np.float64))
    classes = len(estimator.classes_)
    if classes > 2 and _is_one_against_rest(estimator):
        raise ModelFileError(
            f"This {type(estimator).__name__} tells each class from the rest by itself (one versus rest); "
            "here the weights of all classes belong together. Fit it with multi_class='multinomial'."
        )
    columns = LinearColumns(asked.schema(), asked.features, weights)
    names = columns.schema.classes
    intercepts = np.ravel(np.asarray(estimator.intercept_, dtype=np.float64)) + columns.moved
    if len(intercepts) != len(weights):
        intercepts = np.zeros(len(weights)) + columns.moved
    return LinearModel(
        columns.schema,
        names[1:] if classes == 2 and len(weights) == 1 else names,
        names[0] if classes == 2 and len(weights) == 1 else None,
        tuple(columns.terms),
        tuple(intercepts.tolist()),
        tuple(map(tuple, np.array(columns.weights).T.reshape(len(weights), -1).tolist())),
        columns.references,
        columns.fills,
        origin=asked.origin(),
        penalised=_is_penalised(estimator),
    )


def read_descent(asked: FittedEstimator) -> Model:
    """SGDClassifier of two classes by log_loss, whose shares are the logistic curve of its score."""
    estimator = asked.estimator
    if estimator.loss != "log_loss":
        raise ModelFileError(
            f"SGDClassifier(loss='{estimator.loss}') has no shares that follow a logistic curve. Fit it with "
            "loss='log_loss'."
        )
    if len(estimator.classes_) > 2:
        raise ModelFileError(
            "This SGDClassifier tells each class from the rest by itself; here the weights of all classes "
            "belong together. Fit LogisticRegression instead."
        )
    return read_logistic(asked)


def _is_penalised(estimator: Any) -> bool:
    """Is a penalty part of what was minimised? Newer versions have none where C is infinite."""
    strength = getattr(estimator, "C_", getattr(estimator, "C", 1.0))
    return getattr(estimator, "penalty", None) is not None and not np.isinf(strength).all()


def _is_one_against_rest(estimator: Any) -> bool:
    return getattr(estimator, "multi_class", "") == "ovr" or getattr(estimator, "solver", "") == "liblinear"
