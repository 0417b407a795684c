"""A model that predicts classes, under scikit-learn's contract for classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from clearwood.arrays import Floats
from clearwood.errors import SchemaError
from clearwood.estimators.class_weights import weigh_classes
from clearwood.estimators.estimator import Estimator
from clearwood.estimators.inputs import inputs_to_learn, meaning_of_weights, training_table
from clearwood.predict import predict_codes, shares
from clearwood.table.raw import Codes
from clearwood.table.x_y import code_labels


@dataclass(kw_only=True, eq=False, repr=False)
class EvenClassifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """What every classifier does; its classes weigh what their rows do."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Learn the model. Strings, categories and missing values are taken as they are."""
        columns, labels, weights = inputs_to_learn(self, X, y, sample_weight)
        classes, codes = classes_of(labels)
        learner = self._learner(classes.tolist())
        table = training_table(
            self,
            columns,
            codes,
            classes=classes,
            weights=weigh_classes(self._factors(), classes, codes, weights),
            weights_are=meaning_of_weights(self, weights),
        )
        self.model_ = self._learned(learner, table)
        self.classes_ = classes
        return self

    def _factors(self) -> Mapping[Any, float] | str | None:
        """What the weights of each class's rows are multiplied by."""
        return None

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """[row] the class of each row: the most probable, or with `costs` the one of least expected cost."""
        codes = self._answers(predict_codes, X)
        labels: npt.NDArray[Any] = self.classes_[codes]
        return labels

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] the share of each class, in the order of `classes_`."""
        return self._answers(shares, X)

    def predict_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """[row, class] the logarithms of the probabilities; −inf where one is 0."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs


@dataclass(kw_only=True, eq=False, repr=False)
class Classifier(EvenClassifier):
    """`class_weight` multiplies the rows' weights."""

    class_weight: Mapping[Any, float] | str | None = None

    def _factors(self) -> Mapping[Any, float] | str | None:
        return self.class_weight


def one_or_each(scores: Floats) -> Floats:
    """scikit-learn's form of a decision: of two classes [row] the second's score less the first's."""
    if scores.shape[1] != 2:
        return scores
    difference: Floats = scores[:, 1] - scores[:, 0]
    return difference


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
