"""A small table with all that scikit-learn's own data lacks: strings, categories, missing cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from clearwood.estimators import ESTIMATORS
from clearwood.estimators.rules import RuleClassifier
from clearwood.estimators.trees import TreeEstimator

CLASSIFIERS = [name for name in ESTIMATORS if name.endswith("Classifier")]
TREES = [name for name, estimator in ESTIMATORS.items() if issubclass(estimator, TreeEstimator)]
RULES = [name for name, estimator in ESTIMATORS.items() if issubclass(estimator, RuleClassifier)]

# PRISM gives its first class every row that empty cells leave without a pure rule.
# Stumps that vote see no two columns at once.
RIGHT_AT_LEAST = {"PRISMClassifier": 0.6, "AdaBoostClassifier": 0.85, "OneRClassifier": 0.85}


def fruit(rows: int = 300) -> pd.DataFrame:
    """Colour (strings), size (an ordered category), weight (numbers), shelf (whole numbers); some missing."""
    draw = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "colour": draw.choice(["red", "green", "blue"], rows).astype(object),
            "size": pd.Categorical(draw.choice(["S", "M", "L"], rows), ["S", "M", "L"], ordered=True),
            "weight": draw.normal(size=rows),
            "shelf": draw.integers(0, 4, rows),
        }
    )
    frame.loc[::7, "colour"] = None
    frame.loc[::11, "size"] = None
    frame.loc[::5, "weight"] = np.nan
    return frame


def ripe(frame: pd.DataFrame) -> npt.NDArray[Any]:
    """Red, or heavy: "yes"; else "no"."""
    return np.where((frame["colour"] == "red") | (frame["weight"] > 0.5), "yes", "no")


def make(name: str, **settings: Any) -> Any:
    """The estimator, with CHAID loose enough for few rows."""
    loose = {"min_rows": 10, "min_leaf": 5} if name.startswith("CHAID") else {}
    return ESTIMATORS[name](**{**loose, **settings})


def target_for(name: str, labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return labels if name in CLASSIFIERS else (labels == "yes") * 2.0
