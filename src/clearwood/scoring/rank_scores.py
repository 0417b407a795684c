"""Scores of rankings: do the rows of a class get larger shares of it than the others?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.score import Stakes, WeighedScore
from clearwood.scoring.share_scores import judged_rows
from clearwood.scoring.weighing import divided_or_nan, weights_of_rows


@dataclass(frozen=True, slots=True, eq=False)
class RankedRows:
    """Rows from the largest share of a class down; those of equal share are one step."""

    rows: Longs  # [place] positions among the predictions
    own: Bools  # [place] is the row of the class?
    starts: Longs  # [step] the place of its first row

    def steps(self, weights: Floats) -> tuple[Floats, Floats]:
        """Weights [draw, row] → those of the class's own rows and of the others, [draw, step]."""
        ordered = weights_of_rows(weights, self.rows)
        own = ordered * self.own
        if len(self.starts) == len(self.rows):  # no two shares are equal
            return own, ordered - own
        summed = np.add.reduceat(own, self.starts, axis=1)
        return summed, np.add.reduceat(ordered, self.starts, axis=1) - summed


def ranking(shares: Floats, own: Bools, rows: Longs) -> RankedRows:
    """Rank these rows by their share."""
    order = np.argsort(-shares, kind="stable")
    ordered = shares[order]
    return RankedRows(rows[order], own[order], np.flatnonzero(np.append(True, np.diff(ordered) != 0)))


def auc(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """How often a row of the positive class has a larger share of it than another row, equal ones counting
    half; of many classes the mean over the classes, each against the rest."""
    return _of_class(predictions, stakes, _area)


def auc_hand_till(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The mean over all pairs of classes of how well the shares of both tell their rows apart (Hand and Till
    2001); of two classes the AUC."""
    judged = judged_rows(predictions)
    truth = predictions.truth[judged]
    areas = []
    for pair in combinations(range(len(predictions.classes)), 2):
        rows = judged[np.isin(truth, pair)]
        own = [predictions.truth[rows] == each for each in pair]
        if own[0].any() and own[1].any():
            areas += [ranking(predictions.shares[rows, each], own[i], rows) for i, each in enumerate(pair)]
    return _mean_of(areas, _area, predictions, _ONE_CLASS)


def average_precision(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The precision at each step of the ranking, weighed by the recall that the step adds; of many classes
    the mean over the classes, each against the rest."""
    return _of_class(predictions, stakes, _average_precision)


def kolmogorov_smirnov(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The largest distance by which the recall is ahead of the false positive rate, over all cutoffs."""
    return _of_class(predictions, stakes, _distance)


def lift_at(predictions: ClassPredictions, stakes: Stakes, *, at: float) -> WeighedScore:
    """How many times as often the class comes among the rows with the largest shares as among all."""
    gained = gain_at(predictions, stakes, at=at)
    return WeighedScore(lambda weights: gained.of(weights) / at, gained.why)


def gain_at(predictions: ClassPredictions, stakes: Stakes, *, at: float) -> WeighedScore:
    """The part of the class's rows that are among the rows with the largest shares.

    Of rows with equal shares the part that is still missing is taken, as it would be on average in any order.
    """

    def reached(own: Floats, others: Floats) -> Floats:
        step = own + others
        before = np.cumsum(step, axis=1) - step
        missing = at * step.sum(axis=1, keepdims=True) - before
        taken = np.divide(np.clip(missing, 0.0, step), step, out=np.zeros_like(step), where=step > 0)
        return divided_or_nan((own * taken).sum(axis=1), own.sum(axis=1))

    return _of_class(predictions, stakes, reached)


_OfSteps = Callable[[Floats, Floats], Floats]  # own and other weights [draw, step] → [draw]

_ONE_CLASS = "the rows whose probabilities can be evaluated are all of one class"


def _of_class(predictions: ClassPredictions, stakes: Stakes, figure: _OfSteps) -> WeighedScore:
    """Of the positive class against the rest; of many classes the mean over all that have rows and others."""
    positive = positive_code(predictions, stakes)
    judged = judged_rows(predictions)
    truth = predictions.truth[judged]
    wanted = range(len(predictions.classes)) if positive is None else [positive]
    ranked = [
        ranking(predictions.shares[judged, each], truth == each, judged)
        for each in wanted
        if (truth == each).any() and (truth != each).any()
    ]
    why = _ONE_CLASS
    if positive is not None and (truth >= 0).any() and not (truth == positive).any():
        why = f"no row whose probabilities can be evaluated is {predictions.classes[positive]}"
    return _mean_of(ranked, figure, predictions, why)


def _mean_of(
    ranked: list[RankedRows], figure: _OfSteps, predictions: ClassPredictions, why: str
) -> WeighedScore:
    def mean(weights: Floats) -> Floats:
        if not ranked:
            return np.full(len(weights), np.nan)
        return np.asarray(sum(figure(*each.steps(weights)) for each in ranked) / len(ranked))

    return WeighedScore(mean, "" if not np.isnan(mean(predictions.weights[None])[0]) else why)


def _area(own: Floats, others: Floats) -> Floats:
    # Of the others, those further down and half of those of equal share.
    below = others.sum(axis=1, keepdims=True) - np.cumsum(others, axis=1) + others / 2
    return divided_or_nan((own * below).sum(axis=1), own.sum(axis=1) * others.sum(axis=1))


def _average_precision(own: Floats, others: Floats) -> Floats:
    hits, called = np.cumsum(own, axis=1), np.cumsum(own + others, axis=1)
    precise = np.divide(hits, called, out=np.zeros_like(hits), where=called > 0)
    return divided_or_nan((own * precise).sum(axis=1), hits[:, -1])


def _distance(own: Floats, others: Floats) -> Floats:
    hits, alarms = np.cumsum(own, axis=1), np.cumsum(others, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ahead = hits / hits[:, -1:] - alarms / alarms[:, -1:]
    return np.where(np.isnan(ahead[:, 0]), np.nan, np.maximum(ahead.max(axis=1), 0.0))
