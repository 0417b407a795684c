"""Classifiers that are rule lists: `rules_` is what they learned, and every row gets an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clearwood.advice import Advice
from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.estimators.classifier import Classifier
from clearwood.estimators.smoothed import SmoothedClassifier
from clearwood.explain.rule_importances import rule_importances
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList


@dataclass(kw_only=True, eq=False, repr=False)
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


def refuse_to_abstain(estimator: Classifier) -> None:
    """A sentence where the rules are to leave rows unanswered."""
    if getattr(estimator, "otherwise", "majority") == "abstain":
        raise SettingError(
            "otherwise='abstain' leaves rows without a class, which scikit-learn has no word for. Use ",
            Advice("otherwise", "majority", setting=True),
            f", or the learner itself: clearwood.{estimator.LEARNER.__name__}.",
        )
