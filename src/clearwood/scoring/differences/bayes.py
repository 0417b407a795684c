"""Bayes: how probable is it that one is better, that both are practically equal, that the other is better?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.counting.chance import chance_key, parts
from clearwood.measures.intervals import t_below
from clearwood.measures.p_values import normal_quantile
from clearwood.scoring.differences.paired import corrected_resampled_t

ROPE: Final = 0.01  # differences of a share that nobody minds
_SAMPLES: Final = 50_000


@dataclass(frozen=True, slots=True)
class Posterior:
    """The probabilities that the first is better, that the difference lies within ± `rope`, the region of
    practical equivalence, and that the second is better; they add up to 1."""

    first: float
    equivalent: float
    second: float
    rope: float
    name: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "test": self.name,
            "first_better": self.first,
            "practically_equivalent": self.equivalent,
            "second_better": self.second,
            "rope": self.rope,
        }


def bayesian_correlated_t(differences: npt.ArrayLike, test_to_train: float, rope: float = ROPE) -> Posterior:
    """Of one table: the mean difference is t-distributed about that of the parts, with the spread of the
    corrected resampled t-test: ρ = test ÷ (test + train) (Corani and Benavoli 2015; Benavoli et al. 2017).

    A difference above 0 is in favour of the first. NaN where there are fewer than two parts.

    >>> posterior = bayesian_correlated_t([0.02, 0.01, 0.03, 0.0, 0.04], 1 / 4)
    >>> round(posterior.first, 3), round(posterior.equivalent, 3), round(posterior.second, 3)
    (0.8, 0.176, 0.024)
    """
    mean = corrected_resampled_t(differences, test_to_train)
    name = "Bayesian correlated t-test"
    if math.isnan(mean.standard_error):
        return Posterior(math.nan, math.nan, math.nan, rope, name)
    if mean.standard_error == 0:
        first, second = float(mean.mean > rope), float(mean.mean < -rope)
        return Posterior(first, 1 - first - second, second, rope, name)
    second = t_below((-rope - mean.mean) / mean.standard_error, mean.df)
    first = t_below((mean.mean - rope) / mean.standard_error, mean.df)
    return Posterior(first, max(0.0, 1 - first - second), second, rope, name)


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
