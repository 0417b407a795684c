"""C4.5rules as a classifier of scikit-learn's kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from clearwood.estimators.rules import RuleClassifier
from clearwood.estimators.settings import LabelCosts
from clearwood.learners.rules.c45_rules import C45Rules


@dataclass(kw_only=True, eq=False, repr=False)
class C45RulesClassifier(RuleClassifier):
    """The rules of an unpruned C4.5 tree, each generalised, the best of them kept. Settings as in `C45Rules`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80]] * 10
    >>> print(C45RulesClassifier().fit(X, ["no", "yes", "yes", "yes"] * 10).rules_)
    IF x0 = sunny AND x1 > 70 THEN target = no  (10 rows, 100 %)
    IF x0 = overcast THEN target = yes  (10 rows, 100 %)
    IF x0 = rain THEN target = yes  (10 rows, 100 %)
    IF x1 ≤ 70 THEN target = yes  (10 rows, 100 %)
    OTHERWISE target = yes  (0 rows)
    """

    LEARNER: ClassVar[Any] = C45Rules

    confidence: float = 0.25
    min_rows: float = 2
    group_values: bool = False
    ordinal: Literal["values", "cut"] = "values"
    confidence_table: Literal["normal", "quinlan"] = "normal"
    theory_weight: float = 0.5
    exhaustive: int = 10
    drop_harmful: bool = False
    costs: LabelCosts = None
