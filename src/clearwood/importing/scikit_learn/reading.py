"""Fitted estimators of scikit-learn, by the names of their classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from clearwood.errors import ModelFileError
from clearwood.importing.given import GivenNames
from clearwood.importing.scikit_learn.boosting import read_gradient_boosting, read_histogram_boosting
from clearwood.importing.scikit_learn.combined_trees import read_ada_boost, read_bagging
from clearwood.importing.scikit_learn.estimator import FittedEstimator, last_step, taken_apart
from clearwood.importing.scikit_learn.front import class_name
from clearwood.importing.scikit_learn.linear_and_bayes import (
    read_bag,
    read_categorical,
    read_descent,
    read_gaussian,
    read_logistic,
)
from clearwood.importing.scikit_learn.trees import TREES, read_forest, read_tree
from clearwood.models.model import Model


@dataclass(frozen=True, slots=True)
class ReadEstimators:
    """Classes of estimators that one function reads, what they become, and `of` which settings."""

    names: tuple[str, ...]
    read: Callable[[FittedEstimator], Model]
    becomes: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class RefusedEstimators:
    """Classes of estimators that users may well try, and why they cannot be read, or what can instead."""

    names: tuple[str, ...]
    because: str


_STEPS: Final = "an ensemble: a sum of steps, with the link of the loss"
_WEIGHTS: Final = "a linear model; an additive model where intervals of numbers are weighed"
READ: Final = (
    ReadEstimators(TREES, read_tree, "a tree"),
    ReadEstimators(
        ("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor"),
        read_forest,
        "an ensemble: the mean of the trees",
    ),
    ReadEstimators(
        ("BaggingClassifier", "BaggingRegressor"),
        read_bagging,
        "an ensemble: the mean of the trees",
        "of trees",
    ),
    ReadEstimators(
        ("AdaBoostClassifier",),
        read_ada_boost,
        "an ensemble: a sum of votes by weight, with its link",
        "of trees (SAMME)",
    ),
    ReadEstimators(
        ("GradientBoostingClassifier", "GradientBoostingRegressor"), read_gradient_boosting, _STEPS
    ),
    ReadEstimators(
        ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), read_histogram_boosting, _STEPS
    ),
    ReadEstimators(("GaussianNB",), read_gaussian, "Bayes tables"),
    ReadEstimators(("CategoricalNB",), read_categorical, "Bayes tables"),
    ReadEstimators(("MultinomialNB", "BernoulliNB", "ComplementNB"), read_bag, "Bayes tables"),
    ReadEstimators(("LogisticRegression", "LogisticRegressionCV"), read_logistic, _WEIGHTS),
    ReadEstimators(("SGDClassifier",), read_descent, _WEIGHTS, "of two classes by `log_loss`"),
)
REFUSED: Final = (
    RefusedEstimators(
        ("AdaBoostRegressor",), "It predicts the weighted median of its trees, which no ensemble here does."
    ),
    RefusedEstimators(
        (
            "RidgeClassifier",
            "RidgeClassifierCV",
            "LinearSVC",
            "Perceptron",
            "PassiveAggressiveClassifier",
        ),
        "It has no probabilities of its own: its class is the sign of a score. Fit LogisticRegression "
        "instead.",
    ),
    RefusedEstimators(
        ("LinearRegression", "Ridge", "Lasso", "ElasticNet", "SGDRegressor"),
        "A linear model here tells classes apart; a line of numbers is none.",
    ),
    RefusedEstimators(
        ("VotingClassifier", "VotingRegressor", "StackingClassifier", "StackingRegressor"),
        "No model here combines others so. Import each of its estimators_.",
    ),
    RefusedEstimators(
        ("OneVsRestClassifier", "OneVsOneClassifier", "OutputCodeClassifier"),
        "No model here combines others so. Fit the estimator inside to all classes at once.",
    ),
    RefusedEstimators(("CalibratedClassifierCV",), "Import the model inside, and calibrate it here."),
    RefusedEstimators(
        ("FixedThresholdClassifier", "TunedThresholdClassifierCV"),
        "Import its estimator_, and set the cutoff here.",
    ),
    RefusedEstimators(
        ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"),
        "Import its best_estimator_.",
    ),
)


def is_estimator(source: Any) -> bool:
    """Is this an estimator of scikit-learn?"""
    return any(base.__module__.partition(".")[0] == "sklearn" for base in type(source).__mro__) and hasattr(
        source, "get_params"
    )


def read_estimator(source: Any, given: GivenNames) -> Model:
    """The estimator as a model; a pipeline together with what stands in front."""
    kind = class_name(last_step(source))
    because = next((f" {each.because}" for each in REFUSED if kind in each.names), "")
    readers = {name: each.read for each in READ for name in each.names}
    if kind not in readers:
        raise ModelFileError(
            f"scikit-learn's {kind} is no model that can be read here.{because} Those that can: "
            f"{', '.join(readers)}."
        )
    return readers[kind](taken_apart(source, given))
