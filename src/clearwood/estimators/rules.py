"""Rule lists as estimators: `rules_` is what they learned, and every row gets a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal, Self

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import choice
from clearwood.catalogue import tree_called
from clearwood.errors import Advice, SettingError
from clearwood.estimators.estimator import Classifier, SmoothedClassifier, learner_as_set, more_rows
from clearwood.estimators.trees import TreeClassifier
from clearwood.explaining.importances import rule_importances
from clearwood.learners.learner import Learner
from clearwood.learners.rules.c45_rules import C45Rules
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.ila import ILA, ILA2, ILA3, ILA4, MissingAs
from clearwood.learners.rules.ila_coding import both_tables
from clearwood.learners.rules.one_r import OneR
from clearwood.learners.rules.prism import PRISM
from clearwood.learners.rules.ripper import RIPPER
from clearwood.learners.rules.tree_rules import TreeRules
from clearwood.models.decision import check_smoothing
from clearwood.models.kinds.rules.rule_list import RuleList, by_shares
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal
from clearwood.table.coding import recoded
from clearwood.table.schema import Schema
from clearwood.table.table import Table

VARIANTS: Final[dict[str, type[ILA]]] = {"ila": ILA, "ila2": ILA2, "ila3": ILA3, "ila4": ILA4}
THEIR_OWN: Final = ("penalty", "drop_irrelevant", "missing")  # what the variants differ in


class RuleClassifier(SmoothedClassifier):
    """The learned model is a rule list, `rules_`: print it, score it, audit it, save it."""

    @property
    def rules_(self) -> RuleList:
        """The rules that were learned: `model_` by the name that tells its kind."""
        rules = self.model_
        assert isinstance(rules, RuleList)
        return rules

    @property
    def feature_importances_(self) -> Floats:
        """[column] each column's share of the impurity (Gini) that the rules take away from their rows; the
        columns that a rule asks about share its part equally."""
        self._model()
        return rule_importances(self.rules_)

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        refuse_to_abstain(self)
        return super()._learner(classes)


class ILAClassifier(RuleClassifier, learner=ILA):
    """The fewest conditions that describe rows of one class and of no other. Settings as in `ILA`.

    `variant` is "ila", "ila2", "ila3" or "ila4"; a `penalty`, `drop_irrelevant` or `missing` of None is what
    the variant has. Classes are described in the order of `classes_`, whichever row comes first, unless
    `class_order` says otherwise; what no rule covers is answered by the most common class of such rows.
    `rows_seen_` keeps the rows, which `partial_fit` needs.

    >>> X = [["sunny", "weak"], ["sunny", "strong"], ["rain", "weak"], ["rain", "strong"]]
    >>> model = ILAClassifier().fit(X, ["no", "no", "yes", "yes"])
    >>> print(model.rules_)
    IF x0 = sunny THEN target = no  (2 rows, 100 %)
    IF x0 = rain THEN target = yes  (2 rows, 100 %)
    OTHERWISE target = no  (0 rows)
    >>> print(model.partial_fit([["rain", "strong"], ["fog", "weak"]], ["yes", "unsure"]).rules_)
    IF x0 = sunny THEN target = no  (2 rows, 100 %)
    IF x0 = rain THEN target = yes  (3 rows, 100 %)
    IF x0 = fog THEN target = unsure  (1 row, 100 %)
    OTHERWISE target = yes  (0 rows)
    """

    variant: Literal["ila", "ila2", "ila3", "ila4"] = "ila"
    penalty: float | None = None
    drop_irrelevant: bool | None = None
    missing: MissingAs | None = None
    class_order: Sequence[Any] = ()

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn from more rows (I-ILA): rules they speak against go, rows without a rule get new ones.

        All rows seen are kept and count. `classes` may list labels that are still to come.
        """
        seen: Table | None = getattr(self, "rows_seen_", None)
        every, new = more_rows(self, X, y, classes, sample_weight, None if seen is None else seen.schema)
        learner = self._learner(every.tolist())
        if seen is None:
            self.model_ = self._learned(learner, new)
        else:
            assert isinstance(learner, ILA)
            seen = _with_classes(seen, new.schema)
            self.model_ = by_shares(learner.learn_more(self.rules_, seen, new))
            self.rows_seen_ = both_tables(seen, new)
        self.classes_ = every
        return self

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        check_smoothing(self.smoothing)
        refuse_to_abstain(self)
        variant = VARIANTS[choice("variant", self.variant, tuple(VARIANTS))]
        usual = variant()
        unsaid = {name: getattr(usual, name) for name in THEIR_OWN if getattr(self, name) is None}
        if isinstance(self.class_order, list | tuple) and not self.class_order:
            unsaid["class_order"] = tuple(classes)
        return learner_as_set(self, variant, classes, **unsaid)

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        rules = super()._learned(learner, table)
        assert isinstance(rules, RuleList)
        self.rows_seen_ = table
        return by_shares(rules)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Half the rows of scikit-learn's blobs, rounded as its checks round them, have a twin of another
        # class, which no rule of one class describes; with a penalty the class that comes first takes both.
        tags.classifier_tags.poor_score = True
        return tags


