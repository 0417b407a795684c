"""The calibration line: by which slope and intercept would the log odds of the shares be right?"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.score import Stakes, WeighedScore
from clearwood.scoring.share_scores import judged_rows
from clearwood.scoring.weighing import summed_by_weight, weights_of_rows

_LEAST: Final = 1e-6  # shares of 0 and 1 have no log odds: they are taken for this, and for 1 less it
_STEPS: Final = 60
_AGAIN: Final = 8  # steps from the line of all rows to that of a resample
_MANY: Final = 2_000  # rows
_NEAR: Final = 1e-7
_STEEPEST: Final = 1e3


def calibration_slope(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The slope of a logistic regression of the positive class on the log odds of its share (Cox 1958): 1
    where the shares are right, less where they are too extreme, more where too timid."""
    return _line(predictions, stakes, "slope")


def calibration_intercept(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What must be added to all log odds, with a slope of 1, so that the class comes as often as the shares
    say: below 0 the shares are too large, above 0 too small."""
    return _line(predictions, stakes, "intercept")


def slope_and_error(predictions: ClassPredictions, stakes: Stakes) -> tuple[float, float]:
    """The slope with its standard error by the curvature of the likelihood; NaN where rows cannot tell.

    >>> import clearwood as cw
    >>> from clearwood.scoring.predictions import predictions_of
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> given = predictions_of(cw.NaiveBayes().learn(days), days)
    >>> [round(each, 2) for each in slope_and_error(given, Stakes("Yes"))]
    [2.38, 1.25]
    """
    line = calibration_slope(predictions, stakes)
    if line.why:
        return np.nan, np.nan
    positive = positive_code(predictions, stakes)
    rows = judged_rows(predictions)
    own = predictions.truth[rows] == positive
    share = np.clip(predictions.shares[rows, positive], _LEAST, 1 - _LEAST)
    odds, weights = np.log(share / (1 - share)), predictions.weights[rows][None]
    base = float(weights[0] @ own) / float(weights.sum())
    found = _newton(np.array([[np.log(base / (1 - base)), 0.0]]), odds, own, weights, _STEPS, True)
    _, _, h_00, h_01, h_11 = (float(each[0]) for each in _sums(found, odds, own.astype(np.float64), weights))
    within = h_00 * h_11 - h_01**2
    return float(found[0, 1]), float(np.sqrt(h_00 / within)) if within > 0 else np.nan


def _line(predictions: ClassPredictions, stakes: Stakes, part: Literal["slope", "intercept"]) -> WeighedScore:
    positive = positive_code(predictions, stakes)
    if positive is None:
        return _untold("of more than two classes it is about one: name the positive class")
    rows = judged_rows(predictions)
    own = predictions.truth[rows] == positive
    if not own.any() or own.all():
        return _untold("the rows whose probabilities can be evaluated are all of one class")
    share = np.clip(predictions.shares[rows, positive], _LEAST, 1 - _LEAST)
    odds = np.log(share / (1 - share))
    sloped = part == "slope"
    if sloped and not np.ptp(odds) > 0:
        return _untold("all rows have the same probability")
    weighed = predictions.weights[rows]
    base = float(weighed @ own) / float(weighed.sum())
    start = np.array([[np.log(base / (1 - base)), 0.0] if sloped else [0.0, 1.0]])
    begin = _newton(start, odds, own, weighed[None], _STEPS, sloped)
    if not np.isfinite(begin).all() or abs(begin[0, 1]) > _STEEPEST:
        return _untold("the probabilities separate the classes, so that no slope is steep enough")

    again = _AGAIN if len(rows) < _MANY else 2  # each step squares an error of the order of 1/√rows

    def of(weights: Floats) -> Floats:
        lines = _newton(begin, odds, own, weights_of_rows(weights, rows), again, sloped)
        steep = np.abs(lines[:, 1]) > _STEEPEST
        return np.where(steep, np.nan, lines[:, 1 if sloped else 0])

    return WeighedScore(of)


def _newton(line: Floats, odds: Floats, own: Bools, weights: Floats, steps: int, sloped: bool) -> Floats:
    """Newton's steps from one line to the likeliest intercept and slope [draw, 2] under each weighting."""
    target = own.astype(np.float64)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            error, tilt, h_00, h_01, h_11 = _sums(line, odds, target, weights)
            if sloped:
                det = h_00 * h_11 - h_01**2
                step = np.stack([h_11 * error - h_01 * tilt, h_00 * tilt - h_01 * error], 1) / det[:, None]
            else:
                step = np.stack([error / h_00, np.zeros(len(weights))], 1)
            line = line + np.clip(step, -5.0, 5.0)
            if not np.nanmax(np.abs(step), initial=0.0) > _NEAR:
                break
    return line


def _sums(line: Floats, odds: Floats, target: Floats, weights: Floats) -> list[Floats]:
    """The sums over the rows [draw] that a step needs: gradient and curvature of the log likelihood."""
    share = 1 / (1 + np.exp(-(line[:, :1] + line[:, 1:] * odds)))
    if len(line) == 1:  # the same line for all draws: their weights are all that differs
        error, curve = target - share[0], share[0] * (1 - share[0])
        parts = np.stack([error, error * odds, curve, curve * odds, curve * odds**2], 1)
        return [summed_by_weight(weights, parts[:, k]) for k in range(5)]
    curve = weights * (share - share * share)
    error = weights * (target - share)
    tilted = curve * odds
    return [
        error.sum(axis=1),
        summed_by_weight(error, odds),
        curve.sum(axis=1),
        tilted.sum(axis=1),
        summed_by_weight(tilted, odds),
    ]


def _untold(why: str) -> WeighedScore:
    return WeighedScore(lambda weights: np.full(len(weights), np.nan), why)
