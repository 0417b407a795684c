"""Forests as a classifier and a regressor of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.arrays import Floats
from clearwood.estimators.classifier import Classifier
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.regressor import Regressor
from clearwood.estimators.settings import LabelCosts, LabelPriors
from clearwood.explain.importances import importances_of_trees
from clearwood.learners.ensembles.forest import Forest
from clearwood.models.ensemble import Ensemble


@dataclass(kw_only=True, eq=False, repr=False)
class ForestEstimator(Estimator):
    """The learned model is an ensemble of trees, `forest_`; classes and numbers have these settings."""

    LEARNER: ClassVar[Any] = Forest

    trees: int = 100
    columns: int | None = None
    rows: float | Literal["bootstrap"] = "bootstrap"
    max_depth: int | None = None
    min_rows: float = 2
    min_leaf: float = 1.0
    min_value: float = 2.0
    cuts: Literal["best", "random"] = "best"
    measure: str = "auto"
    out_of_bag: bool = True
    seed: int = 0

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


@dataclass(kw_only=True, eq=False, repr=False)
class ForestClassifier(ForestEstimator, Classifier):
    """Trees on drawn rows and columns, whose shares are averaged. Settings as in `Forest`.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]] * 5
    >>> ForestClassifier(trees=20).fit(X, [0, 1, 0, 1] * 5).predict([["red", 1.0], ["blue", None]])
    array([0, 1])
    """

    combine: Literal["mean", "votes"] = "mean"
    priors: LabelPriors = None
    costs: LabelCosts = None


@dataclass(kw_only=True, eq=False, repr=False)
class ForestRegressor(ForestEstimator, Regressor):
    """Trees on drawn rows and columns, whose numbers are averaged. Settings as in `Forest`.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]] * 5
    >>> ForestRegressor(trees=20, min_leaf=1).fit(X, [1.0, 8.0, 1.0, 8.0] * 5).predict([["blue", 3.5]]) > 6
    array([ True])
    """
