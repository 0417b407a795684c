"""Gradients: where the loss falls at the present scores and how it bends there, in whole units; plainly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.ties import own_exp, own_log
from clearwood.learners.ensembles.boosting_task import BoostedGrowth, BoostingTask, Losses

_STRETCH: Final = 4096  # rows added up by themselves
_LANES: Final = 8
_PACKED_BITS: Final = 17
_UNEVEN: Final = 64
_FEW: Final = 16384  # rows for which packed halves bring nothing
_LEAST_BEND: Final = 1e-16
_POISSON_BEND: Final = 2.0137527074704766  # e to the 0.7


def answers_of(task: BoostingTask, scores: Floats) -> tuple[Floats, Floats]:
    """[score, row] shares or numbers, and [row] the loss."""
    y = task.target
    match task.loss:
        case "logistic":
            z = own_exp(-np.abs(scores[0]))
            one = 1.0 / (1.0 + z)
            against = np.where(y != 0, -scores[0], scores[0])
            return np.where(scores >= 0, one, z * one), np.maximum(against, 0.0) + own_log(1.0 + z)
        case "softmax":
            most = scores.max(axis=0)
            parts = own_exp(scores - most)
            total = np.cumsum(parts, axis=0)[-1]
            own = np.take_along_axis(scores, y[None, :].astype(np.int64), 0)[0] - most
            return parts / total, own_log(total) - own
        case "poisson":
            mean = own_exp(scores)
            log_y = own_log(np.maximum(y, 1e-300))
            return mean, 2.0 * (np.where(y > 0, y * (log_y - scores[0]), 0.0) - (y - mean[0]))
        case "squared":
            return scores.copy(), (scores[0] - y) * (scores[0] - y)
        case "absolute":
            return scores.copy(), np.abs(scores[0] - y)
        case "quantile":
            over = scores[0] - y
            return scores.copy(), np.where(over > 0, (1.0 - task.quantile) * over, -task.quantile * over)


def losses_of(task: BoostingTask, losses: Floats) -> Losses:
    """Sums of loss and weight, of the rows learned from and of those held out."""
    here = task.learning
    weights = np.ones(len(losses)) if task.weights is None else task.weights
    nothing = np.zeros(len(losses))
    return (
        _sum(np.where(here, weights * losses, nothing)), _sum(np.where(here, weights, nothing)),
        _sum(np.where(here, nothing, weights * losses)), _sum(np.where(here, nothing, weights)),
    )  # fmt: skip


def _sum(values: Floats) -> float:
    """Added in lanes and stretches, as native code does on any number of threads."""
    total = 0.0
    for begin in range(0, len(values), _STRETCH):
        part = values[begin : begin + _STRETCH]
        lanes = np.zeros(-(-len(part) // _LANES) * _LANES)
        lanes[: len(part)] = part
        a = np.cumsum(lanes.reshape(-1, _LANES), axis=0)[-1].tolist()
        total += ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))
    return total


def slopes(task: BoostingTask, score: int, answer: Floats) -> tuple[Floats, Floats]:
    """[row] gradient and second derivative, times the weight."""
    y, ones = task.target, np.ones(len(answer))
    weights = ones if task.weights is None else task.weights
    match task.loss:
        case "logistic":
            g, h = answer - y, np.maximum(answer * (1.0 - answer), _LEAST_BEND)
        case "softmax":
            g, h = answer - (y == score), np.maximum(2.0 * answer * (1.0 - answer), _LEAST_BEND)
        case "squared":
            g, h = answer - y, ones
        case "absolute":
            g, h = np.sign(answer - y), ones
        case "quantile":
            g = np.where(answer > y, 1.0 - task.quantile, np.where(answer < y, -task.quantile, 0.0))
            h = ones
        case "poisson":
            g, h = answer - y, answer * _POISSON_BEND
    return weights * g, weights * h


@dataclass(frozen=True, slots=True, eq=False)
class WholeGradients:
    """Derivatives of the rows, in units that are powers of two."""

    g: Longs  # [row], in units
    h: Longs
    unit_g: float
    unit_h: float


def in_units(task: BoostingTask, growth: BoostedGrowth, g: Floats, h: Floats) -> WholeGradients:
    """Rounded to units so fine that a sum of packed halves holds them, or finer where sizes differ much."""
    here = task.learning
    learning = int(here.sum())
    size_g, size_h = np.where(here, np.abs(g), 0.0), np.where(here, h, 0.0)
    most_g, most_h = float(size_g.max()), float(size_h.max())
    coarse = (
        growth.fine
        or learning < _FEW
        or _sum(size_g) * _UNEVEN < most_g * learning
        or _sum(size_h) * _UNEVEN < most_h * learning
    )
    bits = min(40, 62 - learning.bit_length()) if coarse else _PACKED_BITS
    powers = math.frexp(most_g)[1] - bits, math.frexp(most_h)[1] - bits
    whole_g = np.rint(np.where(here, g, 0.0) * 2.0 ** -powers[0]).astype(np.int64)
    whole_h = np.rint(np.where(here, h, 0.0) * 2.0 ** -powers[1]).astype(np.int64)
    return WholeGradients(whole_g, whole_h, 2.0 ** powers[0], 2.0 ** powers[1])
