"""Ensembles and sums of curves as estimators: forests, boosting, GAM, bagging, AdaBoost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.catalogue import member_called
from clearwood.estimators.estimator import (
    FOR_CLASSES,
    Classifier,
    Estimator,
    EvenClassifier,
    Regressor,
    learner_as_set,
)
from clearwood.explaining.curve_groups import mean_points
from clearwood.explaining.importances import importances_of_trees
from clearwood.learners.ensembles.adaboost import AdaBoost
from clearwood.learners.ensembles.bagging import Bagging
from clearwood.learners.ensembles.boosting import Boosting
from clearwood.learners.ensembles.forest import Forest
from clearwood.learners.ensembles.gam import GAM
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.predicting.staged import staged


class ForestEstimator(Estimator, learner=Forest, without=FOR_CLASSES):
    """The learned model is an ensemble of trees, `forest_`; classes and numbers have these settings."""

    @property
    def forest_(self) -> Ensemble:
        """The forest that was learned: `model_` by the name that tells its kind."""
        forest: Ensemble = self.model_
        return forest

    @property
    def feature_importances_(self) -> Floats:
        """[column] each column's share of the impurity that the splits take away, on average of the trees."""
        self._model()
        return importances_of_trees(self.forest_)

    @property
    def out_of_bag_error_(self) -> float | None:
        """The error on rows that a tree did not draw; None if it was not kept."""
        self._model()
        curve = self.forest_.out_of_bag
        return None if curve is None else curve.values[-1]


class ForestClassifier(ForestEstimator, Classifier, learner=Forest):
    """Trees on drawn rows and columns, whose shares are averaged. Settings as in `Forest`.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]] * 5
    >>> ForestClassifier(trees=20).fit(X, [0, 1, 0, 1] * 5).predict([["red", 1.0], ["blue", None]])
    array([0, 1])
    """


class ForestRegressor(ForestEstimator, Regressor):
    """Trees on drawn rows and columns, whose numbers are averaged. Settings as in `Forest`.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]] * 5
    >>> ForestRegressor(trees=20, min_leaf=1).fit(X, [1.0, 8.0, 1.0, 8.0] * 5).predict([["blue", 3.5]]) > 6
    array([ True])
    """


class BoostingEstimator(Estimator, learner=Boosting, without=("loss", *FOR_CLASSES)):
    """The settings of `Boosting` that classes and numbers have in common."""

    def _staged(self, X: Any) -> Iterator[Floats]:  # noqa: N803 (scikit-learn's name)
        model, rows = self._model_and_rows(X)
        assert isinstance(model, Ensemble)
        yield from staged(model, rows)


class BoostingClassifier(Classifier, BoostingEstimator, learner=Boosting):
    """Trees that each take a step down the log loss. Settings as in `Boosting`, less the losses of numbers.

    >>> X = [["red", 1.0], ["blue", 2.0], ["red", 3.0], ["blue", 4.0]]
    >>> BoostingClassifier(trees=5, min_child=0).fit(X, [0, 1, 0, 1]).predict([["red", 9.0], ["blue", None]])
    array([0, 1])
    """

    loss: Literal["auto", "logistic", "softmax"] = "auto"

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:  # noqa: N803 (scikit-learn's name)
        """[row, class] after each round."""
        return self._staged(X)


class BoostingRegressor(Regressor, BoostingEstimator, learner=Boosting, without=FOR_CLASSES):
    """Trees that each take a step down the loss. Settings as in `Boosting`, less priors and costs.

    >>> X = [["red", 1.0], ["blue", 2.0], ["red", 3.0], ["blue", 4.0]]
    >>> BoostingRegressor(trees=60, l2=0).fit(X, [1.0, 8.0, 1.0, 8.0]).predict([["red", 0.0]]).round(2)
    array([1.01])
    """

    loss: Literal["auto", "squared", "absolute", "quantile", "poisson"] = "auto"

    def staged_predict(self, X: Any) -> Iterator[Floats]:  # noqa: N803 (scikit-learn's name)
        """[row] after each round."""
        return self._staged(X)


class CurveEstimator(Estimator, learner=GAM, without=FOR_CLASSES):
    """The learned model is a sum of curves, `curves_`; classes and numbers have these settings."""

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


class GAMClassifier(Classifier, CurveEstimator, learner=GAM):
    """One curve per column, and tables of a few pairs, that add up to log odds. Settings as in `GAM`.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]] * 5, [0, 0, 1, 0, 1, 1] * 5
    >>> GAMClassifier(bags=3).fit(X, y).predict([[1.0], [6.0]])
    array([0, 1])
    """


class GAMRegressor(Regressor, CurveEstimator):
    """One curve per column, and tables of a few pairs, that add up to a number. Settings as in `GAM`.

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]] * 10, [1.0, 1.0, 2.0, 8.0, 9.0, 9.0] * 10
    >>> GAMRegressor(bags=3).fit(X, y).predict([[1.0], [6.0]]).round()
    array([1., 9.])
    """


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

    def _instead(self, classes: Sequence[Any]) -> dict[str, Any]:
        return {"of": self.LEARNER().of if self.of is None else _member(self.of, classes)}


class BaggingClassifier(Classifier, EnsembleEstimator, learner=Bagging):
    """Members of a learner, each from rows drawn with replacement. Settings as in `Bagging`.

    `of` is the name of a learner, a learner with settings of its own (`CART(max_depth=3)`), or one of our
    classifiers, whose parameters a search then reaches: `of__max_depth`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80]] * 10
    >>> BaggingClassifier(of="cart", trees=9).fit(X, ["no", "yes", "yes", "yes"] * 10).predict(X[:2]).tolist()
    ['no', 'yes']
    """

    of: Any = "c45"

    @property
    def oob_score_(self) -> float:
        """The part of the rows that members which did not see them answer rightly; NaN without such rows."""
        self._model()
        curve = self.ensemble_.out_of_bag
        return np.nan if curve is None else 1.0 - curve.values[-1]


class BaggingRegressor(Regressor, EnsembleEstimator, learner=Bagging, without=FOR_CLASSES):
    """Members of a learner of numbers, each from rows drawn with replacement. Settings as in `Bagging`.

    >>> X = [[float(x)] for x in range(40)]
    >>> float(BaggingRegressor(trees=9).fit(X, [x % 20 * 1.0 for x in range(40)]).predict([[5.0]])[0]) < 8
    True
    """

    of: Any = "cart"


class AdaBoostClassifier(EvenClassifier, EnsembleEstimator, learner=AdaBoost):
    """Each member weighs rows more that earlier ones misclassify, by SAMME. Settings as in `AdaBoost`.

    `of` is as in `BaggingClassifier`; None is a CART of one split. It has no `class_weight`, nor has
    scikit-learn's: rounds make equal what the first weights make unequal.

    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    >>> AdaBoostClassifier(trees=10).fit(X, list("aabbaa")).predict(X).tolist()
    ['a', 'a', 'b', 'b', 'a', 'a']
    """

    of: Any = None


def _member(given: Any, classes: Sequence[Any]) -> Any:
    if isinstance(given, Estimator):
        return learner_as_set(given, given.LEARNER, classes)
    return member_called(given).make() if isinstance(given, str) else given
