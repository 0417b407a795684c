"""CHAID as a classifier and a regressor of scikit-learn's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal

from clearwood.estimators.estimator import Estimator
from clearwood.estimators.settings import LabelCosts, LabelPriors, learner_as_set
from clearwood.estimators.trees import TreeClassifier, TreeRegressor
from clearwood.learners.learner import Learner
from clearwood.learners.trees.chaid import CHAID, minimums_for
from clearwood.models.model import Model
from clearwood.table.table import Table

BY_SIZE: Final = ("min_rows", "min_leaf")  # what None leaves to the size of the table


@dataclass(kw_only=True, eq=False, repr=False)
class CHAIDEstimator(Estimator):
    """A `min_rows` or `min_leaf` of None is the learner's own, 100 and 50, but on fewer than a thousand rows
    a tenth and a twentieth of them: a small table is no reason to ask nothing of it."""

    min_rows: float | None = None
    min_leaf: float | None = None

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        usual = CHAID()
        unsaid = {name: getattr(usual, name) for name in BY_SIZE if getattr(self, name) is None}
        learner: Learner[Model] = learner_as_set(self, CHAID, classes, **unsaid)
        return learner

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        assert isinstance(learner, CHAID)
        least, leaf = minimums_for(len(table) if table.weights is None else float(table.weights.sum()))
        if self.min_rows is None:
            learner = replace(learner, min_rows=least)
        if self.min_leaf is None:
            learner = replace(learner, min_leaf=leaf)
        return learner.learn(table)


@dataclass(kw_only=True, eq=False, repr=False)
class CHAIDClassifier(CHAIDEstimator, TreeClassifier):
    """Values merged by test, split by the smallest adjusted p. Settings as in `CHAID`.

    A `min_rows` or `min_leaf` of None is 100 and 50, on fewer than a thousand rows a tenth and a twentieth
    of them.

    >>> X = [["low"], ["middle"], ["high"]] * 40
    >>> model = CHAIDClassifier(min_leaf=10).fit(X, ["a", "a", "b"] * 40)
    >>> model.get_n_leaves(), model.predict([["middle"], ["high"]]).tolist()
    (2, ['a', 'b'])
    """

    LEARNER: ClassVar[Any] = CHAID

    alpha_merge: float = 0.05
    alpha_split: float = 0.05
    alpha_resplit: float | None = None
    exhaustive: bool = False
    statistic: Literal["pearson", "likelihood_ratio"] = "pearson"
    bonferroni: bool = True
    bins: int = 10
    max_depth: int | None = 3
    min_rows: float | None = None
    min_leaf: float | None = None
    priors: LabelPriors = None
    costs: LabelCosts = None


@dataclass(kw_only=True, eq=False, repr=False)
class CHAIDRegressor(CHAIDEstimator, TreeRegressor):
    """Values merged and splits chosen by analysis of variance. Settings as in `CHAID`, less those of classes.

    A `min_rows` or `min_leaf` of None is as in `CHAIDClassifier`.

    >>> X = [["low"], ["middle"], ["high"]] * 40
    >>> CHAIDRegressor(min_leaf=10).fit(X, [1.0, 1.0, 4.0, 1.0, 1.0, 6.0] * 20).predict([["low"], ["high"]])
    array([1., 5.])
    """

    LEARNER: ClassVar[Any] = CHAID

    alpha_merge: float = 0.05
    alpha_split: float = 0.05
    alpha_resplit: float | None = None
    exhaustive: bool = False
    bonferroni: bool = True
    bins: int = 10
    max_depth: int | None = 3
    min_rows: float | None = None
    min_leaf: float | None = None
