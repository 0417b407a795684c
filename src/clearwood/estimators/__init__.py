"""scikit-learn's contract over the learners. A new estimator is a file here and a line in the registry below.

from clearwood.estimators import C45Classifier
C45Classifier().fit(X, y).predict_proba(X)
"""

from __future__ import annotations

from typing import Final

from clearwood.errors import MissingExtraError

try:
    import sklearn as _sklearn  # noqa: F401
except ModuleNotFoundError:
    raise MissingExtraError(
        "The estimators follow scikit-learn's contract; install it: pip install 'clearwood[sklearn]'"
    ) from None

from clearwood.estimators.bayes import NaiveBayesClassifier
from clearwood.estimators.boosting import BoostingClassifier, BoostingRegressor
from clearwood.estimators.c45 import C45Classifier
from clearwood.estimators.c45_rules import C45RulesClassifier
from clearwood.estimators.cart import CARTClassifier, CARTRegressor
from clearwood.estimators.chaid import CHAIDClassifier, CHAIDRegressor
from clearwood.estimators.classifier import Classifier
from clearwood.estimators.cn2 import CN2Classifier
from clearwood.estimators.ensembles import AdaBoostClassifier, BaggingClassifier, BaggingRegressor
from clearwood.estimators.forest import ForestClassifier, ForestRegressor
from clearwood.estimators.gam import GAMClassifier, GAMRegressor
from clearwood.estimators.id3 import ID3Classifier
from clearwood.estimators.ila import ILAClassifier
from clearwood.estimators.logistic import LogisticClassifier
from clearwood.estimators.mca import MCATransformer
from clearwood.estimators.prism import PRISMClassifier
from clearwood.estimators.regressor import Regressor
from clearwood.estimators.ripper import RIPPERClassifier
from clearwood.estimators.text_bayes import TextBayesClassifier
from clearwood.estimators.tree_rules import TreeRulesClassifier

ESTIMATORS: Final[dict[str, type[Classifier] | type[Regressor]]] = {
    "ID3Classifier": ID3Classifier,
    "C45Classifier": C45Classifier,
    "CARTClassifier": CARTClassifier,
    "CARTRegressor": CARTRegressor,
    "CHAIDClassifier": CHAIDClassifier,
    "CHAIDRegressor": CHAIDRegressor,
    "ForestClassifier": ForestClassifier,
    "ForestRegressor": ForestRegressor,
    "ILAClassifier": ILAClassifier,
    "CN2Classifier": CN2Classifier,
    "PRISMClassifier": PRISMClassifier,
    "RIPPERClassifier": RIPPERClassifier,
    "C45RulesClassifier": C45RulesClassifier,
    "TreeRulesClassifier": TreeRulesClassifier,
    "NaiveBayesClassifier": NaiveBayesClassifier,
    "LogisticClassifier": LogisticClassifier,
    "BoostingClassifier": BoostingClassifier,
    "BoostingRegressor": BoostingRegressor,
    "GAMClassifier": GAMClassifier,
    "GAMRegressor": GAMRegressor,
    "BaggingClassifier": BaggingClassifier,
    "BaggingRegressor": BaggingRegressor,
    "AdaBoostClassifier": AdaBoostClassifier,
}

__all__ = [
    "ESTIMATORS",
    "AdaBoostClassifier",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostingClassifier",
    "BoostingRegressor",
    "C45Classifier",
    "C45RulesClassifier",
    "CARTClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CHAIDRegressor",
    "CN2Classifier",
    "ForestClassifier",
    "ForestRegressor",
    "GAMClassifier",
    "GAMRegressor",
    "ID3Classifier",
    "ILAClassifier",
    "LogisticClassifier",
    "MCATransformer",
    "NaiveBayesClassifier",
    "PRISMClassifier",
    "RIPPERClassifier",
    "TextBayesClassifier",
    "TreeRulesClassifier",
]
