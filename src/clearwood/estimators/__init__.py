"""scikit-learn's contract over the learners. A new estimator is a class beside its family, and a name in the
list below; `make stubs` then writes `__init__.pyi`, the parameters as editors and type checkers see them.

from clearwood.estimators import C45Classifier
C45Classifier().fit(X, y).predict_proba(X)
"""

from __future__ import annotations

from clearwood.errors import MissingExtraError

try:
    import sklearn as _sklearn  # noqa: F401
except ModuleNotFoundError:
    raise MissingExtraError(
        "The estimators follow scikit-learn's contract; install it: pip install 'clearwood[sklearn]'"
    ) from None

from clearwood.estimators.bayes import NaiveBayesClassifier, TextBayesClassifier
from clearwood.estimators.ensembles import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    BoostingClassifier,
    BoostingRegressor,
    ForestClassifier,
    ForestRegressor,
    GAMClassifier,
    GAMRegressor,
)
from clearwood.estimators.logistic import LogisticClassifier
from clearwood.estimators.mca import MCATransformer
from clearwood.estimators.rules import (
    C45RulesClassifier,
    CN2Classifier,
    ILAClassifier,
    OneRClassifier,
    PRISMClassifier,
    RIPPERClassifier,
    TreeRulesClassifier,
)
from clearwood.estimators.trees import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    ID3Classifier,
)

ESTIMATORS = {
    each.__name__: each
    for each in (
        *(ID3Classifier, C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, CHAIDRegressor),
        *(ForestClassifier, ForestRegressor),
        *(
            ILAClassifier,
            CN2Classifier,
            PRISMClassifier,
            OneRClassifier,
            RIPPERClassifier,
            C45RulesClassifier,
        ),
        *(TreeRulesClassifier, NaiveBayesClassifier, LogisticClassifier),
        *(BoostingClassifier, BoostingRegressor, GAMClassifier, GAMRegressor),
        *(BaggingClassifier, BaggingRegressor, AdaBoostClassifier),
    )
}
__all__ = ["ESTIMATORS", "MCATransformer", "TextBayesClassifier", *ESTIMATORS]
