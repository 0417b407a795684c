"""A model that predicts numbers, under scikit-learn's contract for regressors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin

from clearwood.errors import SchemaError
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.inputs import inputs_to_learn, meaning_of_weights
from clearwood.estimators.settings import by_column
from clearwood.predict import predict
from clearwood.table.x_y import learn_table


@dataclass(kw_only=True, eq=False, repr=False)
class Regressor(RegressorMixin, Estimator):  # type: ignore[misc]
    """Every row gets one number."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn the model. Strings, categories and missing values of X are taken as they are."""
        raw, numbers, weights = inputs_to_learn(self, X, y, sample_weight)
        table = learn_table(
            raw,
            _numbers(numbers),
            weights=weights,
            kinds=by_column(self.kinds, raw.names),
            ordered=by_column(self.ordered, raw.names),
            numeric=True,
            weights_are=meaning_of_weights(self, weights),
        )
        self.model_ = self._learned(self._learner(), table)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """[row] the number that the model says of each row."""
        return self._answers(predict, X)


def _numbers(y: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if y.dtype.kind in "fiub":
        return y
    if y.dtype.kind != "O" or any(isinstance(each, str) for each in y.tolist()):
        raise SchemaError(
            "y holds text, and this estimator predicts numbers. Convert y, or take a classifier."
        )
    return y.astype(np.float64)
