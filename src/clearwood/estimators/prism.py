"""PRISM as a classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.estimators.rules import RuleClassifier
from clearwood.learners.discretising import CutMethod
from clearwood.learners.rules.prism import PRISM


@dataclass(kw_only=True, eq=False, repr=False)
class PRISMClassifier(RuleClassifier):
    """For each class rules of the most precise values. Settings as in `PRISM`.

    >>> X = [["sunny", "weak"], ["sunny", "strong"], ["rain", "weak"], ["rain", "strong"]]
    >>> print(PRISMClassifier().fit(X, ["no", "no", "yes", "no"]).rules_)
    IF x0 = sunny THEN target = no  (2 rows, 100 %)
    IF x1 = strong THEN target = no  (1 row, 100 %)
    IF x0 = rain AND x1 = weak THEN target = yes  (1 row, 100 %)
    OTHERWISE target = no  (0 rows)
    """

    LEARNER: ClassVar[Any] = PRISM

    cuts: CutMethod = "mdl"
    bins: int = 10
    otherwise: Literal["majority", "abstain"] = "majority"
