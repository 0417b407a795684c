"""Every estimator passes scikit-learn's own checks at its defaults, and no check is excused."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from clearwood.estimators import (
    ESTIMATORS,
    CARTClassifier,
    CHAIDClassifier,
    CHAIDRegressor,
    CN2Classifier,
    ILAClassifier,
    LogisticClassifier,
    NaiveBayesClassifier,
    TreeRulesClassifier,
)

# Who says `poor_score` of itself, scikit-learn's tag that spares it the one demand of a score (0.83 of the
# rows of its blobs, rounded to whole numbers) and no other part of any check.
POOR_SCORES = {
    "ILAClassifier": "a rule covers rows of one class, and half of the rounded rows have a twin of another",
    "OneRClassifier": "its rules ask one column, and the classes of these rows need two",
}
WITH_OTHER_SETTINGS = [
    CHAIDClassifier(min_rows=2, min_leaf=1),
    CHAIDRegressor(min_rows=2, min_leaf=1),
    ILAClassifier(variant="ila2"),
    ILAClassifier(variant="ila3"),
    ILAClassifier(variant="ila4"),
    CN2Classifier(rules="unordered"),
    TreeRulesClassifier(tree=CARTClassifier(), tables="conditional"),
    TreeRulesClassifier(simplify=False),
    NaiveBayesClassifier(numeric="kernel"),
    LogisticClassifier(penalty="l2"),
    LogisticClassifier(penalty="l1", strength=0.1),
]


every_check: pytest.MarkDecorator = parametrize_with_checks(
    [*(each() for each in ESTIMATORS.values()), *WITH_OTHER_SETTINGS]
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")  # of columns of noise, left out
@every_check
def test_scikit_learn_is_satisfied(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_asks_for_leniency_only_where_the_table_says_why(name: str) -> None:
    tags = ESTIMATORS[name]().__sklearn_tags__()
    of_kind = tags.classifier_tags or tags.regressor_tags
    assert of_kind.poor_score == (name in POOR_SCORES)
    assert not tags.no_validation
    assert not tags.non_deterministic
    assert not tags._skip_test
