"""CART as a classifier and a regressor of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.estimators.estimator import Estimator
from clearwood.estimators.settings import LabelCosts, LabelPriors
from clearwood.estimators.trees import TreeClassifier, TreeRegressor
from clearwood.learners.trees.cart import CART


@dataclass(kw_only=True, eq=False, repr=False)
class CARTEstimator(Estimator):
    """The settings of `CART` that classes and numbers have in common."""

    LEARNER: ClassVar[Any] = CART

    measure: str = "auto"
    max_depth: int | None = None
    min_rows: float = 2
    min_leaf: float = 1
    min_decrease: float = 0.0
    missing: Literal["surrogates", "direction"] = "surrogates"
    surrogates: int = 5
    alpha: float | Literal["cv", "1se"] | None = None
    folds: int = 10
    seed: int = 0


@dataclass(kw_only=True, eq=False, repr=False)
class CARTClassifier(TreeClassifier, CARTEstimator):
    """Binary splits by Gini, surrogates for missing values, cost-complexity pruning. Settings as in `CART`.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]]
    >>> CARTClassifier().fit(X, [0, 1, 0, 1]).predict([["red", 9.0], ["blue", None]])
    array([0, 1])
    """

    priors: LabelPriors = None
    costs: LabelCosts = None


@dataclass(kw_only=True, eq=False, repr=False)
class CARTRegressor(TreeRegressor, CARTEstimator):
    """Binary splits by squared (or absolute) error. Settings as in `CART`, less priors and costs.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]]
    >>> CARTRegressor(max_depth=1).fit(X, [1.0, 8.0, 2.0, 10.0]).predict([["green", 0.0], ["blue", 0.0]])
    array([1.5, 9. ])
    """
