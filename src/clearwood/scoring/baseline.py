"""The baseline: what every row gets from who knows nothing of it but how often the answers come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.model import Model
from clearwood.models.predicted import predicted_quantile
from clearwood.models.profile import QUANTILES, NumbersProfile, ValuesProfile
from clearwood.records import dataclass
from clearwood.scoring.positive import weights_of_classes
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.words.numbers import amount, percent_to

RowsOf: TypeAlias = Literal["training rows", "these rows"]


@dataclass(frozen=True, slots=True)
class ConstantClasses:
    """Every row gets the commonest class, and the classes' shares."""

    classes: tuple[str, ...]
    shares: tuple[float, ...]
    of: RowsOf

    @property
    def commonest(self) -> int:
        """The position of the class that is answered; of equally common ones the first."""
        return int(np.argmax(self.shares))

    def cheapest(self, costs: Floats) -> int:
        """The position of the class that costs [true class, predicted class] least by the shares, first of
        equals: what is answered where answers have costs.

        >>> ConstantClasses(("bad", "good"), (0.3, 0.7), "training rows").cheapest(np.array([[0, 5], [1, 0]]))
        0
        """
        return int(np.argmin(np.array(self.shares) @ costs))

    def __str__(self) -> str:
        most = self.commonest
        return f"always {self.classes[most]}, {percent_to(self.shares[most])} of the {rows_in_words(self.of)}"


@dataclass(frozen=True, slots=True)
class ConstantNumber:
    """Every row gets the mean, or the quantile that is predicted."""

    number: float
    quantile: float | None
    of: RowsOf

    def __str__(self) -> str:
        what = "mean" if self.quantile is None else f"{self.quantile:g} quantile"
        rows = rows_in_words(self.of)
        return f"always {amount(self.number)}, the {'median' if self.quantile == 0.5 else what} of the {rows}"


Baseline: TypeAlias = ConstantClasses | ConstantNumber


def rows_in_words(of: RowsOf) -> str:
    """Which rows a baseline is of, as a sentence names them."""
    return "training rows" if of == "training rows" else "rows evaluated"


def baseline_of(model: Model | None, predictions: Predictions) -> Baseline:
    """Of the training rows where the model's profile tells of them, else of the rows judged."""
    known = None if model is None else _of_training(model)
    if known is not None:
        return known
    if isinstance(predictions, ClassPredictions):
        return constant_classes(predictions.classes, weights_of_classes(predictions), "these rows")
    return ConstantNumber(
        _middle(predictions.truth, predictions.weights, predictions.quantile),
        predictions.quantile,
        "these rows",
    )


def constant_classes(
    classes: tuple[str, ...], weights: Floats | Sequence[float], of: RowsOf
) -> ConstantClasses:
    """The baseline of classes that come so often."""
    weights = np.asarray(weights, dtype=np.float64)
    total = float(weights.sum())
    shares = weights / total if total > 0 else np.full(len(classes), 1 / max(1, len(classes)))
    return ConstantClasses(classes, tuple(shares.tolist()), of)


def baseline_predictions(
    baseline: Baseline, predictions: Predictions, costs: Floats | None = None
) -> Predictions:
    """What the baseline gives the same rows; with costs [true, predicted] it answers the cheapest class."""
    rows = len(predictions)
    if isinstance(predictions, NumberPredictions):
        assert isinstance(baseline, ConstantNumber)
        return replace(predictions, answers=np.full(rows, baseline.number))
    assert isinstance(baseline, ConstantClasses)
    shares = np.array(baseline.shares)
    answer = baseline.commonest if costs is None else baseline.cheapest(costs)
    return replace(
        predictions,
        answers=np.full(rows, answer, dtype=np.int64),
        shares=np.repeat(shares[None], rows, axis=0),
    )


def _of_training(model: Model) -> Baseline | None:
    target = model.schema.target
    column = None if model.profile is None or target is None else model.profile.columns.get(target.name)
    if isinstance(column, ValuesProfile) and sum(column.counts) > 0:
        return constant_classes(model.schema.classes, column.counts, "training rows")
    if isinstance(column, NumbersProfile) and column.mean is not None:
        quantile = predicted_quantile(model)
        if quantile is None:
            return ConstantNumber(column.mean, None, "training rows")
        if column.quantiles:
            at = np.interp(quantile, np.arange(QUANTILES) / (QUANTILES - 1), column.quantiles)
            return ConstantNumber(float(at), quantile, "training rows")
    return None


def _middle(numbers: Floats, weights: Floats, quantile: float | None) -> float:
    total = float(weights.sum())
    if not total > 0:
        return float("nan")
    if quantile is None:
        return float(numbers @ weights) / total
    order = np.argsort(numbers, kind="stable")
    reached = np.cumsum(weights[order])
    return float(numbers[order][min(int(np.searchsorted(reached, quantile * total)), len(order) - 1)])
