"""ILA and its variants as a classifier of scikit-learn's kind, which more rows can be given to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, Self

import numpy as np

from clearwood.bounds import choice
from clearwood.estimators.more_rows import more_rows
from clearwood.estimators.rules import RuleClassifier, refuse_to_abstain
from clearwood.estimators.settings import LabelCosts, learner_as_set
from clearwood.learners.discretising import CutMethod
from clearwood.learners.learner import Learner
from clearwood.learners.rules.ila import ILA, ILA2, ILA3, ILA4
from clearwood.learners.rules.ila_more import both_tables
from clearwood.learners.rules.ila_settings import MissingAs
from clearwood.models.by_shares import by_shares
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.predict.answers import check_smoothing
from clearwood.table.attributes import Nominal
from clearwood.table.recoding import recoded
from clearwood.table.schema import Schema
from clearwood.table.table import Table

VARIANTS: Final[dict[str, type[ILA]]] = {"ila": ILA, "ila2": ILA2, "ila3": ILA3, "ila4": ILA4}
THEIR_OWN: Final = ("penalty", "drop_irrelevant", "missing")  # what the variants differ in


@dataclass(kw_only=True, eq=False, repr=False)
class ILAClassifier(RuleClassifier):
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

    LEARNER: ClassVar[Any] = ILA

    variant: Literal["ila", "ila2", "ila3", "ila4"] = "ila"
    penalty: float | None = None
    fast: bool = False
    drop_irrelevant: bool | None = None
    alpha: float = 0.05
    missing: MissingAs | None = None
    max_conditions: int | None = None
    class_order: Sequence[Any] = ()
    otherwise: Literal["majority", "abstain"] = "majority"
    cuts: CutMethod = "mdl"
    bins: int = 10
    costs: LabelCosts = None

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
        learner: Learner[Model] = learner_as_set(self, variant, classes, **unsaid)
        return learner

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


def _with_classes(seen: Table, schema: Schema) -> Table:
    """The rows seen under the classes of this schema, which has theirs and more."""
    target = schema.target
    assert isinstance(target, Nominal)
    codes = recoded(np.asarray(seen.target, dtype=np.int32), seen.schema.classes, target.values)
    return replace(
        seen, schema=replace(seen.schema, target=target), columns={**seen.columns, target.name: codes}
    )