class CN2Classifier(RuleClassifier, learner=CN2):
    """Rules found by beam search, in order or each class for itself. Settings as in `CN2`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80], ["overcast", 64], ["sunny", 95]]
    >>> model = CN2Classifier().fit(X, ["no", "yes", "yes", "yes", "yes", "no"])
    >>> print(model.rules_)
    IF x0 in {overcast, rain} THEN target = yes  (3 rows, 100 %)
    IF x1 > 77.5 THEN target = no  (2 rows, 100 %)
    OTHERWISE target = yes  (1 row, 100 %)
    """


class PRISMClassifier(RuleClassifier, learner=PRISM):
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

    def _learned(self, learner: Learner[Model], table: Table) -> Model:
        rules = super()._learned(learner, table)
        assert isinstance(rules, RuleList)
        return by_shares(rules)


class OneRClassifier(RuleClassifier, learner=OneR):
    """A class for each value of the one column that predicts best. Settings as in `OneR`.

    >>> X = [["sunny", "weak"], ["sunny", "strong"], ["rain", "weak"], ["rain", "strong"]]
    >>> print(OneRClassifier().fit(X, ["no", "no", "yes", "no"]).rules_)
    IF x0 = rain THEN target = no  (2 rows, 50 %)
    IF x0 = sunny THEN target = no  (2 rows, 100 %)
    OTHERWISE target = no  (0 rows)
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # it asks one column, and the checks' classes need two
        return tags


class RIPPERClassifier(RuleClassifier, learner=RIPPER):
    """Short ordered rules for the rarer classes, the most common one otherwise. Settings as in `RIPPER`.

    >>> X = [["sunny"], ["overcast"], ["rain"]] * 10
    >>> print(RIPPERClassifier().fit(X, ["no", "yes", "yes"] * 10).rules_)
    IF x0 = sunny THEN target = no  (10 rows, 100 %)
    OTHERWISE target = yes  (20 rows, 100 %)
    """


class C45RulesClassifier(RuleClassifier, learner=C45Rules):
    """The rules of an unpruned C4.5 tree, each generalised, the best of them kept. Settings as in `C45Rules`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80]] * 10
    >>> print(C45RulesClassifier().fit(X, ["no", "yes", "yes", "yes"] * 10).rules_)
    IF x0 = sunny AND x1 > 70 THEN target = no  (10 rows, 100 %)
    IF x0 = overcast THEN target = yes  (10 rows, 100 %)
    IF x0 = rain THEN target = yes  (10 rows, 100 %)
    IF x1 ≤ 70 THEN target = yes  (10 rows, 100 %)
    OTHERWISE target = yes  (0 rows)
    """


class TreeRulesClassifier(RuleClassifier, learner=TreeRules):
    """A rule for each leaf of a tree, its conditions tested and dropped. Settings as in `TreeRules`.

    `tree` is the name of a learner of trees, a learner with settings of its own (`C45(min_rows=5)`), or
    one of our classifiers, whose parameters a search then reaches: `tree__min_rows`.

    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 90], ["rain", 80]] * 10
    >>> print(TreeRulesClassifier(tree="cart").fit(X, ["no", "yes", "yes", "yes"] * 10).rules_)
    IF x0 = sunny AND x1 > 77.5 THEN target = no  (10 rows, 100 %)
    OTHERWISE target = yes  (30 rows, 100 %)
    """

    tree: str | Learner[Tree] | TreeClassifier = "c45"

    def _instead(self, classes: Sequence[Any]) -> dict[str, Any]:
        return {"tree": _tree(self.tree, classes)}


def refuse_to_abstain(estimator: Classifier) -> None:
    """A sentence where the rules are to leave rows unanswered."""
    if getattr(estimator, "otherwise", "majority") == "abstain":
        raise SettingError(
            "otherwise='abstain' leaves rows without a class, which scikit-learn has no word for. Use ",
            Advice("otherwise", "majority", setting=True),
            f", or the learner itself: clearwood.{estimator.LEARNER.__name__}.",
        )


def _with_classes(seen: Table, schema: Schema) -> Table:
    """The rows seen under the classes of this schema, which has theirs and more."""
    target = schema.target
    assert isinstance(target, Nominal)
    codes = recoded(np.asarray(seen.target, dtype=np.int32), seen.schema.classes, target.values)
    return replace(
        seen, schema=replace(seen.schema, target=target), columns={**seen.columns, target.name: codes}
    )


def _tree(given: str | Learner[Tree] | TreeClassifier, classes: Sequence[Any]) -> Any:
    if isinstance(given, TreeClassifier):
        return learner_as_set(given, given.LEARNER, classes)
    if not isinstance(given, str):
        return given
    return tree_called(given).make()
