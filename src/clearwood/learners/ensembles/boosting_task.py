"""What gradient boosting learns from: coded columns, target, weights, held-out rows; and the loss's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats
from clearwood.counting.coding import CodedColumns
from clearwood.counting.ties import own_log
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.table.table import Column

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
    """The rows and what is asked of them; the scores, which move, are beside it."""

    codes: CodedColumns
    loss: BoostingLoss
    target: Column  # [row] int32 codes, or float64
    weights: Floats | None  # [row]; None: all 1
    held: Bools | None  # [row] is it held out? None: none is
    scores: int  # how many each row has
    monotone: tuple[int, ...]  # [column] 1: more is never less; −1; 0: free
    together: tuple[tuple[int, ...], ...]  # columns that may stand on one path; none: all may
    quantile: float = 0.5

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
            counts = _sums(target, weights, max(self.scores, 2))
            shares = np.maximum(
                counts[: max(self.scores, 1 + (self.loss == "logistic"))] / counts.sum(), _LEAST_SHARE
            )
            logs = own_log(shares)
            return (float(logs[1] - logs[0]),) if self.loss == "logistic" else tuple(logs.tolist())
        if self.loss in ("absolute", "quantile"):
            return (weighted_quantile(target, weights, self.part),)
        nothing = np.zeros(len(target), dtype=np.int64)
        mean = float(_sums(nothing, weights * target, 1)[0] / _sums(nothing, weights, 1)[0])
        return (
            (float(own_log(np.array([max(mean, _LEAST_SHARE)]))[0]),) if self.loss == "poisson" else (mean,)
        )

    @property
    def part(self) -> float:
        """Which quantile a leaf's step is, where it is one."""
        return self.quantile if self.loss == "quantile" else 0.5


@dataclass(frozen=True, slots=True)
class BoostedGrowth:
    """How a tree is grown: the settings that each round needs."""

    rate: float
    max_depth: int | None
    leaves: int | None
    min_child: float
    l2: float
    l1: float
    gamma: float
    min_value: float  # rows of a nominal value at a node below which it is not grouped
    fine: bool  # units so small that sums equal those of floating point to 1e-11: of exact cuts


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


def _sums(place: npt.NDArray[Any], weights: Floats, size: int) -> Floats:
    return np.bincount(place, weights, size).astype(np.float64)
