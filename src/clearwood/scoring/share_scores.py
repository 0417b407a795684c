"""Scores of shares: how dear are surprises, and how far are the shares from what comes true?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.scoring.predictions import ClassPredictions, summed_by_weight, weighted_mean, weights_of_rows
from clearwood.scoring.score import Stakes, WeighedScore

_LEAST: Final = float(np.finfo(np.float64).eps)  # a share of 0 is taken for this, as calibration does
_BINS: Final = 10


def log_loss(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The mean of −ln(probability of the true class)."""
    rows = judged_rows(predictions)
    own = predictions.shares[rows, predictions.truth[rows]]
    return _mean(rows, -np.log(np.clip(own, _LEAST, 1.0 - _LEAST)))


def brier(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The mean square of share − truth: of one class where there are two, else summed over the classes."""
    rows = judged_rows(predictions)
    return _mean(rows, _squares(predictions, rows))


def brier_reliability(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The part of the Brier score that comes from shares that are off: Σ weight · (share − observed)², over
    groups of rows of about equal share."""
    return _by_groups(predictions, "reliability")


def brier_resolution(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """What telling rows apart takes off the Brier score: Brier = reliability − resolution + uncertainty.

    Murphy (1973) has Σ weight · (observed − base rate)² over groups of equal shares. Where a group has
    several shares, what they tell within it counts as well (Stephenson, Coelho and Jolliffe 2008), so that
    the three always add up.
    """
    return _by_groups(predictions, "resolution")


def brier_uncertainty(predictions: ClassPredictions, _: Stakes) -> WeighedScore:
    """The Brier score of the classes' own shares among these rows: base rate · (1 − base rate)."""
    return _by_groups(predictions, "uncertainty")


def _by_groups(predictions: ClassPredictions, part: str) -> WeighedScore:
    rows = judged_rows(predictions)
    squares = _squares(predictions, rows)
    truth, shares = predictions.truth[rows], predictions.shares[rows]
    classes = [1] if len(predictions.classes) == 2 else list(range(len(predictions.classes)))
    grouped = [_groups(shares[:, each], predictions.weights[rows]) for each in classes]

    def of(weights: Floats) -> Floats:
        kept = weights_of_rows(weights, rows)
        total = kept.sum(axis=1)
        off, base = np.zeros(len(kept)), np.zeros(len(kept))
        with np.errstate(invalid="ignore", divide="ignore"):
            for each, (order, starts) in zip(classes, grouped, strict=True):
                ordered = kept[:, order]
                own = (truth[order] == each).astype(np.float64)
                inside = np.add.reduceat(ordered, starts, axis=1)
                observed = np.add.reduceat(ordered * own, starts, axis=1) / inside
                given = np.add.reduceat(ordered * shares[order, each], starts, axis=1) / inside
                off += np.where(inside > 0, inside * (given - observed) ** 2, 0.0).sum(axis=1)
                rate = summed_by_weight(ordered, own) / total
                base += rate * (1 - rate)
            parts = {"reliability": off / total, "uncertainty": base}
            parts["resolution"] = parts["reliability"] + base - summed_by_weight(kept, squares) / total
        return np.where(total > 0, parts[part], np.nan)

    return _told(of, rows)


def _groups(shares: Floats, weights: Floats) -> tuple[Longs, Longs]:
    """Rows in the order of their shares, and where each group begins: a group for every share, or of more
    than ten shares ten groups of about equal weight, where rows of one share stay together."""
    order = np.argsort(shares, kind="stable")
    new = np.append(True, np.diff(shares[order]) != 0) if len(shares) else np.zeros(0, np.bool_)
    starts = np.flatnonzero(new)
    if len(starts) > _BINS:
        before = np.cumsum(weights[order]) - weights[order]
        at = np.searchsorted(before[starts], np.arange(_BINS) / _BINS * float(weights.sum()), side="right")
        starts = starts[np.unique(np.maximum(at - 1, 0))]
    return order, starts


def _squares(predictions: ClassPredictions, rows: Longs) -> Floats:
    off = predictions.shares[rows] - (predictions.truth[rows][:, None] == np.arange(len(predictions.classes)))
    two = len(predictions.classes) == 2
    return np.asarray(off[:, -1] ** 2 if two else (off**2).sum(axis=1))


def _mean(rows: Longs, losses: Floats) -> WeighedScore:
    return _told(lambda weights: weighted_mean(weights_of_rows(weights, rows), losses), rows)


def _told(of: Callable[[Floats], Floats], rows: Longs) -> WeighedScore:
    return WeighedScore(of, "" if len(rows) else _NONE)


_NONE: Final = "no row has probabilities and a class that the model knows"


def judged_rows(predictions: ClassPredictions) -> Longs:
    """The rows by which shares can be judged."""
    judged = (predictions.truth >= 0) & (predictions.shares.sum(axis=1) > 0) & (predictions.weights > 0)
    return np.flatnonzero(judged)
