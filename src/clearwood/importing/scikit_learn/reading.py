"""Fitted estimators of scikit-learn, by the names of their classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from clearwood.errors import ModelFileError
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Importer
from clearwood.importing.scikit_learn.bayes import read_bag, read_categorical, read_gaussian
from clearwood.importing.scikit_learn.boosting import read_gradient_boosting, read_histogram_boosting
from clearwood.importing.scikit_learn.combined_trees import read_ada_boost, read_bagging
from clearwood.importing.scikit_learn.estimator import FittedEstimator, taken_apart
from clearwood.importing.scikit_learn.linear import read_logistic
from clearwood.importing.scikit_learn.trees import TREES, read_forest, read_tree
from clearwood.models.model import Model

READERS: Final[dict[str, Callable[[FittedEstimator], Model]]] = {
    **dict.fromkeys(TREES, read_tree),
    "RandomForestClassifier": read_forest,
    "RandomForestRegressor": read_forest,
    "ExtraTreesClassifier": read_forest,
    "ExtraTreesRegressor": read_forest,
    "BaggingClassifier": read_bagging,
    "BaggingRegressor": read_bagging,
    "AdaBoostClassifier": read_ada_boost,
    "GradientBoostingClassifier": read_gradient_boosting,
    "GradientBoostingRegressor": read_gradient_boosting,
    "HistGradientBoostingClassifier": read_histogram_boosting,
    "HistGradientBoostingRegressor": read_histogram_boosting,
    "GaussianNB": read_gaussian,
    "CategoricalNB": read_categorical,
    "MultinomialNB": read_bag,
    "BernoulliNB": read_bag,
    "ComplementNB": read_bag,
    "LogisticRegression": read_logistic,
    "LogisticRegressionCV": read_logistic,
}

_BECAUSE: Final = {
    "AdaBoostRegressor": "It answers the weighted median of its trees, which no ensemble here does.",
    "LinearRegression": "A linear model here tells classes apart; a line of numbers is none.",
    "Ridge": "A linear model here tells classes apart; a line of numbers is none.",
    "CalibratedClassifierCV": "Import the model inside, and calibrate it here.",
    "GridSearchCV": "Import its best_estimator_.",
    "RandomizedSearchCV": "Import its best_estimator_.",
}


def is_estimator(source: Any) -> bool:
    """Is this an estimator of scikit-learn?"""
    return any(base.__module__.partition(".")[0] == "sklearn" for base in type(source).__mro__) and hasattr(
        source, "get_params"
    )


def read_estimator(source: Any, given: GivenNames) -> Model:
    """The estimator as a model; a pipeline together with what stands in front."""
    asked = taken_apart(source, given)
    kind = type(asked.estimator).__name__
    if kind not in READERS:
        because = f" {_BECAUSE[kind]}" if kind in _BECAUSE else ""
        raise ModelFileError(
            f"scikit-learn's {kind} is no model that can be read here.{because} Those that can: "
            f"{', '.join(READERS)}."
        )
    return READERS[kind](asked)


IMPORTER: Final = Importer(
    is_estimator,
    read_estimator,
    "Trees, forests, boosted trees, Naive Bayes and logistic regression of scikit-learn",
)
