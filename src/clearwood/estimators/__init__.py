"""scikit-learn's contract over the learners. A new estimator is a file here and a line in the registry below.

from clearwood.estimators import C45Classifier
C45Classifier().fit(X, y).predict_proba(X)
"""

from __future__ import annotations

from typing import Final

from clearwood.errors import MissingExtraError

try:
    import sklearn as _sklearn  # type: ignore[import-untyped]  # noqa: F401
except ModuleNotFoundError:
    raise MissingExtraError(
        "The estimators follow scikit-learn's contract; install it: pip install 'clearwood[sklearn]'"
    ) from None

from clearwood.estimators.c45 import C45Classifier
from clearwood.estimators.cart import CARTClassifier, CARTRegressor
from clearwood.estimators.chaid import CHAIDClassifier, CHAIDRegressor
from clearwood.estimators.classifier import Classifier
from clearwood.estimators.id3 import ID3Classifier
from clearwood.estimators.regressor import Regressor

ESTIMATORS: Final[dict[str, type[Classifier] | type[Regressor]]] = {
    "ID3Classifier": ID3Classifier,
    "C45Classifier": C45Classifier,
    "CARTClassifier": CARTClassifier,
    "CARTRegressor": CARTRegressor,
    "CHAIDClassifier": CHAIDClassifier,
    "CHAIDRegressor": CHAIDRegressor,
}

__all__ = [
    "ESTIMATORS",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "CHAIDClassifier",
    "CHAIDRegressor",
    "ID3Classifier",
]
