"""Bagging and AdaBoost as a classifier and a regressor of scikit-learn's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.catalogue import member_called
from clearwood.estimators.classifier import Classifier, EvenClassifier
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.regressor import Regressor
from clearwood.estimators.settings import LabelCosts, LabelPriors, learner_as_set
from clearwood.explain.importances import importances_of_trees
from clearwood.learners.ensembles.adaboost import AdaBoost
from clearwood.learners.ensembles.bagging import Bagging
from clearwood.learners.learner import Learner
from clearwood.models.ensemble import Ensemble
from clearwood.models.model import Model


@dataclass(kw_only=True, eq=False, repr=False)
class EnsembleEstimator(Estimator):
    """The learned model is an ensemble, `ensemble_`; its members are `ensemble_.members`."""

    of: Any = None

    @property
    def ensemble_(self) -> Ensemble:
        """The ensemble that was learned: `model_` by the name that tells its kind."""
        ensemble: Ensemble = self.model_
        return ensemble

    @property
    def feature_importances_(self) -> Floats:
        """[column] each column's share of the impurity that the members' splits take away, on average."""
        self._model()
        return importances_of_trees(self.ensemble_)

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        of = self.LEARNER().of if self.of is None else _member(self.of, classes)
        learner: Learner[Model] = learner_as_set(self, self.LEARNER, classes, of=of)
        return learner


@dataclass(kw_only=True, eq=False, repr=False)
class BaggingClassifier(Classifier, EnsembleEstimator):
    """Members of a learner, each from rows drawn with replacement. Settings as in `Bagging`.

    `of` is the name of a learner, a learner with settings of its own (`CART(max_depth=3)`), or one of our
    classifiers, whose parameters a search then reaches: `of__max_depth`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80]] * 10
    >>> BaggingClassifier(of="cart", trees=9).fit(X, ["no", "yes", "yes", "yes"] * 10).predict(X[:2]).tolist()
    ['no', 'yes']
    """

    LEARNER: ClassVar[Any] = Bagging

    of: Any = "c45"
    trees: int = 50
    combine: Literal["mean", "votes"] = "mean"
    seed: int = 0
    priors: LabelPriors = None
    costs: LabelCosts = None

    @property
    def oob_score_(self) -> float:
        """The part of the rows that members which did not see them answer rightly; NaN without such rows."""
        self._model()
        curve = self.ensemble_.out_of_bag
        return np.nan if curve is None else 1.0 - curve.values[-1]


@dataclass(kw_only=True, eq=False, repr=False)
class BaggingRegressor(Regressor, EnsembleEstimator):
    """Members of a learner of numbers, each from rows drawn with replacement. Settings as in `Bagging`.

    >>> X = [[float(x)] for x in range(40)]
    >>> float(BaggingRegressor(trees=9).fit(X, [x % 20 * 1.0 for x in range(40)]).predict([[5.0]])[0]) < 8
    True
    """

    LEARNER: ClassVar[Any] = Bagging

    of: Any = "cart"
    trees: int = 50
    seed: int = 0


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostClassifier(EvenClassifier, EnsembleEstimator):
    """Members that look harder at what was wrong before, by SAMME. Settings as in `AdaBoost`.

    `of` is as in `BaggingClassifier`; None is a CART of one split. It has no `class_weight`, nor has
    scikit-learn's: rounds make equal what the first weights make unequal.

    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    >>> AdaBoostClassifier(trees=10).fit(X, list("aabbaa")).predict(X).tolist()
    ['a', 'a', 'b', 'b', 'a', 'a']
    """

    LEARNER: ClassVar[Any] = AdaBoost

    of: Any = None
    trees: int = 50
    rate: float = 1.0
    priors: LabelPriors = None
    costs: LabelCosts = None


def _member(given: Any, classes: Sequence[Any]) -> Any:
    if isinstance(given, Estimator):
        return learner_as_set(given, given.LEARNER, classes)
    return member_called(given).make() if isinstance(given, str) else given
