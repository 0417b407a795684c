"""Differences over many tables by ranks: Friedman, Nemenyi, Wilcoxon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.counting.chance import chance_key, parts
from clearwood.measures.inference import chi2_sf, f_sf, normal_quantile
from clearwood.records import json_of
from clearwood.scoring.differences.paired import ROPE, Posterior


@dataclass(frozen=True, slots=True)
class Friedman:
    """The mean rank of each learner (1 is best), Friedman's χ² and Iman and Davenport's F, each with its p.

    The `ties_` figures are corrected for equal ranks, without which both are cautious.
    """

    mean_ranks: tuple[float, ...]
    tables: int
    chi_square: float
    chi_square_p: float
    f: float
    f_p: float
    ties_chi_square: float
    ties_f: float
    ties_p: float

    @property
    def df(self) -> tuple[int, int]:
        """Of F: learners − 1, and that times tables − 1."""
        learners = len(self.mean_ranks)
        return learners - 1, (learners - 1) * (self.tables - 1)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        ties = {"chi_square": self.ties_chi_square, "f": self.ties_f, "p": self.ties_p}
        return json_of(self, *("ties_chi_square", "ties_f", "ties_p"), f_df=self.df, corrected_for_ties=ties)


def friedman(scores: Floats, *, more_is_better: bool = True) -> Friedman:
    """Scores [table, learner], ranked table by table; χ² = 12N ÷ (k(k + 1)) · (Σ R² − k(k + 1)² ÷ 4) of the
    mean ranks R (Friedman 1937) and F = (N − 1)χ² ÷ (N(k − 1) − χ²) (Iman and Davenport 1980), as Demšar
    (2006) has them.

    >>> tested = friedman(np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.6], [0.9, 0.8, 0.7]]))
    >>> tested.mean_ranks, tested.chi_square, round(tested.f, 3), round(tested.f_p, 4)
    ((1.25, 1.75, 3.0), 6.5, 13.0, 0.0066)
    """
    tables, learners = scores.shape
    ranks = np.array([midranks(-row if more_is_better else row) for row in scores])
    mean = ranks.mean(axis=0)
    chi_square = 12 * tables / (learners * (learners + 1)) * float(((mean - (learners + 1) / 2) ** 2).sum())
    # The ranks' own spread is less where some are equal; where all are, nothing differs.
    spread = float(((ranks - (learners + 1) / 2) ** 2).sum())
    corrected = chi_square * tables * learners * (learners**2 - 1) / 12 / spread if spread else 0.0
    f, ties_f = _f(chi_square, tables, learners), _f(corrected, tables, learners)
    df, rest = learners - 1, (learners - 1) * (tables - 1)
    return Friedman(
        tuple(mean.tolist()),
        tables,
        chi_square,
        float(chi2_sf(chi_square, df)),
        f,
        _p(f, df, rest),
        corrected,
        ties_f,
        _p(ties_f, df, rest),
    )


def _f(chi_square: float, tables: int, learners: int) -> float:
    most = tables * (learners - 1)
    return math.inf if chi_square >= most * (1 - 1e-12) else (tables - 1) * chi_square / (most - chi_square)


def _p(f: float, df: int, rest: int) -> float:
    if rest == 0:
        return 1.0  # one table shows nothing
    return 0.0 if math.isinf(f) else float(f_sf(f, df, rest))


_STEPS: Final = 600  # of the integral; it is exact to rounding with far fewer
_WIDE: Final = 9.0  # standard deviations beyond which nothing is left


def critical_difference(learners: int, tables: int, alpha: float = 0.05) -> float:
    """q √(k(k + 1) ÷ 6N), with q the studentised range's quantile for infinite degrees of freedom over √2
    (Nemenyi 1963; Demšar 2006).

    >>> round(critical_difference(4, 14), 2), round(critical_difference(4, 14, 0.1), 2)
    (1.25, 1.12)
    """
    return range_quantile(1 - alpha, learners) / math.sqrt(2) * _unit(learners, tables)


def nemenyi_p(apart: float, learners: int, tables: int) -> float:
    """How often chance alone gives some pair of mean ranks so far apart.

    >>> round(nemenyi_p(critical_difference(4, 14), 4, 14), 6)
    0.05
    """
    return max(0.0, 1 - range_below(abs(apart) / _unit(learners, tables) * math.sqrt(2), learners))


def not_told_apart(mean_ranks: Sequence[float], least: float) -> tuple[tuple[int, ...], ...]:
    """The largest groups of two or more whose mean ranks all lie within the critical difference, best first.

    >>> not_told_apart([3.143, 2.000, 2.893, 1.964], 1.17)
    ((3, 1, 2), (1, 2, 0))
    """
    order = sorted(range(len(mean_ranks)), key=lambda place: (mean_ranks[place], place))
    groups: list[tuple[int, ...]] = []
    reached = 0
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and mean_ranks[order[last + 1]] - mean_ranks[order[first]] <= least:
            last += 1
        if last > first and last + 1 > reached:
            groups.append(tuple(order[first : last + 1]))
        reached = max(reached, last + 1)
    return tuple(groups)


def range_below(width: float, count: int) -> float:
    """The probability that so many standard normal numbers lie within this width of one another.

    >>> round(range_below(3.6331613, 4), 5)
    0.95
    """
    if width <= 0:
        return 0.0
    z, density, below = _normal()
    inside = (_below(z + width) - below) ** (count - 1)
    return float(count * (density * inside).sum() * (z[1] - z[0]))


@lru_cache(maxsize=256)
def range_quantile(p: float, count: int) -> float:
    """The width within which so many standard normal numbers lie with this probability.

    >>> round(range_quantile(0.95, 4), 3), round(range_quantile(0.95, 2) / math.sqrt(2), 3)
    (3.633, 1.96)
    """
    low, high = 0.0, 1.0
    while range_below(high, count) < p:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if range_below(middle, count) < p else (low, middle)
    return (low + high) / 2


def _unit(learners: int, tables: int) -> float:
    """The standard error of the difference of two mean ranks."""
    return math.sqrt(learners * (learners + 1) / (6 * tables))


@lru_cache(maxsize=1)
def _normal() -> tuple[Floats, Floats, Floats]:
    """Places, the normal density there, and the probability below them."""
    z = np.linspace(-_WIDE, _WIDE, _STEPS + 1)
    return z, np.exp(-z * z / 2) / math.sqrt(2 * math.pi), _below(z)


def _below(z: Floats) -> Floats:
    return np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in z.tolist()])


_EXACT: Final = 200  # differences; with more the normal distribution is as good


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """The ranks' sums of the differences above and below 0, and the two-sided p."""

    above: float
    below: float
    p: float

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {"ranks_above": self.above, "ranks_below": self.below, "p": self.p}


