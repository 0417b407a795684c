"""Differences of two models on the same rows: McNemar's test of errors, DeLong's of rankings."""

from __future__ import annotations

import math
from math import exp, lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats, Longs
from clearwood.records import dataclass
from clearwood.table.schema import effective_rows

if TYPE_CHECKING:
    from clearwood.scoring.differences.paired import MeanDifference


@dataclass(frozen=True, slots=True)
class McNemar:
    """How many rows only the first and only the second has right, and how often chance gives as uneven ones.

    `mid_p` counts half of the outcomes as likely as this one: it keeps to its 5 % nearly always, and misses
    less than the exact p, which is never too small (Fagerland, Lydersen and Laake 2013).
    """

    only_first: float
    only_second: float
    p: float
    mid_p: float


def mcnemar(only_first: float, only_second: float) -> McNemar:
    """The exact two-sided test (McNemar 1947; binomial with ½) of these numbers of rows.

    Numbers that are not whole, of rows with weights, are taken between the whole ones, by the beta function
    that the binomial sum is. Airway hyper-responsiveness before and after a transplant (Bentur et al. 2009,
    in Fagerland et al. 2013):

    >>> tested = mcnemar(1, 7)
    >>> round(tested.p, 4), round(tested.mid_p, 4)
    (0.0703, 0.0391)
    """
    few, total = min(only_first, only_second), only_first + only_second
    if total <= 0:
        return McNemar(only_first, only_second, 1.0, 1.0)
    # P(X ≤ k) = I_½(n − k, k + 1) = P(F > (n − k) ÷ (k + 1)) with 2(k + 1) and 2(n − k) degrees of freedom.
    freedom = 2 * (few + 1), 2 * (total - few)
    at_most = 1.0 if few >= total else float(_native.f_sf((total - few) / (few + 1), *freedom))
    exact = min(1.0, 2 * at_most)
    same = exp(lgamma(total + 1) - lgamma(few + 1) - lgamma(total - few + 1) - total * log(2))
    middle = 1 - same / 2 if only_first == only_second else 2 * at_most - same
    return McNemar(only_first, only_second, exact, min(1.0, max(0.0, middle)))


def mcnemar_of_rows(first_right: Bools, second_right: Bools, weights: Floats, *, counts: bool) -> McNemar:
    """[row] Which rows each has right. Weights that are `counts` of equal rows are added up; others stand for
    Kish's effective number of the rows on which the two differ, in the weights' proportion.

    >>> import numpy as np
    >>> right, wrong = np.array([True] * 4 + [False] * 2), np.array([False] * 4 + [True] * 2)
    >>> mcnemar_of_rows(right, wrong, np.full(6, 2.0), counts=True).only_first
    8.0
    >>> mcnemar_of_rows(right, wrong, np.full(6, 2.0), counts=False).only_first
    4.0
    """
    first, second = first_right & ~second_right, second_right & ~first_right
    one, other = float(weights[first].sum()), float(weights[second].sum())
    if not counts and one + other > 0:
        scale = effective_rows(weights[first | second]) / (one + other)
        one, other = one * scale, other * scale
    return mcnemar(one, other)


@dataclass(frozen=True, slots=True, eq=False)
class AreasUnderCurves:
    """The areas [ranking] and their covariances [ranking, ranking] on the same rows; `groups` is how many
    vary by themselves where rows belong together, 0 where each row does."""

    areas: Floats
    covariances: Floats
    groups: int = 0

    def difference(self, first: int, second: int) -> MeanDifference:
        """Of two of the areas, with its standard error."""
        from clearwood.scoring.differences.paired import MeanDifference  # late: one area needs none

        c = self.covariances
        variance = float(c[first, first] + c[second, second] - 2 * c[first, second])
        # Rankings that are the same to rounding differ by nothing.
        variance = 0.0 if variance <= 1e-14 * float(abs(c[first, first])) else variance
        difference = float(self.areas[first] - self.areas[second])
        if not variance and abs(difference) < 1e-12:
            difference = 0.0
        if self.groups:
            name = f"DeLong's test over {self.groups} groups"
            return MeanDifference(difference, math.sqrt(variance), max(self.groups - 1, 1), name)
        return MeanDifference(difference, math.sqrt(variance), math.inf, "DeLong's test")


