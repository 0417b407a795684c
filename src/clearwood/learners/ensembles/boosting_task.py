"""What gradient boosting learns from: rows, loss and held-out rows; and the loss's gradients, plainly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Longs
from clearwood.counting.coding import CodedColumns
from clearwood.counting.ties import own_exp, own_log
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.table.table import Column

if TYPE_CHECKING:
    from clearwood.learners.ensembles.boosting import Boosting

BoostingLoss: TypeAlias = Literal["logistic", "softmax", "squared", "absolute", "quantile", "poisson"]
Losses: TypeAlias = tuple[float, float, float, float]  # sums of loss and weight: learning rows, held-out rows
Sample: TypeAlias = npt.NDArray[np.uint32] | None  # rows to learn from, ascending; None: all of them

LINK: Final[dict[BoostingLoss, Link]] = {
    "logistic": "logistic", "softmax": "softmax", "squared": "identity", "absolute": "identity",
    "quantile": "identity", "poisson": "exp",
}  # fmt: skip
SCORE: Final[dict[BoostingLoss, str]] = {
    "logistic": "log loss", "softmax": "log loss", "squared": "squared error", "absolute": "absolute error",
    "quantile": "quantile loss", "poisson": "Poisson deviance",
}  # fmt: skip
_LEAST_SHARE: Final = 1e-9  # of a class without rows, or of a mean of 0: its logarithm is finite


@dataclass(frozen=True, slots=True, eq=False)
class BoostingTask:
    """The rows, what is asked of them, and the learner's settings; the scores, which move, are beside it."""

    settings: Boosting
    codes: CodedColumns
    loss: BoostingLoss
    target: Column  # [row] int32 codes, or float64
    weights: Floats | None  # [row]; None: all 1
    held: Bools | None  # [row] is it held out? None: none is
    scores: int  # how many each row has
    monotone: tuple[int, ...]  # [column] 1: more is never less; −1; 0: free
    together: tuple[tuple[int, ...], ...]  # columns that may stand on one path; none: all may

    @property
    def classes(self) -> bool:
        return self.loss in ("logistic", "softmax")

    @property
    def learning(self) -> Bools:
        """[row] is it learned from?"""
        return np.ones(self.codes.rows, dtype=np.bool_) if self.held is None else ~self.held

    def base(self) -> tuple[float, ...]:
        """[score] the constant with the least loss: log odds, log priors, mean, median, log of the mean."""
        here = self.learning
        target = self.target[here]
        weights = np.ones(len(target)) if self.weights is None else self.weights[here]
        if self.classes:
            counts = np.bincount(target, weights, 2 if self.loss == "logistic" else self.scores)
            logs = own_log(np.maximum(counts / counts.sum(), _LEAST_SHARE))
            return (float(logs[1] - logs[0]),) if self.loss == "logistic" else tuple(logs.tolist())
        if self.loss in ("absolute", "quantile"):
            return (weighted_quantile(target, weights, self.part),)
        nothing = np.zeros(len(target), dtype=np.int64)  # so that sums are made in the order of rows
        mean = float(np.bincount(nothing, weights * target)[0] / np.bincount(nothing, weights)[0])
        if self.loss == "poisson":
            mean = float(own_log(np.array([max(mean, _LEAST_SHARE)]))[0])
        return (mean,)

    def native(self) -> tuple[str, Column | None, Column | None, Floats | None, npt.NDArray[np.uint8] | None]:
        """The loss and the rows as native code takes them."""
        target = (self.target, None) if self.classes else (None, self.target)
        return self.loss, *target, self.weights, None if self.held is None else self.held.view(np.uint8)

    @property
    def part(self) -> float:
        """Which quantile a leaf's step is, where it is one."""
        return self.settings.quantile if self.loss == "quantile" else 0.5


def weighted_quantile(values: Floats, weights: Floats, part: float) -> float:
    """The value that this part of the weight lies at or below; midway to the next where it does so exactly.

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0, 9.0]), np.ones(4), 0.5)
    2.5
    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 5.0]), 0.5)
    2.0
    """
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    if not len(below):
        return 0.0
    aim = part * below[-1]
    place = min(int(np.searchsorted(below, aim, side="left")), len(below) - 1)
    value = float(values[order[place]])
    if below[place] == aim and place + 1 < len(below):
        return 0.5 * value + 0.5 * float(values[order[place + 1]])
    return value


# Gradients: where the loss falls at the present scores and how it bends there, in whole units; plainly.


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
            over, part = scores[0] - y, task.part
            return scores.copy(), np.where(over > 0, (1.0 - part) * over, -part * over)


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
            g = np.where(answer > y, 1.0 - task.part, np.where(answer < y, -task.part, 0.0))
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


def in_units(task: BoostingTask, g: Floats, h: Floats) -> WholeGradients:
    """Rounded to units so fine that a sum of packed halves holds them, or finer where sizes differ much."""
    here = task.learning
    learning = int(here.sum())
    size_g, size_h = np.where(here, np.abs(g), 0.0), np.where(here, h, 0.0)
    most_g, most_h = float(size_g.max()), float(size_h.max())
    coarse = (
        task.settings.bins == "exact"  # whose sums are to equal those of floating point to 1e-11
        or learning < _FEW
        or _sum(size_g) * _UNEVEN < most_g * learning
        or _sum(size_h) * _UNEVEN < most_h * learning
    )
    bits = min(40, 62 - learning.bit_length()) if coarse else _PACKED_BITS
    powers = math.frexp(most_g)[1] - bits, math.frexp(most_h)[1] - bits
    whole_g = np.rint(np.where(here, g, 0.0) * 2.0 ** -powers[0]).astype(np.int64)
    whole_h = np.rint(np.where(here, h, 0.0) * 2.0 ** -powers[1]).astype(np.int64)
    return WholeGradients(whole_g, whole_h, 2.0 ** powers[0], 2.0 ** powers[1])
