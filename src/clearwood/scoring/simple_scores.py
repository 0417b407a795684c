"""Scores that are counted at once: accuracy, expected cost, RMSE and MAE, quantile loss."""

from __future__ import annotations

import numpy as np

from clearwood.scoring.costs import Matrix
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions
from clearwood.scoring.score import Stakes


def accuracy(predictions: ClassPredictions, _: Stakes) -> float:
    """The part of the answered rows whose answer is true."""
    return predictions.evaluation.accuracy


def cost_per_row(predictions: ClassPredictions, stakes: Stakes) -> float:
    """What an answered row costs on average, of those whose class the model knows."""
    paid = np.array(costs_asked(predictions, stakes))
    counted = np.array(predictions.evaluation.confusion)
    total = float(counted.sum())
    return float((counted * paid).sum()) / total if total > 0 else float("nan")


def costs_asked(predictions: ClassPredictions, stakes: Stakes) -> Matrix:
    """The costs [true class, predicted class] to judge by: those asked for, else the model's, else 1 each."""
    classes = predictions.classes
    if stakes.costs is None:
        ones = tuple(tuple(float(true != called) for called in classes) for true in classes)
        return predictions.costs or ones
    given = stakes.costs
    return tuple(
        tuple(float(given.get((true, called), true != called)) for called in classes) for true in classes
    )


def rmse(predictions: NumberPredictions, _: Stakes) -> float:
    """The root of the mean squared error."""
    return predictions.evaluation.rmse


def mae(predictions: NumberPredictions, _: Stakes) -> float:
    """The mean absolute error."""
    return predictions.evaluation.mae


def r2(predictions: NumberPredictions, _: Stakes) -> float:
    """The part of the spread about the mean that the answers take away."""
    return predictions.evaluation.r2


def quantile_loss(predictions: NumberPredictions, _: Stakes) -> float:
    """The mean pinball loss of a predicted quantile; of means it is that of medians."""
    if predictions.quantile is None:
        return predictions.evaluation.mae / 2
    return predictions.evaluation.quantile_loss
