"""Scores of predicted numbers: how far the answers are off."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from clearwood.arrays import Floats
from clearwood.scoring.predictions import NumberPredictions, Predictions, summed_by_weight, weighted_mean
from clearwood.scoring.score import ScoreEntry, Stakes, WeighedScore
from clearwood.words.numbers import with_and


def rmse(predictions: NumberPredictions, _: Stakes) -> WeighedScore:
    """The root of the mean squared error."""
    mean = _mean_of(predictions, np.square)
    return WeighedScore(lambda weights: np.sqrt(mean.of(weights)), mean.why)


def mae(predictions: NumberPredictions, _: Stakes) -> WeighedScore:
    """The mean absolute error."""
    return _mean_of(predictions, np.abs)


def r2(predictions: NumberPredictions, _: Stakes) -> WeighedScore:
    """The part of the spread about the mean that the answers take away."""
    squared = _mean_of(predictions, np.square)
    known = ~np.isnan(predictions.answers)
    truth = predictions.truth[known]
    centred = truth - (truth.mean() if len(truth) else 0.0)  # so that squares of large numbers do not cancel

    def explained(weights: Floats) -> Floats:
        kept = weights[:, known]
        total = kept.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = summed_by_weight(kept, centred) / total
            spread = summed_by_weight(kept, centred**2) / total - mean**2
            return np.where(spread > 0, 1 - squared.of(weights) / spread, np.nan)

    if squared.why or not np.isnan(explained(predictions.weights[None])[0]):
        return WeighedScore(explained, squared.why)
    return WeighedScore(explained, "all true numbers are the same")


def pinball(predictions: NumberPredictions, _: Stakes) -> WeighedScore:
    """The mean loss of a predicted quantile; of means that of a median, half the MAE."""
    part = 0.5 if predictions.quantile is None else predictions.quantile
    return _mean_of(predictions, lambda error: np.maximum(part * error, (part - 1) * error))


def _mean_of(predictions: NumberPredictions, loss: Callable[[Floats], Floats]) -> WeighedScore:
    known = ~np.isnan(predictions.answers)
    lost = loss(predictions.truth[known] - predictions.answers[known])

    why = "" if (predictions.weights[known] > 0).any() else "no row was predicted"
    return WeighedScore(lambda weights: weighted_mean(weights[:, known], lost), why)


# Kinds of numbers that contenders predict: a mean and a quantile are not right by the same score.


def note_on_kinds(predictions: Mapping[str, Predictions | None], by: str, entry: ScoreEntry) -> list[str]:
    """Who predicts what, where one score judges means and quantiles, or quantiles by a score of means."""
    names: dict[float | None, list[str]] = {}
    for name, each in predictions.items():
        if isinstance(each, NumberPredictions):
            names.setdefault(each.quantile, []).append(name)
    if not names or (len(names) < 2 and (None in names or by not in ("rmse", "r2"))):
        return []
    kinds = [f"{_kind(quantile)} by {with_and(each)}" for quantile, each in names.items()]
    favoured = {"rmse": "means", "r2": "means", "mae": "medians"}.get(by, "the quantile that it is of")
    return [f"Predicted are {'; '.join(kinds)}: {entry.label} favours {favoured}."]


def _kind(quantile: float | None) -> str:
    if quantile is None:
        return "means"
    return "medians" if quantile == 0.5 else f"{quantile:g} quantiles"
