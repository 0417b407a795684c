"""What estimators of trees answer beyond prediction: which leaf, how deep, what matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from clearwood.arrays import Floats, Ints
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.regressor import Regressor
from clearwood.estimators.smoothed import SmoothedClassifier
from clearwood.explain.importances import tree_importances
from clearwood.measures import IMPURITIES
from clearwood.models.tree import Tree
from clearwood.predict import leaf_of


@dataclass(kw_only=True, eq=False, repr=False)
class TreeEstimator(Estimator):
    """The learned model is a tree, `tree_`."""

    IMPURITY: ClassVar[str] = "gini"  # what importances are measured in

    @property
    def tree_(self) -> Tree:
        """The tree that was learned: `model_` by the name that tells its kind."""
        tree: Tree = self.model_
        return tree

    def apply(self, X: Any) -> Ints:  # noqa: N803 (scikit-learn's name)
        """[row] the number of the leaf each row ends in: its place in `tree_.nodes`."""
        return self._answers(leaf_of, X)

    def get_depth(self) -> int:
        """Questions on the longest way down."""
        self._model()
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        self._model()
        return self.tree_.leaves

    @property
    def feature_importances_(self) -> Floats:
        """[column] each column's share of the impurity that the splits take away."""
        self._model()
        named = str(getattr(self, "measure", ""))
        return tree_importances(self.tree_, named if named in IMPURITIES else self.IMPURITY)


@dataclass(kw_only=True, eq=False, repr=False)
class TreeClassifier(SmoothedClassifier, TreeEstimator):
    """A tree whose leaves answer with the classes of their rows."""


@dataclass(kw_only=True, eq=False, repr=False)
class TreeRegressor(Regressor, TreeEstimator):
    """Every leaf answers with one number: the mean of its rows, or their median for absolute error."""
