"""Gradient boosting as a classifier and a regressor of scikit-learn's kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.arrays import Floats
from clearwood.estimators.classifier import Classifier
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.regressor import Regressor
from clearwood.estimators.settings import LabelCosts, LabelPriors
from clearwood.learners.directions import Monotone
from clearwood.learners.ensembles.boosting import Boosting, Interactions
from clearwood.models.ensemble import Ensemble
from clearwood.predict.staged import staged


@dataclass(kw_only=True, eq=False, repr=False)
class BoostingEstimator(Estimator):
    """The settings of `Boosting` that classes and numbers have in common."""

    LEARNER: ClassVar[Any] = Boosting

    trees: int = 100
    rate: float = 0.1
    max_depth: int | None = 6
    leaves: int | None = None
    min_child: float = 1.0
    l2: float = 1.0
    l1: float = 0.0
    gamma: float = 0.0
    min_value: float = 10.0
    bins: int | Literal["exact"] = 254
    rows: float = 1.0
    columns: float = 1.0
    early_stopping: float | None = None
    patience: int = 10
    quantile: float = 0.5
    monotone: Monotone = None
    interactions: Interactions = None
    seed: int = 0

    def _staged(self, X: Any) -> Iterator[Floats]:  # noqa: N803 (scikit-learn's name)
        model, rows = self._model_and_rows(X)
        assert isinstance(model, Ensemble)
        yield from staged(model, rows)


@dataclass(kw_only=True, eq=False, repr=False)
class BoostingClassifier(Classifier, BoostingEstimator):
    """Trees that each take a step down the log loss. Settings as in `Boosting`, less the losses of numbers.

    >>> X = [["red", 1.0], ["blue", 2.0], ["red", 3.0], ["blue", 4.0]]
    >>> BoostingClassifier(trees=5, min_child=0).fit(X, [0, 1, 0, 1]).predict([["red", 9.0], ["blue", None]])
    array([0, 1])
    """

    loss: Literal["auto", "logistic", "softmax"] = "auto"
    priors: LabelPriors = None
    costs: LabelCosts = None

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:  # noqa: N803 (scikit-learn's name)
        """[row, class] after each round."""
        return self._staged(X)


@dataclass(kw_only=True, eq=False, repr=False)
class BoostingRegressor(Regressor, BoostingEstimator):
    """Trees that each take a step down the loss. Settings as in `Boosting`, less priors and costs.

    >>> X = [["red", 1.0], ["blue", 2.0], ["red", 3.0], ["blue", 4.0]]
    >>> BoostingRegressor(trees=60, l2=0).fit(X, [1.0, 8.0, 1.0, 8.0]).predict([["red", 0.0]]).round(2)
    array([1.01])
    """

    loss: Literal["auto", "squared", "absolute", "quantile", "poisson"] = "auto"

    def staged_predict(self, X: Any) -> Iterator[Floats]:  # noqa: N803 (scikit-learn's name)
        """[row] after each round."""
        return self._staged(X)
