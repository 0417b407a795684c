"""The calibration line: by which slope and intercept would the log odds of the shares be right?"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.scoring.positive import positive_code
from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.score import Statistic, Stakes
from clearwood.scoring.share_scores import judged_rows

_LEAST: Final = 1e-6  # shares of 0 and 1 have no log odds: they are taken for this, and for 1 less it
_STEPS: Final = 60
_AGAIN: Final = 8  # steps from the line of all rows to that of a resample
_NEAR: Final = 1e-9
_STEEPEST: Final = 1e3


def calibration_slope(predictions: ClassPredictions, stakes: Stakes) -> Statistic:
    """The slope of a logistic regression of the positive class on the log odds of its share (Cox 1958): 1
    where the shares are right, less where they are too extreme, more where too timid."""
    return _line(predictions, stakes, "slope")


def calibration_intercept(predictions: ClassPredictions, stakes: Stakes) -> Statistic:
    """What must be added to all log odds, with a slope of 1, so that the class comes as often as the shares
    say: below 0 the shares are too large, above 0 too small."""
    return _line(predictions, stakes, "intercept")


def _line(
    predictions: ClassPredictions, stakes: Stakes, part: Literal["slope", "intercept"]
) -> Statistic:
    positive = positive_code(predictions, stakes)
    if positive is None:
        return _untold("of more than two classes it is about one: name the positive class")
    rows = judged_rows(predictions)
    own = predictions.truth[rows] == positive
    if not own.any() or own.all():
        return _untold("the rows whose shares can be judged are all of one class")
    share = np.clip(predictions.shares[rows, positive], _LEAST, 1 - _LEAST)
    odds = np.log(share / (1 - share))
    sloped = part == "slope"
    if sloped and not np.ptp(odds) > 0:
        return _untold("all rows have the same share")
    weighed = predictions.weights[rows]
    base = float(weighed @ own) / float(weighed.sum())
    start = np.array([[np.log(base / (1 - base)), 0.0] if sloped else [0.0, 1.0]])
    begin = _newton(start, odds, own, weighed[None], _STEPS, sloped)
    if not np.isfinite(begin).all() or abs(begin[0, 1]) > _STEEPEST:
        return _untold("the shares separate the classes, so that no slope is steep enough")

    def of(weights: Floats) -> Floats:
        lines = _newton(np.repeat(begin, len(weights), axis=0), odds, own, weights[:, rows], _AGAIN, sloped)
        steep = np.abs(lines[:, 1]) > _STEEPEST
        return np.where(steep, np.nan, lines[:, 1 if sloped else 0])

    return Statistic(of)


def _newton(line: Floats, odds: Floats, own: Bools, weights: Floats, steps: int, sloped: bool) -> Floats:
    """Newton's steps to the likeliest intercept and slope [draw, 2] under each weighting."""
    target = own.astype(np.float64)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            share = 1 / (1 + np.exp(-(line[:, :1] + line[:, 1:] * odds)))
            error = weights * (target - share)
            curve = weights * share * (1 - share)
            slope_0, h_00 = error.sum(axis=1), curve.sum(axis=1)
            if sloped:
                slope_1, h_01, h_11 = error @ odds, curve @ odds, curve @ odds**2
                det = h_00 * h_11 - h_01**2
                step = np.stack([h_11 * slope_0 - h_01 * slope_1, h_00 * slope_1 - h_01 * slope_0], 1)
                step /= det[:, None]
            else:
                step = np.stack([slope_0 / h_00, np.zeros(len(line))], 1)
            line = line + np.clip(step, -5.0, 5.0)
            if not np.nanmax(np.abs(step), initial=0.0) > _NEAR:
                break
    return line


def _untold(why: str) -> Statistic:
    return Statistic(lambda weights: np.full(len(weights), np.nan), why)
