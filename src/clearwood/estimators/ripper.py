"""RIPPER as a classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from clearwood.estimators.rules import RuleClassifier
from clearwood.estimators.settings import LabelCosts
from clearwood.learners.rules.ripper import RIPPER


@dataclass(kw_only=True, eq=False, repr=False)
class RIPPERClassifier(RuleClassifier):
    """Short ordered rules for the rarer classes, the most common one otherwise. Settings as in `RIPPER`.

    >>> X = [["sunny"], ["overcast"], ["rain"]] * 10
    >>> print(RIPPERClassifier().fit(X, ["no", "yes", "yes"] * 10).rules_)
    IF x0 = sunny THEN target = no  (10 rows, 100 %)
    OTHERWISE target = yes  (20 rows, 100 %)
    """

    LEARNER: ClassVar[Any] = RIPPER

    folds: int = 3
    min_rows: float = 2
    optimizations: int = 2
    prune: bool = True
    check_error: bool = True
    seed: int = 1
    costs: LabelCosts = None