def areas_under_curves(
    scores: Floats,
    own: Bools,
    weights: Floats | None = None,
    *,
    counts: bool = True,
    units: Longs | None = None,
) -> AreasUnderCurves:
    """Scores [ranking, row] that should be larger for rows of the class (`own`): the areas under their ROC
    curves with the covariances of DeLong, DeLong and Clarke-Pearson (1988), by midranks (Sun and Xu 2014),
    which takes as long as sorting does.

    Weights are counts of equal rows or else, where not `counts`, those of a sample, whose squares make the
    covariance. It is NaN where a class has one row. Rows of the same number in `units` belong together: the
    covariances are then those of Obuchowski (1997), by sums over the groups, and NaN where a class has rows
    of one group alone.

    >>> scores = np.array([[0.9, 0.8, 0.4, 0.6, 0.3], [0.7, 0.9, 0.2, 0.8, 0.1]])
    >>> areas = areas_under_curves(scores, np.array([True, True, False, True, False]))
    >>> areas.areas.tolist()
    [1.0, 1.0]
    """
    weights = np.ones(scores.shape[1]) if weights is None else weights
    own_weights, other_weights = weights[own], weights[~own]
    above = np.array([_part_below(row[~own], other_weights, row[own]) for row in scores])
    below = np.array([1 - _part_below(row[own], own_weights, row[~own]) for row in scores])
    areas = above @ own_weights / own_weights.sum()
    if units is not None:
        covariances, groups = _covariance_of_groups((above, below), areas, own, weights, units)
        return AreasUnderCurves(areas, covariances, groups)
    covariances = _covariance(above, areas, own_weights, counts) + _covariance(
        below, areas, other_weights, counts
    )
    return AreasUnderCurves(areas, covariances)


def _covariance_of_groups(
    placed: tuple[Floats, Floats], areas: Floats, own: Bools, weights: Floats, units: Longs
) -> tuple[Floats, int]:
    """By sums over the groups of where their rows stand among those of the other class; a group that has rows
    of both classes adds how these go together. And how many groups there are."""
    numbers, group = np.unique(units, return_inverse=True)
    sums, several = [], []
    for side, here in zip(placed, (own, ~own), strict=True):
        apart = (side - areas[:, None]) * weights[here]
        of = group.ravel()[here]
        sums.append(np.stack([np.bincount(of, row, minlength=len(numbers)) for row in apart]))
        several.append(len(np.unique(of)))
    if min(several) < 2:
        return np.full((len(areas), len(areas)), np.nan), len(numbers)
    (one, other), (m, n) = sums, (float(weights[own].sum()), float(weights[~own].sum()))
    k, j, i = *several, len(numbers)
    both = one @ other.T / (m * n) * i / (i - 1)
    return one @ one.T / m**2 * k / (k - 1) + other @ other.T / n**2 * j / (j - 1) + both + both.T, i


def _part_below(others: Floats, weights: Floats, scores: Floats) -> Floats:
    """[score] The part of the others' weight that lies below it, equal ones counting half."""
    order = np.argsort(others, kind="stable")
    ordered = others[order]
    summed = np.concatenate([[0.0], np.cumsum(weights[order])])
    less = summed[np.searchsorted(ordered, scores, side="left")]
    at_most = summed[np.searchsorted(ordered, scores, side="right")]
    part: Floats = (less + at_most) / (2 * summed[-1])
    return part


def _covariance(placed: Floats, areas: Floats, weights: Floats, counts: bool) -> Floats:
    """Of the mean over the rows of one class of where they stand among those of the other."""
    apart = placed - areas[:, None]
    total = float(weights.sum())
    if counts:
        covariance = (apart * weights) @ apart.T / total / (total - 1) if total > 1 else None
    else:
        rows = effective_rows(weights)
        covariance = (apart * weights**2) @ apart.T / total**2 * rows / (rows - 1) if rows > 1 else None
    return np.full((len(placed), len(placed)), np.nan) if covariance is None else covariance
