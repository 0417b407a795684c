"""PRISM as a classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.estimators.rules import RuleClassifier
from clearwood.estimators.settings import LabelCosts
from clearwood.learners.discretising import CutMethod
from clearwood.learners.learner import Learner
from clearwood.learners.rules.prism import PRISM
from clearwood.models.by_shares import by_shares
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.table.table import Table


@dataclass(kw_only=True, eq=False, repr=False)
class PRISMClassifier(RuleClassifier):
    """For each class rules of the most precise values. Settings as in `PRISM`.

    A rule that rows of several classes satisfy answers the most common of them, as scikit-learn expects of
    `predict` beside `predict_proba`; that of the learner answers the class it was made for.

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
    costs: LabelCosts = None

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        rules = super()._learned(learner, table)
        assert isinstance(rules, RuleList)
        return by_shares(rules)
