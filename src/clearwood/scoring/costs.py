"""Expected cost: what a row's answer costs on average, beside the best constant answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.inference import wilson
from clearwood.records import dataclass

Matrix: TypeAlias = tuple[tuple[float, ...], ...]

_CERTAIN: Final = 1 - 1e-12  # a share of 1 has no odds
_LESS: Final = 0.15  # of a row, by which the lower end of what is dear allows for whole rows
_SEVERAL: Final = 8  # of fewer rows it is less
_MANY: Final = 11  # of so many nothing


@dataclass(frozen=True, slots=True)
class ExpectedCost:
    """The mean cost of a row with its interval at 95 %, and that of the cheapest class given to every row.

    >>> print(expected_cost(("bad", "good"), ((64.0, 11.0), (84.0, 91.0)), ((0.0, 5.0), (1.0, 0.0))))
    expected cost 0.556 per row (95 % interval 0.452 to 0.723); always predicting bad: 0.7
    """

    per_row: float
    interval: tuple[float, float]
    constant: str
    constant_per_row: float

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"expected cost {self.per_row:.3g} per row (95 % interval {low:.3g} to {high:.3g});"
            f" always predicting {self.constant}: {self.constant_per_row:.3g}"
        )


def expected_cost(
    classes: Sequence[str], confusion: Matrix, costs: Matrix, rows: float | None = None
) -> ExpectedCost | None:
    """Of weights and costs [true class, predicted class]; None where no row was answered.

    `rows` is the number of rows that the weights speak for: their sum unless given. The interval is put
    together from Wilson's of each cost that occurs (see `cost_intervals`); where every mistake costs 1 it is
    that of the error rate.
    """
    counts, paid = np.array(confusion), np.array(costs)
    total = float(counts.sum())
    if not total > 0:
        return None
    mean = float((counts * paid).sum()) / total
    always = counts.sum(axis=1) @ paid / total
    cheapest = int(always.argmin())
    levels, of = np.unique(paid, return_inverse=True)
    shares = np.bincount(of.ravel(), counts.ravel() / total, minlength=len(levels))
    low, high = cost_intervals(levels, shares.astype(np.float64)[:, None], total if rows is None else rows)
    return ExpectedCost(mean, (float(low[0]), float(high[0])), classes[cheapest], float(always[cheapest]))


def cost_intervals(levels: Floats, shares: Floats, rows: float | Floats) -> tuple[Floats, Floats]:
    """[mean] 95 % intervals of mean costs, by the costs that there are, rising, and the shares [cost, mean]
    of the rows that pay each; `rows` is how many each mean is of.

    They are put together from Wilson's of the shares, as Zou (2007) does it for dependent estimates: a dear
    mistake that is rare, or was not seen at all, counts with what it plausibly costs, however little the
    costs seen differ.

    >>> low, high = cost_intervals(np.array([0.0, 1.0, 20.0]), np.array([[0.9], [0.1], [0.0]]), 200)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.066], [0.48])
    """
    columns = np.arange(shares.shape[1])
    commonest = shares.argmax(axis=0)  # what the others are more or less than
    more = levels[:, None] - levels[commonest]
    of = np.broadcast_to(rows, shares.shape)
    low, high = wilson(shares * rows, of)
    # Of a few dear mistakes Wilson's lower end is at times too high, and 92 to 93 of 100 intervals hold.
    away = np.abs(more)
    dear = away > np.where(away > 0, away, np.inf).min(axis=0)
    seen = shares * rows
    less = _LESS * np.clip(np.minimum(seen / _SEVERAL, (_MANY - seen) / (_MANY - _SEVERAL)), 0.0, 1.0)
    low = np.where(dear, wilson(seen - less, of)[0], low)
    certain = np.minimum(shares, _CERTAIN)
    odds = np.sqrt(certain / (1 - certain))
    odds[commonest, columns] = 0.0

    def reach(ends: Floats) -> Floats:
        # Shares of one whole are correlated by −√(odds · odds).
        apart = more * ends
        shared = (odds * apart).sum(axis=0) ** 2 - ((odds * apart) ** 2).sum(axis=0)
        return np.asarray(np.sqrt(np.maximum((apart**2).sum(axis=0) - shared, 0.0)))

    above, below = np.maximum(high - shares, 0.0), np.maximum(shares - low, 0.0)
    means = levels @ shares
    least = means - reach(np.where(more > 0, below, above))
    greatest = means + reach(np.where(more > 0, above, below))
    return np.maximum(least, levels[0]), np.minimum(greatest, levels[-1])
