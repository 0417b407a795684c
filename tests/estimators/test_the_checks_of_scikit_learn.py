"""Every estimator of the registry passes scikit-learn's own checks, with the exceptions reasoned here."""

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

SPSS = "by default CHAID asks for 100 rows to split and 50 in a leaf, which the check's few rows don't have"
SHUFFLED = "the check shuffles the rows, and ILA takes the classes in order of appearance"
PURE = "ILA's rules cover one class alone, and few intervals of the check's two numbers hold one class alone"
CONTRADICTORY = "PRISM's first class takes the rows that cuts leave contradictory, whatever their shares"
LEFT = "what CN2's rules leave, however light, answers for all that they don't cover"
WIDE = "the check has more columns than rows, which no fit without a penalty can settle"
BY_ORDER = {"check_sample_weight_equivalence_on_dense_data": SHUFFLED}
EXCEPTIONS = {
    "CHAIDClassifier()": {"check_classifiers_train": SPSS},
    "CHAIDRegressor()": {"check_regressors_train": SPSS},
    "ILAClassifier()": {**BY_ORDER, "check_classifiers_train": PURE},
    "ILAClassifier(variant='ila2')": BY_ORDER,
    "ILAClassifier(variant='ila3')": {**BY_ORDER, "check_classifiers_train": PURE},
    "ILAClassifier(variant='ila4')": {**BY_ORDER, "check_classifiers_train": PURE},
    "PRISMClassifier()": {"check_classifiers_train": CONTRADICTORY},
    "LogisticClassifier()": {"check_sample_weight_equivalence_on_dense_data": WIDE},
    "CN2Classifier()": {"check_class_weight_classifiers": LEFT},
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


def exceptions(estimator: Any) -> dict[str, str]:
    return EXCEPTIONS.get(str(estimator), {})


every_check: pytest.MarkDecorator = parametrize_with_checks(
    [*(each() for each in ESTIMATORS.values()), *WITH_OTHER_SETTINGS], expected_failed_checks=exceptions
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")  # of columns of noise, left out
@every_check
def test_scikit_learn_is_satisfied(estimator: Any, check: Any) -> None:
    check(estimator)
