"""Isotonic calibration: the steps that rise with a class's shares and lie nearest to what came true."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.models.decision import Isotonic


def isotonic_of(shares: Floats, own: Bools, weights: Floats) -> Isotonic:
    """The steps for shares and what came true, both [row, class]: each class against the rest.

    Least squares under the condition that they rise, by pooling adjacent violators (Ayer et al. 1955; for
    calibration Zadrozny and Elkan 2002). Of a level stretch its two ends are kept; between stretches lies a
    straight line. A class without rows, or without others, keeps its shares.

    >>> share = np.array([0.1, 0.2, 0.4, 0.6, 0.9])
    >>> true = np.array([False, True, False, True, True])
    >>> steps = isotonic_of(share[:, None], true[:, None], np.ones(5))
    >>> steps.at, steps.share
    (((0.1, 0.2, 0.4, 0.6, 0.9),), ((0.0, 0.5, 0.5, 1.0, 1.0),))
    """
    steps = [_steps(shares[:, c], own[:, c], weights) for c in range(shares.shape[1])]
    return Isotonic(tuple(at for at, _ in steps), tuple(share for _, share in steps))


def rising(values: Floats, weights: Floats) -> tuple[Floats, Ints]:
    """[pool] the means of the pools of adjacent violators, and how many values each pool has."""
    means: list[float] = []
    masses: list[float] = []
    sizes: list[int] = []
    for mean, mass in zip(values.tolist(), weights.tolist(), strict=True):
        size = 1
        while means and means[-1] >= mean:
            before = masses.pop()
            mean = (means.pop() * before + mean * mass) / (before + mass)
            mass += before
            size += sizes.pop()
        means.append(mean)
        masses.append(mass)
        sizes.append(size)
    return np.array(means), np.array(sizes, dtype=np.int32)


def _steps(share: Floats, own: Bools, weights: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    known = weights > 0
    share, own, weights = share[known], own[known], weights[known]
    if own.all() or not own.any():
        return (0.0, 1.0), (0.0, 1.0)
    at, place = np.unique(share, return_inverse=True)
    mass: Floats = np.bincount(place, weights).astype(np.float64)
    means, sizes = rising(np.bincount(place, weights * own) / mass, mass)
    last = np.cumsum(sizes) - 1
    first = last - sizes + 1
    kept = np.unique(np.concatenate([first, last]))
    level = np.repeat(np.minimum(means, 1.0), sizes)  # a mean of ones may round to a little more
    return tuple(at[kept].tolist()), tuple(level[kept].tolist())
