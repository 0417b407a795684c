"""A tree that predicts numbers, under scikit-learn's contract for regressors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin  # type: ignore[import-untyped]

from clearwood.errors import SchemaError
from clearwood.estimators.estimator import TreeEstimator
from clearwood.estimators.inputs import inputs_to_learn
from clearwood.estimators.settings import by_column, learner_of
from clearwood.predict import predict
from clearwood.table.x_y import learn_table


@dataclass(kw_only=True, eq=False, repr=False)
class TreeRegressor(RegressorMixin, TreeEstimator):  # type: ignore[misc]
    """Every leaf answers with one number: the mean of its rows, or their median for absolute error."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn the tree. Strings, categories and missing values of X are taken as they are."""
        raw, numbers, weights = inputs_to_learn(self, X, y, sample_weight)
        table = learn_table(
            raw,
            _numbers(numbers),
            weights=weights,
            kinds=by_column(self.kinds, raw.names),
            ordered=by_column(self.ordered, raw.names),
            numeric=True,
        )
        self.tree_ = learner_of(self, self.LEARNER).learn(table)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """[row] the number of the leaf each row ends in."""
        return predict(*self._tree_and_rows(X))


def _numbers(y: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if y.dtype.kind in "fiub":
        return y
    if y.dtype.kind != "O" or any(isinstance(each, str) for each in y.tolist()):
        raise SchemaError(
            "y holds text, and this estimator predicts numbers. Convert y, or take a classifier."
        )
    return y.astype(np.float64)