def signed_ranks(differences: npt.ArrayLike) -> SignedRanks:
    """The differences ranked by size, equal ones at their mean rank, and added up by sign; the ranks of zeros
    go half to either side. p is exact up to 200 differences, ties and zeros included: how many of all ways to
    give the ranks signs are as uneven (Wilcoxon 1945; zeros as by Pratt 1959).

    >>> tested = signed_ranks([0.02, -0.01, 0.03, 0.05, 0.04, 0.06])
    >>> tested.above, tested.below, tested.p
    (20.0, 1.0, 0.0625)
    """
    values = np.asarray(differences, dtype=np.float64)
    sizes = np.abs(values)
    ranks = midranks(sizes)
    zero = float(ranks[values == 0].sum()) / 2
    above, below = float(ranks[values > 0].sum()), float(ranks[values < 0].sum())
    moved = ranks[values != 0]
    if not len(moved):
        p = 1.0
    elif len(values) <= _EXACT:
        p = _exact(moved, min(above, below))
    else:
        spread = math.sqrt(float((moved**2).sum()) / 4)
        p = 2 * NormalDist().cdf(-abs(above - below) / 2 / spread)
    return SignedRanks(above + zero, below + zero, min(1.0, p))


def midranks(values: Floats) -> Floats:
    """[value] Its rank from 1, equal values sharing their mean; what only rounding tells apart is equal.

    >>> midranks(np.array([0.3, 0.1, 0.3])).tolist()
    [2.5, 1.0, 2.5]
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    steps = np.diff(ordered) > 1e-12 * np.maximum(np.abs(ordered[1:]), 1e-300)
    run = np.concatenate([[0], np.cumsum(steps)])
    places = np.arange(1, len(values) + 1, dtype=np.float64)
    means = np.bincount(run, places) / np.bincount(run)
    ranks = np.empty(len(values))
    ranks[order] = means[run]
    return ranks


def _exact(ranks: Floats, least: float) -> float:
    """Twice the part of all signs whose sum of positive ranks is at most this."""
    doubled = np.rint(2 * ranks).astype(np.int64)  # halves of ties become whole
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled:
        taken = np.zeros_like(ways)
        taken[rank:] = ways[: len(ways) - rank]
        ways = (ways + taken) / 2
    return 2 * float(ways[: round(2 * least) + 1].sum())


_SAMPLES: Final = 50_000


def bayesian_signed_rank(differences: npt.ArrayLike, rope: float = ROPE, *, seed: int = 0) -> Posterior:
    """Of many tables: in how many draws of the tables' weights does the largest part of the pairs of tables
    favour the first, neither, the second? (Benavoli et al. 2014, 2017: a Dirichlet process, its prior worth
    half a table on which there is no difference; 50,000 draws by `seed`.)

    A difference above 0 is in favour of the first.

    >>> posterior = bayesian_signed_rank([0.03, 0.05, 0.02, 0.04, 0.001, 0.06])
    >>> round(posterior.first, 2), round(posterior.equivalent, 2), posterior.second
    (0.99, 0.01, 0.0)
    """
    (posterior,) = signed_rank_posteriors([np.asarray(differences, dtype=np.float64)], rope, seed=seed)
    return posterior


def signed_rank_posteriors(
    pairs: Sequence[Floats], rope: float = ROPE, *, seed: int = 0
) -> tuple[Posterior, ...]:
    """The same of several pairs of learners on the same tables, by the same draws."""
    values = [np.append(differences, 0.0) for differences in pairs]
    sums = [each[:, None] + each[None, :] for each in values]
    to_first = [(each > 2 * rope).astype(np.float64) for each in sums]
    to_second = [(each < -2 * rope).astype(np.float64) for each in sums]
    wins = np.zeros((len(pairs), 3))
    count = len(values[0])
    size = max(1, 4_000_000 // count)
    for block, start in enumerate(range(0, _SAMPLES, size)):
        weights = _dirichlet(count, min(size, _SAMPLES - start), chance_key(seed, block))
        for pair in range(len(pairs)):
            first = ((weights @ to_first[pair]) * weights).sum(axis=1)
            second = ((weights @ to_second[pair]) * weights).sum(axis=1)
            regions = np.stack([first, 1 - first - second, second])
            largest = regions >= regions.max(axis=0) - 1e-12
            wins[pair] += (largest / largest.sum(axis=0)).sum(axis=1)
    name = "Bayesian signed-rank test"
    return tuple(
        Posterior(first, neither, second, rope, name) for first, neither, second in (wins / _SAMPLES).tolist()
    )


def _dirichlet(count: int, samples: int, key: int) -> Floats:
    """[sample, table] Weights that add up to 1: a unit of belief for each table, the prior's for the last."""
    uniform = parts(key, samples * count).reshape(samples, count) + 2.0**-54
    gamma = -np.log(uniform)
    # A gamma variable of shape ½ is half the square of a normal one.
    gamma[:, -1] = np.asarray(normal_quantile(uniform[:, -1])) ** 2 / 2
    drawn: Floats = gamma / gamma.sum(axis=1, keepdims=True)
    return drawn
