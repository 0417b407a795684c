"""Classifiers whose shares are counts of training rows, which may be smoothed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from clearwood.arrays import Floats
from clearwood.estimators.classifier import Classifier
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.predict import shares
from clearwood.predict.answers import ShareSmoothing, check_smoothing


@dataclass(kw_only=True, eq=False, repr=False)
class SmoothedClassifier(Classifier):
    """`smoothing` ("laplace", or m for the m-estimate) is for the probabilities alone and never changes what
    is predicted."""

    smoothing: ShareSmoothing = None

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803 (scikit-learn's name)
        """[row, class] the share of each class, smoothed, in the order of `classes_`."""
        return self._answers(partial(shares, smoothing=self.smoothing), X)

    def _learner(self, classes: Sequence[Any] = ()) -> Learner[Model]:
        check_smoothing(self.smoothing)
        return super()._learner(classes)
