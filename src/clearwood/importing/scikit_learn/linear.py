"""Logistic regression of scikit-learn, as weights of numbers and values of the user's own columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.additive_columns import has_stairs, weighed_curves
from clearwood.importing.linear_columns import LinearColumns
from clearwood.importing.scikit_learn.estimator import FittedEstimator
from clearwood.models.additive_model import AdditiveModel
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
    if classes == 2 and getattr(estimator, "multi_class", "") == "multinomial":
        raise ModelFileError(
            f"This {type(estimator).__name__}(multi_class='multinomial') of two classes has "
            "probabilities that depend on the version of scikit-learn. Fit it without multi_class."
        )
    if has_stairs(asked.features):
        return _additive(asked, weights)
    columns = LinearColumns(asked.schema(), asked.features, weights)
    names = columns.schema.classes
    intercepts = _intercepts(estimator, len(weights)) + columns.moved
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
            f"SGDClassifier(loss='{estimator.loss}') has no probabilities that follow a logistic curve. Fit "
            "it with loss='log_loss'."
        )
    if len(estimator.classes_) > 2:
        raise ModelFileError(
            "This SGDClassifier tells each class from the rest by itself; here the weights of all classes "
            "belong together. Fit LogisticRegression instead."
        )
    return read_logistic(asked)


def _additive(asked: FittedEstimator, weights: Floats) -> Model:
    """Weights of intervals and values, as curves."""
    return AdditiveModel(
        asked.schema(),
        tuple(_intercepts(asked.estimator, len(weights)).tolist()),
        weighed_curves(asked.features, weights),
        link="logistic" if len(weights) == 1 else "softmax",
        origin=asked.origin(),
    )


def _intercepts(estimator: Any, scores: int) -> Floats:
    """[score] one number each; scikit-learn has one 0 for all where none were fitted."""
    own = np.ravel(np.asarray(estimator.intercept_, dtype=np.float64))
    return own if len(own) == scores else np.zeros(scores)


def _is_penalised(estimator: Any) -> bool:
    """Is a penalty part of what was minimised? Newer versions have none where C is infinite."""
    strength = getattr(estimator, "C_", getattr(estimator, "C", 1.0))
    return getattr(estimator, "penalty", None) is not None and not np.isinf(strength).all()


def _is_one_against_rest(estimator: Any) -> bool:
    return getattr(estimator, "multi_class", "") == "ovr" or getattr(estimator, "solver", "") == "liblinear"
