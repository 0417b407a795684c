"""Expected cost: what a row's answer costs on average, beside the best constant answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.bounds import LARGEST_COST
from clearwood.measures.wilson import wilson
from clearwood.models.decision import Cutoff, Decision
from clearwood.words.numbers import number

Matrix: TypeAlias = tuple[tuple[float, ...], ...]

_LEAST_SPREAD: Final = 0.05  # equal costs of a few rows are no proof that the next row costs the same


@dataclass(frozen=True, slots=True)
class ExpectedCost:
    """The mean cost of a row with its interval at 95 %, and that of the cheapest class given to every row.

    >>> print(expected_cost(("bad", "good"), ((64.0, 11.0), (84.0, 91.0)), ((0.0, 5.0), (1.0, 0.0))))
    expected cost 0.556 per row (95 % interval 0.438 to 0.701); always answering bad: 0.7
    """

    per_row: float
    interval: tuple[float, float]
    constant: str
    constant_per_row: float

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"expected cost {self.per_row:.3g} per row (95 % interval {low:.3g} to {high:.3g});"
            f" always answering {self.constant}: {self.constant_per_row:.3g}"
        )


def expected_cost(
    classes: Sequence[str], confusion: Matrix, costs: Matrix, rows: float | None = None
) -> ExpectedCost | None:
    """Of weights and costs [true class, predicted class]; None where no row was answered.

    `rows` is the number of rows that the weights speak for: their sum unless given. The interval is Wilson's
    for a mean between the least and the greatest cost, narrowed as far as the costs spread less than they
    could; where every mistake costs 1 it is that of the error rate.
    """
    counts, paid = np.array(confusion), np.array(costs)
    total = float(counts.sum())
    if not total > 0:
        return None
    mean = float((counts * paid).sum()) / total
    always = counts.sum(axis=1) @ paid / total
    cheapest = int(always.argmin())
    interval = _interval(mean, counts / total, paid, total if rows is None else rows)
    return ExpectedCost(mean, interval, classes[cheapest], float(always[cheapest]))


def costs_behind(decision: Decision, classes: Sequence[str]) -> Matrix:
    """The costs [true class, predicted class] that a decision minimises; none where shares alone decide.

    A cutoff t is right where a false alarm costs t and a missed row 1 − t: the cheaper of the two counts 1,
    and mistakes among the other classes, which it leaves to the shares, count nothing.

    >>> from clearwood.models.decision import Cutoff
    >>> costs_behind(Decision(cutoff=Cutoff("bad", 0.2)), ("bad", "good"))
    ((0.0, 4.0), (1.0, 0.0))
    """
    if decision.cutoff is None:
        return decision.costs
    positive, at = classes.index(decision.cutoff.positive), decision.cutoff.at
    cheaper = min(at, 1 - at)
    unit = cheaper if cheaper * LARGEST_COST > 1 else 1.0  # next to 0 or 1 that mistake costs nothing
    missed, alarm = (1 - at) / unit, at / unit
    return tuple(
        tuple(
            0.0 if (true == positive) == (called == positive) else missed if true == positive else alarm
            for called in range(len(classes))
        )
        for true in range(len(classes))
    )


def unit_of_costs(cutoff: Cutoff | None) -> str:
    """What follows an expected cost by a cutoff: its unit; nothing where the costs were given.

    >>> from clearwood.models.decision import Cutoff
    >>> unit_of_costs(Cutoff("bad", 0.2))
    ', by the cutoff (bad from a share of 0.2 on; the cheaper mistake counts 1)'
    """
    if cutoff is None:
        return ""
    reached = f"{cutoff.positive} from a share of {number(cutoff.at)} on"
    return f", by the cutoff ({reached}; the cheaper mistake counts 1)"


def _interval(
    mean: float, shares: npt.NDArray[np.float64], paid: npt.NDArray[np.float64], rows: float
) -> tuple[float, float]:
    variance = float((shares * (paid - mean) ** 2).sum())
    ends = float(paid.min()), float(paid.max())
    low, high = mean_intervals(np.array([mean]), np.array([variance]), *ends, rows)
    return float(low[0]), float(high[0])


def mean_intervals(
    means: Floats, variances: Floats, least: float, greatest: float, rows: float
) -> tuple[Floats, Floats]:
    """[mean] Wilson's intervals for means of so many values from `least` to `greatest`, narrowed as far as
    their variance is less than it could be."""
    reach = greatest - least
    if not reach > 0:
        return means, means
    possible = (means - least) * (greatest - means)
    spread = np.where(possible > 0, variances / np.where(possible > 0, possible, 1.0), 1.0)
    n = rows / np.clip(spread, _LEAST_SPREAD, 1.0)
    low, high = wilson((means - least) / reach * n, n)
    return least + reach * low, least + reach * high
