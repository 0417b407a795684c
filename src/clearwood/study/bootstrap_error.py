"""The .632+ estimate: the error on rows that were not drawn, moved towards that on the training rows.

A sample of rows drawn with replacement has 63.2 % of the different ones, so that models of samples are worse
than one of all rows. The correction weighs both errors by how much the learner overfits (Efron and Tibshirani
1997).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.records import dataclass, json_of
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions, predictions_of
from clearwood.table.table import Table, as_counts

_DRAWN: Final = 1 - np.exp(-1.0)  # the part of the rows in a large sample: .632


@dataclass(frozen=True, slots=True)
class BootstrapError:
    """The part of wrong answers (of numbers the mean squared error) on rows not drawn, on the training rows,
    and where answers had nothing to do with the truth."""

    not_drawn: float
    training: float
    no_information: float
    squared: bool = False

    @property
    def overfitting(self) -> float:
        """From 0, none, to 1: as if there were nothing to learn."""
        reach = self.no_information - self.training
        return float(np.clip((self._bounded - self.training) / reach, 0, 1)) if reach > 0 else 0.0

    @property
    def estimate(self) -> float:
        """The .632+ estimate."""
        weight = _DRAWN / (1 - (1 - _DRAWN) * self.overfitting)
        return float((1 - weight) * self.training + weight * self._bounded)

    @property
    def plain(self) -> float:
        """The .632 estimate, without regard to overfitting."""
        return float((1 - _DRAWN) * self.training + _DRAWN * self.not_drawn)

    @property
    def _bounded(self) -> float:
        return min(self.not_drawn, self.no_information) if self.not_drawn > self.training else self.not_drawn

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, estimate_632_plus=self.estimate)

    @property
    def phrase(self) -> str:
        """The estimate on the scale of the scores."""
        if self.squared:
            return f"by the .632+ estimate {self.estimate**0.5:.4g} (root mean square)"
        return f"by the .632+ estimate accuracy {100 * (1 - self.estimate):.1f} %"

    def __str__(self) -> str:
        what = "squared error" if self.squared else "error"
        return (
            f".632+ estimate of the {what} {self.estimate:.4g}: on rows not drawn {self.not_drawn:.4g}, on "
            f"the training rows {self.training:.4g}, without information {self.no_information:.4g}, relative "
            f"overfitting {self.overfitting:.2f}"
        )


def bootstrap_error(learner: Learner[Model], table: Table, not_drawn: Predictions) -> BootstrapError:
    """Of the predictions of rows not drawn, each row counted once; the learner learns all rows once more."""
    return error_from(predictions_of(learner.learn(table), as_counts(table)), not_drawn)


def error_from(training: Predictions, not_drawn: Predictions) -> BootstrapError:
    """Of what a model of all rows gives them, and of the predictions of rows not drawn."""
    return BootstrapError(
        _mean_error(not_drawn),
        _mean_error(training),
        _no_information(training),
        isinstance(training, NumberPredictions),
    )


def _mean_error(predictions: Predictions) -> float:
    if isinstance(predictions, ClassPredictions):
        return 1 - predictions.evaluation.accuracy
    return predictions.evaluation.rmse**2


def _no_information(predictions: Predictions) -> float:
    """The error of the answers, each beside every truth."""
    weights = predictions.weights
    if isinstance(predictions, NumberPredictions):
        known = ~np.isnan(predictions.answers)
        y, answers, w = predictions.truth[known], predictions.answers[known], weights[known]
        mean_y, mean_a = _mean(y, w), _mean(answers, w)
        return _mean((y - mean_y) ** 2, w) + _mean((answers - mean_a) ** 2, w) + (mean_y - mean_a) ** 2
    answered = predictions.answers >= 0
    width = len(predictions.classes)
    known = answered & (predictions.truth >= 0)
    true = np.bincount(predictions.truth[known], weights[known], minlength=width)
    called = np.bincount(predictions.answers[answered], weights[answered], minlength=width)
    total = float(weights[answered].sum())
    return float(1 - (true / total) @ (called / total)) if total > 0 else float("nan")


def _mean(values: Floats, weights: Floats) -> float:
    return float(values @ weights / weights.sum()) if len(values) else float("nan")
