"""Platt's calibration: a logistic curve over the log odds of a class's shares, one class against the rest."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.models.decision import Platt
from clearwood.predict.deciding import held_log_odds

_MOST_STEPS: Final = 100
_FLAT: Final = 1e-10  # a slope of the loss per row that is level


def platt_of(shares: Floats, own: Bools, weights: Floats) -> Platt:
    """The curves for shares and what came true, both [row, class], fitted by Newton's method.

    Targets are Platt's (1999): of n₊ rows of the class each is (n₊ + 1) ÷ (n₊ + 2) true, of n₋ others
    1 ÷ (n₋ + 2). A share is held as far from 0 and 1 as the target of n rows of one kind would be,
    1 ÷ (n + 2), so that pure leaves do not bend the curve for all the others. A class without rows, or
    without others, keeps its shares.

    >>> shares = np.repeat([[0.9, 0.1], [0.1, 0.9]], 10, axis=0)
    >>> truth = np.array(([True] * 7 + [False] * 3) + ([False] * 7 + [True] * 3))
    >>> curve = platt_of(shares, np.stack([truth, ~truth], axis=1), np.ones(20))
    >>> [round(each, 3) for each in curve.slopes]  # 0.9 becomes 2 ⁄ 3: (7 · 11 ⁄ 12 + 3 · 1 ⁄ 12) ÷ 10
    [0.315, 0.315]
    """
    total = float(weights.sum())
    least = 1.0 / (total + 2.0)
    odds = held_log_odds(shares, least)
    pairs = [_curve(odds[:, c], own[:, c], weights) for c in range(shares.shape[1])]
    return Platt(tuple(slope for slope, _ in pairs), tuple(start for _, start in pairs), least)


def _curve(odds: Floats, own: Bools, weights: Floats) -> tuple[float, float]:
    """Slope and intercept of least cross entropy with the targets."""
    positive, negative = float(weights[own].sum()), float(weights[~own].sum())
    if not (positive > 0 and negative > 0):
        return 1.0, 0.0
    targets = np.where(own, (positive + 1) / (positive + 2), 1 / (negative + 2))
    total = positive + negative
    weights = weights / total
    middle = float(weights @ odds)
    spread = float(np.sqrt(weights @ (odds - middle) ** 2))
    mean = float(weights @ targets)
    level = float(np.log(mean) - np.log1p(-mean))
    if not spread > 1e-12 * (1 + abs(middle)):
        return 0.0, level  # one share for all: it becomes how often the class comes true
    scaled = (odds - middle) / spread  # so that both directions curve alike
    at = np.array([0.0, level])
    loss = _loss(at, scaled, targets, weights)
    for _ in range(_MOST_STEPS):
        share = _logistic(at[0] * scaled + at[1])
        off = weights * (share - targets)
        slope = np.array([off @ scaled, off.sum()])
        if np.abs(slope).max() <= _FLAT:
            break
        curve = weights * share * (1.0 - share)
        mixed = float(curve @ scaled)
        # Far out the loss is as good as straight: a little more curvature keeps the step finite.
        bend = np.array([[float(curve @ scaled**2) + 1e-12, mixed], [mixed, float(curve.sum()) + 1e-12]])
        step = np.linalg.solve(bend, slope)
        part = 1.0
        while part > 1e-10:
            tried = at - part * step
            lower = _loss(tried, scaled, targets, weights)
            if lower <= loss - 1e-4 * part * float(slope @ step):
                break
            part /= 2
        else:
            break  # rounding: no step lowers the loss
        at, loss = tried, lower
    steep = float(at[0]) / spread
    return steep, float(at[1]) - steep * middle


def _loss(at: Floats, odds: Floats, targets: Floats, weights: Floats) -> float:
    line = at[0] * odds + at[1]
    return float(weights @ (np.logaddexp(0.0, line) - targets * line))


def _logistic(line: Floats) -> Floats:
    with np.errstate(over="ignore"):
        share: Floats = 1.0 / (1.0 + np.exp(-line))
    return share
