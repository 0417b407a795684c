"""CHAID as a classifier and a regressor of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.estimators.settings import Costs, Priors
from clearwood.estimators.trees import TreeClassifier, TreeRegressor
from clearwood.learners.trees.chaid import CHAID


@dataclass(kw_only=True, eq=False, repr=False)
class CHAIDClassifier(TreeClassifier):
    """Values merged by test, split by the smallest adjusted p. Settings as in `CHAID`.

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
    min_rows: float = 100
    min_leaf: float = 50
    priors: Priors = None
    costs: Costs = None


@dataclass(kw_only=True, eq=False, repr=False)
class CHAIDRegressor(TreeRegressor):
    """Values merged and splits chosen by analysis of variance. Settings as in `CHAID`, less those of classes.

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
    min_rows: float = 100
    min_leaf: float = 50
