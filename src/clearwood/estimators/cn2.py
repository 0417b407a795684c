"""CN2 as a classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.estimators.rules import RuleClassifier
from clearwood.estimators.settings import LabelCosts
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.rule_quality import RuleMeasure


@dataclass(kw_only=True, eq=False, repr=False)
class CN2Classifier(RuleClassifier):
    """Rules found by beam search, in order or each class for itself. Settings as in `CN2`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80], ["overcast", 64], ["sunny", 95]]
    >>> model = CN2Classifier().fit(X, ["no", "yes", "yes", "yes", "yes", "no"])
    >>> print(model.rules_)
    IF x0 in {overcast, rain} THEN target = yes  (3 rows, 100 %)
    IF x1 > 77.5 THEN target = no  (2 rows, 100 %)
    OTHERWISE target = yes  (1 row, 100 %)
    """

    LEARNER: ClassVar[Any] = CN2

    rules: Literal["ordered", "unordered"] = "ordered"
    measure: RuleMeasure = "laplace"
    beam: int = 5
    max_conditions: int | None = 5
    negations: bool = True
    min_rows: float = 1
    alpha: float = 1.0
    missing: Literal["fill", "lost"] = "fill"
    otherwise: Literal["majority", "abstain"] = "majority"
    costs: LabelCosts = None
