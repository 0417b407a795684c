"""Scores of answers: what follows from how often each class was answered for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.errors import SettingError
from clearwood.scoring import ScoreEntry, Stakes, WeighedScore
from clearwood.scoring.costs import Matrix
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import (
    ClassPredictions,
    NumberPredictions,
    Predictions,
    divided_or_nan,
    summed_by_weight,
    weighted_mean,
)
from clearwood.words.numbers import with_and


def accuracy(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The share of predicted rows whose prediction is correct."""
    answered = predictions.answers >= 0
    return _part(predictions, answered, predictions.truth == predictions.answers, "no row was predicted")


def balanced_accuracy(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The mean of the classes' recalls, of the classes that have rows."""
    counted = _counted(predictions)

    def mean(weights: Floats) -> Floats:
        counts = counted(weights)[0]
        return _mean_over_classes(divided_or_nan(_diagonal(counts), counts.sum(axis=2)))

    return _told(mean, predictions)


def recall(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The part of the positive class's answered rows that were predicted as it; of many classes the mean."""
    positive = positive_code(predictions, stakes)
    if positive is None:
        return balanced_accuracy(predictions, stakes)
    own = (predictions.truth == positive) & (predictions.answers >= 0)
    why = f"no predicted row is {predictions.classes[positive]}"
    return _part(predictions, own, predictions.answers == positive, why)


def precision(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The part of the rows predicted as the positive class that are of it; of many classes the mean over
    those that were predicted or have rows, where one that was never predicted counts 0."""
    positive = positive_code(predictions, stakes)
    if positive is not None:
        called = predictions.answers == positive
        why = f"no row was predicted as {predictions.classes[positive]}"
        return _part(predictions, called, predictions.truth == positive, why)
    counted = _counted(predictions)

    def mean(weights: Floats) -> Floats:
        counts, strange = counted(weights)
        right, called = _diagonal(counts), counts.sum(axis=1) + strange
        there = (called > 0) | (counts.sum(axis=2) > 0)
        precise = np.where(there, divided_or_nan(right, called, 0.0), np.nan)
        return _mean_over_classes(precise, predictions.classes)

    return _told(mean, predictions)


def f_beta(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """(1 + β²)·hits ÷ ((1 + β²)·hits + β²·missed + false alarms); of many classes the mean."""
    positive = positive_code(predictions, stakes)
    counted, square = _counted(predictions), stakes.beta**2

    def each_class(weights: Floats) -> Floats:
        counts, strange = counted(weights)
        hits = (1 + square) * _diagonal(counts)
        missed = counts.sum(axis=2) - _diagonal(counts)
        alarms = counts.sum(axis=1) + strange - _diagonal(counts)
        return divided_or_nan(hits, hits + square * missed + alarms)

    if positive is None:
        return _told(
            lambda weights: _mean_over_classes(each_class(weights), predictions.classes), predictions
        )
    place = positive
    why = f"no predicted row is {predictions.classes[place]}, nor was predicted as it"
    return _told(lambda weights: each_class(weights)[:, place], predictions, why)


def mcc(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """Matthews' correlation of truth and answer, by Gorodkin (2004) for many classes; 0 where the answers are
    all the same."""
    counted = _counted_with_unknown(predictions)

    def correlation(weights: Floats) -> Floats:
        counts = counted(weights)
        total = counts.sum(axis=(1, 2))
        true, called = counts.sum(axis=2), counts.sum(axis=1)
        together = _diagonal(counts).sum(axis=1) * total - (true * called).sum(axis=1)
        spread_true = total**2 - (true**2).sum(axis=1)
        spread_called = total**2 - (called**2).sum(axis=1)
        value = divided_or_nan(together, np.sqrt(np.maximum(spread_true * spread_called, 0.0)), 0.0)
        return np.where(spread_true > 0, value, np.nan)

    return _told(correlation, predictions, _ONE_CLASS)


def kappa(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """Cohen's kappa: how far the accuracy is above that of answers drawn by their own shares."""
    counted = _counted_with_unknown(predictions)

    def agreement(weights: Floats) -> Floats:
        counts = counted(weights)
        total = counts.sum(axis=(1, 2))
        by_chance = divided_or_nan((counts.sum(axis=1) * counts.sum(axis=2)).sum(axis=1), total**2)
        agreed = divided_or_nan(_diagonal(counts).sum(axis=1), total)
        return np.where(by_chance < 1, divided_or_nan(agreed - by_chance, 1 - by_chance), np.nan)

    return _told(agreement, predictions, _ONE_CLASS)


def cost(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What an answered row costs on average, of those whose class the model knows."""
    counted, paid = _counted(predictions), np.array(costs_asked(predictions, stakes))

    def mean(weights: Floats) -> Floats:
        counts = counted(weights)[0]
        return divided_or_nan((counts * paid).sum(axis=(1, 2)), counts.sum(axis=(1, 2)))

    return _told(mean, predictions)


def profit(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What a predicted row brings on average: its cost, the other way round."""
    costs = cost(predictions, stakes)
    return WeighedScore(lambda weights: -costs.of(weights), costs.why)


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


_ONE_CLASS = "all predicted rows are of one class"


def _part(predictions: ClassPredictions, whole: Bools, some: Bools, why: str) -> WeighedScore:
    counted, among = whole.astype(np.float64), (whole & some).astype(np.float64)
    there = bool((predictions.weights[whole] > 0).any())
    return WeighedScore(
        lambda weights: divided_or_nan(summed_by_weight(weights, among), summed_by_weight(weights, counted)),
        "" if there else why,
        part_of=whole,
    )


def _told(of: Callable[[Floats], Floats], predictions: ClassPredictions, why: str = "") -> WeighedScore:
    """A statistic, and why it is NaN if it is."""
    if not np.isnan(of(predictions.weights[None])[0]):
        return WeighedScore(of)
    answered = ((predictions.answers >= 0) & (predictions.truth >= 0) & (predictions.weights > 0)).any()
    return WeighedScore(of, why if answered and why else "no row of a known class was predicted")


def _counted(predictions: ClassPredictions) -> Callable[[Floats], tuple[Floats, Floats]]:
    """Weights [draw, row] → the answered rows [draw, true, predicted], and [draw, predicted] of those whose
    class the model does not know."""
    with_unknown, k = _counted_with_unknown(predictions), len(predictions.classes)

    def counts(weights: Floats) -> tuple[Floats, Floats]:
        table = with_unknown(weights)
        return table[:, :k, :k], table[:, k, :k]

    return counts


def _counted_with_unknown(predictions: ClassPredictions) -> Callable[[Floats], Floats]:
    """Weights [draw, row] → [draw, true, predicted]; the last class is all that the model doesn't know."""
    k = len(predictions.classes)
    answered = np.flatnonzero(predictions.answers >= 0)
    truth = predictions.truth[answered]
    cells = np.where(truth >= 0, truth, k) * (k + 1) + predictions.answers[answered]
    order = np.argsort(cells, kind="stable")
    rows, cells = answered[order], cells[order]
    starts = np.flatnonzero(np.append(True, np.diff(cells) != 0)) if len(cells) else np.zeros(0, np.int64)

    def counts(weights: Floats) -> Floats:
        table = np.zeros((len(weights), (k + 1) ** 2))
        if len(rows):
            table[:, cells[starts]] = np.add.reduceat(weights[:, rows], starts, axis=1)
        return table.reshape(-1, k + 1, k + 1)

    return counts


def _diagonal(counts: Floats) -> Floats:
    return np.asarray(np.diagonal(counts, axis1=1, axis2=2))


def _mean_over_classes(figures: Floats, classes: tuple[str, ...] = ()) -> Floats:
    """[draw, class] → [draw], over the classes that have a figure; no answer is not one of them."""
    known = ~np.isnan(figures)
    if classes and classes[-1] == NOTHING:
        known[:, -1] = False
    return divided_or_nan(np.where(known, figures, 0.0).sum(axis=1), known.sum(axis=1).astype(np.float64))


# Rows left unanswered, where contenders are compared: they count as wrong, and all have the same rows.


NOTHING: Final = "(nothing)"  # as a class that no row is of


def counting_all_rows(predictions: Predictions, entry: ScoreEntry) -> Predictions:
    """The predictions with every row answered: no answer is one that is never right. Refuses what has no
    value of such a row: a cost, an error, shares where there are none."""
    if isinstance(predictions, NumberPredictions):
        if np.isnan(predictions.answers).any():
            raise SettingError(_sentence(predictions, entry))
        return predictions
    silent = predictions.answers < 0
    if not silent.any():
        return predictions
    if entry.of == "shares":
        if (predictions.shares[silent & (predictions.truth >= 0)].sum(axis=1) <= 0).any():
            raise SettingError(_sentence(predictions, entry))
        # The answers are not judged: the largest share stands for them.
        return replace(
            predictions, answers=np.where(silent, predictions.shares.argmax(axis=1), predictions.answers)
        )
    if entry.interval == "cost":
        raise SettingError(_sentence(predictions, entry))
    k = len(predictions.classes)
    return replace(
        predictions,
        classes=(*predictions.classes, NOTHING),
        answers=np.where(silent, k, predictions.answers),
        shares=np.column_stack([predictions.shares, np.zeros(len(predictions))]),
        costs=(),
    )


def part_answered(predictions: Predictions) -> float:
    """The part of the rows that got an answer, by weight; 1 of none."""
    if isinstance(predictions, ClassPredictions):
        answered = predictions.answers >= 0
    else:
        answered = ~np.isnan(predictions.answers)
    total = float(predictions.weights.sum())
    return float(predictions.weights[answered].sum()) / total if total > 0 and not answered.all() else 1.0


def note_on_unanswered(answered: Mapping[str, float], entry: ScoreEntry) -> list[str]:
    """What must be known where a contender answers a part of the rows only, by name."""
    some = [f"{name} predicts {100 * part:.1f} %" for name, part in answered.items() if part < 1]
    if not some:
        return []
    how = (
        "rows without a prediction count as wrong"
        if entry.of == "answers"
        else "the others by their probabilities"
    )
    return [f"Of the rows {', '.join(some)}; {how}."]


def _sentence(predictions: Predictions, entry: ScoreEntry) -> str:
    left = 100 * (1 - part_answered(predictions))
    way_out = "" if isinstance(predictions, NumberPredictions) else ", or take accuracy"
    return (
        f"It leaves {left:.1f} % of the rows without a prediction, and their {entry.label} is not known: "
        "it cannot "
        f"be compared by that. Let it predict all rows{way_out}."
    )


# Scores of predicted numbers: how far the answers are off.


def rmse(predictions: NumberPredictions, _: Stakes) -> WeighedScore:
    """The root of the mean squared error."""
    mean = _mean_loss(predictions, np.square)
    return WeighedScore(lambda weights: np.sqrt(mean.of(weights)), mean.why)


def mae(predictions: NumberPredictions, _: Stakes) -> WeighedScore:
    """The mean absolute error."""
    return _mean_loss(predictions, np.abs)


def r2(predictions: NumberPredictions, _: Stakes) -> WeighedScore:
    """The part of the spread about the mean that the answers take away."""
    squared = _mean_loss(predictions, np.square)
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
    return _mean_loss(predictions, lambda error: np.maximum(part * error, (part - 1) * error))


def _mean_loss(predictions: NumberPredictions, loss: Callable[[Floats], Floats]) -> WeighedScore:
    known = ~np.isnan(predictions.answers)
    lost = loss(predictions.truth[known] - predictions.answers[known])

    why = "" if (predictions.weights[known] > 0).any() else "no row was predicted"
    return WeighedScore(lambda weights: weighted_mean(weights[:, known], lost), why)


# Kinds of numbers that contenders predict: a mean and a quantile are not right by the same score.


def note_on_kinds(predictions: Mapping[str, Predictions | None], by: str, entry: ScoreEntry) -> list[str]:
    """Who predicts what, where one score judges means and quantiles, or quantiles by a score of means."""
    names: dict[str, list[str]] = {}
    for name, each in predictions.items():
        if isinstance(each, NumberPredictions):
            q = each.quantile
            kind = "means" if q is None else "medians" if q == 0.5 else f"{q:g} quantiles"
            names.setdefault(kind, []).append(name)
    if not names or (len(names) < 2 and ("means" in names or by not in ("rmse", "r2"))):
        return []
    kinds = [f"{kind} by {with_and(each)}" for kind, each in names.items()]
    favoured = {"rmse": "means", "r2": "means", "mae": "medians"}.get(by, "the quantile that it is of")
    return [f"Predicted are {'; '.join(kinds)}: {entry.label} favours {favoured}."]
