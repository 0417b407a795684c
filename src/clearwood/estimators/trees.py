"""Trees as estimators: ID3, C4.5, CART and CHAID, and what each tells beyond prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from clearwood.arrays import Floats, Ints
from clearwood.estimators.estimator import FOR_CLASSES, Estimator, Regressor, SmoothedClassifier
from clearwood.explaining.importances import tree_importances
from clearwood.learners.learner import Learner
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID, minimums_for
from clearwood.learners.trees.id3 import ID3
from clearwood.measures import IMPURITIES
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.predicting.batch import leaf_of
from clearwood.table.table import Table

BY_SIZE: Final = ("min_rows", "min_leaf")  # what None leaves to the size of the table


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


class TreeClassifier(SmoothedClassifier, TreeEstimator):
    """A tree whose leaves answer with the classes of their rows."""


class TreeRegressor(Regressor, TreeEstimator):
    """Every leaf answers with one number: the mean of its rows, or their median for absolute error."""


class ID3Classifier(TreeClassifier, learner=ID3):
    """One branch per value, by information gain; missing is a value of its own. Settings as in `ID3`.

    >>> X = [["sunny", "weak"], ["sunny", "strong"], ["rain", "weak"], ["rain", "strong"]]
    >>> ID3Classifier().fit(X, ["no", "no", "yes", "no"]).predict([["rain", "weak"], ["sunny", None]])
    array(['yes', 'no'], dtype='<U3')
    """


class C45Classifier(TreeClassifier, learner=C45):
    """Gain ratio, shares of rows for missing values, error-based pruning. Settings as in `C45`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80], ["overcast", 64], ["sunny", 95]]
    >>> model = C45Classifier(min_rows=1).fit(X, ["no", "yes", "yes", "yes", "yes", "no"])
    >>> model.predict([["sunny", 60], ["rain", None]]).tolist()
    ['yes', 'yes']
    """

    IMPURITY: ClassVar[str] = "entropy"


class CARTEstimator(Estimator, learner=CART, without=FOR_CLASSES):
    """The settings of `CART` that classes and numbers have in common."""


class CARTClassifier(TreeClassifier, CARTEstimator, learner=CART):
    """Binary splits by Gini, surrogates for missing values, cost-complexity pruning. Settings as in `CART`.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]]
    >>> CARTClassifier().fit(X, [0, 1, 0, 1]).predict([["red", 9.0], ["blue", None]])
    array([0, 1])
    """


class CARTRegressor(TreeRegressor, CARTEstimator):
    """Binary splits by squared (or absolute) error. Settings as in `CART`, less priors and costs.

    >>> X = [["red", 1.0], ["blue", 2.0], ["green", 3.0], ["blue", 4.0]]
    >>> CARTRegressor(max_depth=1).fit(X, [1.0, 8.0, 2.0, 10.0]).predict([["green", 0.0], ["blue", 0.0]])
    array([1.5, 9. ])
    """


class CHAIDEstimator(Estimator):
    """A `min_rows` or `min_leaf` of None is the learner's own, 100 and 50, but on fewer than a thousand rows
    a tenth and a twentieth of them: a small table is no reason to ask nothing of it."""

    min_rows: float | None = None
    min_leaf: float | None = None

    def _instead(self, classes: Sequence[Any]) -> dict[str, Any]:
        del classes
        usual = CHAID()
        return {name: getattr(usual, name) for name in BY_SIZE if getattr(self, name) is None}

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        assert isinstance(learner, CHAID)
        least, leaf = minimums_for(len(table) if table.weights is None else float(table.weights.sum()))
        if self.min_rows is None:
            learner = replace(learner, min_rows=least)
        if self.min_leaf is None:
            learner = replace(learner, min_leaf=leaf)
        return learner.learn(table)


class CHAIDClassifier(CHAIDEstimator, TreeClassifier, learner=CHAID):
    """Values merged by test, split by the smallest adjusted p. Settings as in `CHAID`.

    A `min_rows` or `min_leaf` of None is 100 and 50, on fewer than a thousand rows a tenth and a twentieth
    of them.

    >>> X = [["low"], ["middle"], ["high"]] * 40
    >>> model = CHAIDClassifier(min_leaf=10).fit(X, ["a", "a", "b"] * 40)
    >>> model.get_n_leaves(), model.predict([["middle"], ["high"]]).tolist()
    (2, ['a', 'b'])
    """


class CHAIDRegressor(CHAIDEstimator, TreeRegressor, learner=CHAID, without=FOR_CLASSES):
    """Values merged and splits chosen by analysis of variance. Settings as in `CHAID`, less those of classes.

    A `min_rows` or `min_leaf` of None is as in `CHAIDClassifier`.

    >>> X = [["low"], ["middle"], ["high"]] * 40
    >>> CHAIDRegressor(min_leaf=10).fit(X, [1.0, 1.0, 4.0, 1.0, 1.0, 6.0] * 20).predict([["low"], ["high"]])
    array([1., 5.])
    """
