"""Rules read from a tree and simplified by tests, as a classifier of scikit-learn's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from clearwood.catalogue import tree_called
from clearwood.estimators.rules import RuleClassifier
from clearwood.estimators.settings import LabelCosts, learner_as_set
from clearwood.estimators.trees import TreeClassifier
from clearwood.learners.learner import Learner
from clearwood.learners.rules.simplifying.condition_tests import ChooseBy, TestName
from clearwood.learners.rules.simplifying.ordering import Order
from clearwood.learners.rules.simplifying.settings import Adjust, Against, Tables
from clearwood.learners.rules.tree_rules import TreeRules
from clearwood.models.model import Model
from clearwood.models.tree import Tree


@dataclass(kw_only=True, eq=False, repr=False)
class TreeRulesClassifier(RuleClassifier):
    """A rule for each leaf of a tree, its conditions tested and dropped. Settings as in `TreeRules`.

    `tree` is the name of a learner of trees, a learner with settings of its own (`C45(min_rows=5)`), or
    one of our classifiers, whose parameters a search then reaches: `tree__min_rows`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80]] * 10
    >>> print(TreeRulesClassifier(tree="cart").fit(X, ["no", "yes", "yes", "yes"] * 10).rules_)
    IF x0 = sunny AND x1 > 77.5 THEN target = no  (10 rows, 100 %)
    OTHERWISE target = yes  (30 rows, 100 %)
    """

    LEARNER: ClassVar[Any] = TreeRules

    tree: str | Learner[Tree] | TreeClassifier = "c45"
    simplify: bool = True
    alpha: float = 0.05
    tables: Tables = "marginal"
    choose_by: ChooseBy = "largest"
    test: TestName | None = None
    against: Against = "class"
    adjust: Adjust = None
    drop_conditions: bool = True
    drop_rules: bool = True
    order: Order = "fewest_errors"
    costs: LabelCosts = None

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        learner: Learner[Model] = learner_as_set(self, TreeRules, classes, tree=_tree(self.tree, classes))
        return learner


def _tree(given: str | Learner[Tree] | TreeClassifier, classes: Sequence[Any]) -> Any:
    if isinstance(given, TreeClassifier):
        return learner_as_set(given, given.LEARNER, classes)
    if not isinstance(given, str):
        return given
    return tree_called(given).make()
