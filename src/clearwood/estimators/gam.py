"""GAM as a classifier and a regressor of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from clearwood.arrays import Floats
from clearwood.estimators.classifier import Classifier
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.regressor import Regressor
from clearwood.estimators.settings import LabelCosts, LabelPriors
from clearwood.explain.mean_points import mean_points
from clearwood.learners.directions import Monotone
from clearwood.learners.ensembles.gam import GAM
from clearwood.models.additive_model import AdditiveModel


@dataclass(kw_only=True, eq=False, repr=False)
class CurveEstimator(Estimator):
    """The learned model is a sum of curves, `curves_`; classes and numbers have these settings."""

    LEARNER: ClassVar[Any] = GAM

    pairs: int | None = None
    bags: int | None = None
    rate: float = 0.1
    leaves: int = 3
    rounds: int = 1000
    patience: int = 20
    bins: int = 255
    min_leaf: int = 4
    l2: float = 1.0
    smoothing: int = 30
    monotone: Monotone = None
    seed: int = 0

    @property
    def curves_(self) -> AdditiveModel:
        """What was learned: `model_` by the name that tells its kind."""
        model = self.model_
        assert isinstance(model, AdditiveModel)
        return model

    @property
    def feature_importances_(self) -> Floats:
        """[column] its curve's mean absolute points over the training rows, as a part of all columns'."""
        self._model()
        sizes = {shape.name: mean_points(shape) for shape in self.curves_.shapes}
        parts = np.array([sizes.get(each.name, 0.0) for each in self.curves_.schema.attributes])
        total: Floats = parts / parts.sum() if parts.any() else parts
        return total


@dataclass(kw_only=True, eq=False, repr=False)
class GAMClassifier(Classifier, CurveEstimator):
    """One curve per column, and tables of a few pairs, that add up to log odds. Settings as in `GAM`.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]] * 5, [0, 0, 1, 0, 1, 1] * 5
    >>> GAMClassifier(bags=3).fit(X, y).predict([[1.0], [6.0]])
    array([0, 1])
    """

    priors: LabelPriors = None
    costs: LabelCosts = None


@dataclass(kw_only=True, eq=False, repr=False)
class GAMRegressor(Regressor, CurveEstimator):
    """One curve per column, and tables of a few pairs, that add up to a number. Settings as in `GAM`.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]] * 10, [1.0, 1.0, 2.0, 8.0, 9.0, 9.0] * 10
    >>> GAMRegressor(bags=3).fit(X, y).predict([[1.0], [6.0]]).round()
    array([1., 9.])
    """
