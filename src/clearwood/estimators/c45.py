"""C4.5 as a classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.estimators.settings import LabelCosts, LabelPriors
from clearwood.estimators.trees import TreeClassifier
from clearwood.learners.trees.c45 import C45


@dataclass(kw_only=True, eq=False, repr=False)
class C45Classifier(TreeClassifier):
    """Gain ratio, shares of rows for missing values, error-based pruning. Settings as in `C45`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80], ["overcast", 64], ["sunny", 95]]
    >>> model = C45Classifier(min_rows=1).fit(X, ["no", "yes", "yes", "yes", "yes", "no"])
    >>> model.predict([["sunny", 60], ["rain", None]]).tolist()
    ['yes', 'yes']
    """

    LEARNER: ClassVar[Any] = C45
    IMPURITY: ClassVar[str] = "entropy"

    confidence: float = 0.25
    min_rows: float = 2
    prune: bool = True
    collapse: bool = True
    raise_subtrees: bool = True
    group_values: bool = False
    ordinal: Literal["values", "cut"] = "values"
    threshold: Literal["data", "midpoint"] = "data"
    confidence_table: Literal["normal", "quinlan"] = "normal"
    min_gap: float = 1e-5
    max_depth: int | None = None
    priors: LabelPriors = None
    costs: LabelCosts = None
