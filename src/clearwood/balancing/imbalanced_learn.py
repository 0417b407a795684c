"""What imbalanced-learn does for us: rows made between neighbours, and rows that their neighbours contradict.

It is the only file that imports it, and does so when it is called: it comes with the extra `balance`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints, Longs
from clearwood.errors import MissingExtraError


def rows_between(
    numbers: Floats, codes: npt.NDArray[np.int64], target: Ints, sizes: Mapping[int, int], k: int, seed: int
) -> tuple[Floats, npt.NDArray[np.int64], Ints]:
    """The rows that SMOTE makes until each class has its size: their numbers, codes and classes.

    Numbers alone: SMOTE (Chawla et al. 2002). Numbers and codes: SMOTE-NC of the same paper. Codes alone:
    SMOTE-N, likewise.
    """
    over: Any = _imported("over_sampling")
    settings = {"sampling_strategy": dict(sizes), "k_neighbors": k, "random_state": seed % 2**32}
    width = numbers.shape[1]
    if not codes.shape[1]:
        sampler = over.SMOTE(**settings)
    elif not width:
        sampler = over.SMOTEN(**settings)
    else:
        nominal = list(range(width, width + codes.shape[1]))
        sampler = over.SMOTENC(categorical_features=nominal, **settings)
    rows = np.concatenate([numbers, codes.astype(np.float64)], axis=1)
    made, classes = sampler.fit_resample(rows, target)
    made, classes = np.asarray(made)[len(rows) :], np.asarray(classes)[len(rows) :]
    own = np.rint(made[:, width:].astype(np.float64)).astype(np.int64)
    return made[:, :width].astype(np.float64), own, classes.astype(np.int32)


def without_tomek_links(points: Floats, target: Ints) -> Longs:
    """The positions of rows that stay: the commoner row of two that are each other's nearest neighbours, and
    of different classes, goes (Tomek 1976)."""
    return _kept(_imported("under_sampling").TomekLinks(), points, target)


def without_contradicted(points: Floats, target: Ints, k: int) -> Longs:
    """The positions of rows that stay: a row that is not of the rarest class goes if one of its k nearest
    neighbours is of another class (edited nearest neighbours, Wilson 1972)."""
    sampler = _imported("under_sampling").EditedNearestNeighbours(n_neighbors=k)
    return _kept(sampler, points, target)


def _kept(sampler: Any, points: Floats, target: Ints) -> Longs:
    sampler.fit_resample(points, target)
    return np.sort(np.asarray(sampler.sample_indices_, dtype=np.int64))


def _imported(part: str) -> Any:
    try:
        if part == "over_sampling":
            import imblearn.over_sampling as module
        else:
            import imblearn.under_sampling as module
    except ImportError:
        raise MissingExtraError(
            "SMOTE, Tomek links and edited neighbours come with imbalanced-learn: "
            "pip install 'clearwood[balance]'. Weights, under and over need nothing more."
        ) from None
    loaded: ModuleType = module
    return loaded
