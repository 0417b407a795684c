"""Weights of features that are stairs of numbers, or stand for values, as the curves of an additive model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.features import Feature, LookupFeature, NumberFeature
from clearwood.models.additive_model import Shape

_LAST: Final = float(np.finfo(np.float64).max)


def has_stairs(features: Sequence[Feature]) -> bool:
    """Is a number read by the step that it stands on, rather than along a line?"""
    return any(isinstance(each, NumberFeature) and each.jumps for each in features)


def weighed_curves(features: Sequence[Feature], weights: Floats) -> tuple[Shape, ...]:
    """What each column adds to the scores, gathered from all features made of it; `weights` are [score,
    feature]."""
    by_column: dict[str, list[tuple[Feature, Floats]]] = {}
    for place, feature in enumerate(features):
        by_column.setdefault(feature.column, []).append((feature, weights[:, place]))
    return tuple(_curve(name, parts) for name, parts in by_column.items())


def _curve(name: str, parts: Sequence[tuple[Feature, Floats]]) -> Shape:
    jumps = [jump for feature, _ in parts if isinstance(feature, NumberFeature) for jump in feature.jumps]
    cuts = tuple(sorted(set(jumps)))
    added = sum(np.outer(weight, _at(feature, cuts)) for feature, weight in parts)
    return Shape(name, cuts, tuple(map(tuple, np.asarray(added).tolist())))


def _at(feature: Feature, cuts: tuple[float, ...]) -> Floats:
    """[cell] the feature in each cell of its column, then that of an empty cell and of a value never met; 0
    where the origin refuses these."""
    if isinstance(feature, LookupFeature):
        return _known([*feature.numbers, feature.missing, _or_nan(feature.unseen)])
    if not feature.jumps and not _is_flat(feature):
        raise ModelFileError(
            f"The weights are of the number '{feature.column}' itself beside others of intervals; here a "
            "linear model adds up lines, and an additive one curves of steps. Fit it to intervals of all "
            "numbers, or of none."
        )
    return _known([*feature.at(np.array([*cuts, _LAST])).tolist(), feature.missing, math.nan])


def _is_flat(feature: NumberFeature) -> bool:
    """Are these stairs of one step, as of a column that never varied?"""
    low, high = feature.at(np.array([-_LAST, _LAST])).tolist()
    return not feature.is_line and bool(low == high)


def _known(numbers: Sequence[float]) -> Floats:
    return np.array([0.0 if math.isnan(each) else each for each in numbers])


def _or_nan(number: float | None) -> float:
    return math.nan if number is None else number
