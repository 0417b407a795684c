"""ID3 as a classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from clearwood.estimators.settings import LabelCosts, LabelPriors
from clearwood.estimators.trees import TreeClassifier
from clearwood.learners.trees.id3 import ID3


@dataclass(kw_only=True, eq=False, repr=False)
class ID3Classifier(TreeClassifier):
    """One branch per value, by information gain; missing is a value of its own. Settings as in `ID3`.

    >>> X = [["sunny", "weak"], ["sunny", "strong"], ["rain", "weak"], ["rain", "strong"]]
    >>> ID3Classifier().fit(X, ["no", "no", "yes", "no"]).predict([["rain", "weak"], ["sunny", None]])
    array(['yes', 'no'], dtype='<U3')
    """

    LEARNER: ClassVar[Any] = ID3

    measure: str = "entropy"
    max_depth: int | None = None
    min_rows: float = 2
    min_leaf: float = 1
    min_gain: float | None = None
    priors: LabelPriors = None
    costs: LabelCosts = None
