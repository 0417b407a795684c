"""A model that predicts classes, under scikit-learn's contract for classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from clearwood.errors import SchemaError
from clearwood.estimators.class_weights import weigh_classes
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.inputs import inputs_to_learn, meaning_of_weights
from clearwood.estimators.settings import by_column
from clearwood.models.nodes import Floats
from clearwood.predict import predict_codes, shares
from clearwood.table.raw import Codes
from clearwood.table.x_y import code_labels, learn_table


@dataclass(kw_only=True, eq=False, repr=False)
class Classifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """`class_weight` multiplies the rows' weights."""

    class_weight: Mapping[Any, float] | str | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn the model. Strings, categories and missing values are taken as they are."""
        raw, labels, weights = inputs_to_learn(self, X, y, sample_weight)
        classes, codes = classes_of(labels)
        learner = self._learner(classes.tolist())
        table = learn_table(
            raw,
            codes,
            weights=weigh_classes(self.class_weight, classes, codes, weights),
            kinds=by_column(self.kinds, raw.names),
            ordered=by_column(self.ordered, raw.names),
            classes=classes,
            weights_are=meaning_of_weights(self, weights),
        )
        self.model_ = self._learned(learner, table)
        self.classes_ = classes
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """[row] the class of each row: the most probable, or with `costs` the one of least expected cost."""
        codes = predict_codes(*self._model_and_rows(X))
        found: npt.NDArray[Any] = self.classes_[codes]
        return found

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] the share of each class, in the order of `classes_`."""
        return shares(*self._model_and_rows(X))

    def predict_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] the logarithms of the probabilities; −inf where one is 0."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs


def classes_of(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Codes]:
    """The classes in y, sorted, and each row's position among them; no numbers with fractions."""
    classes, codes = code_labels(labels)
    if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
        example = classes[classes != np.floor(classes)][0]
        raise SchemaError(
            f"Unknown label type: continuous. y holds numbers such as {example}, which are no classes. "
            "Take CARTRegressor or CHAIDRegressor, or make them text."
        )
    return classes, codes
