"""Scalers of scikit-learn: numbers moved along a line, along what rises but is no line, or up stairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.features import Feature, NumberFeature, ScalingStep, moved, scaled_feature


def after_standard(step: Any, features: list[Feature]) -> list[Feature]:
    """StandardScaler."""
    mean, scale = step.mean_ if step.with_mean else None, step.scale_ if step.with_std else None
    return _along(features, (mean, _minus), (scale, _over))


def after_min_max(step: Any, features: list[Feature]) -> list[Feature]:
    """MinMaxScaler, which may keep numbers within its range."""
    features = _along(features, (step.scale_, _times), (-step.min_, _minus))
    if not step.clip:
        return features
    low, high = step.feature_range
    return [_bent(feature, lambda numbers: np.clip(numbers, low, high)) for feature in features]


def after_max_abs(step: Any, features: list[Feature]) -> list[Feature]:
    """MaxAbsScaler."""
    return _along(features, (step.scale_, _over))


def after_robust(step: Any, features: list[Feature]) -> list[Feature]:
    """RobustScaler."""
    centre, scale = step.center_ if step.with_centering else None, step.scale_ if step.with_scaling else None
    return _along(features, (centre, _minus), (scale, _over))


def after_binarizer(step: Any, features: list[Feature]) -> list[Feature]:
    """Binarizer: 1 above its threshold, else 0."""
    limit = float(step.threshold)
    return [
        _stairs(feature, lambda numbers: numbers > limit, np.array([np.nextafter(limit, np.inf)]))
        for feature in features
    ]


def after_bins(step: Any, features: list[Feature]) -> list[Feature]:
    """KBinsDiscretizer: the number of the interval, counted from 0, or 1 for each interval that has it."""
    if step.dtype is not None and np.dtype(step.dtype) != np.float64:
        raise ModelFileError(
            f"KBinsDiscretizer(dtype={np.dtype(step.dtype)}) rounds numbers before it finds their interval, "
            "which is not read. Fit it without dtype."
        )
    made: list[Feature] = []
    for feature, edges in zip(features, step.bin_edges_, strict=True):
        inner = np.asarray(edges[1:-1], dtype=np.float64)
        if step.encode == "ordinal":
            made.append(_stairs(feature, partial(_interval, inner), inner))
        else:
            made += [
                _stairs(feature, partial(_is_interval, inner, place), inner, rises=False)
                for place in range(len(inner) + 1)
            ]
    return made


def _interval(edges: Floats, numbers: Floats) -> Any:
    return np.searchsorted(edges, numbers, side="right")


def _is_interval(edges: Floats, place: int, numbers: Floats) -> Any:
    return _interval(edges, numbers) == place


def _stairs(
    feature: Feature, step: Callable[[Floats], Any], starts: Floats, *, rises: bool = True
) -> Feature:
    """The feature after a step that changes only where one of the numbers `starts` is reached."""
    after = _bent(feature, step)
    if not isinstance(feature, NumberFeature) or not isinstance(after, NumberFeature):
        return after
    # Of stairs upon stairs the jumps of the first are enough.
    jumps = feature.jumps or tuple(moved(feature, lambda numbers: numbers < starts, len(starts)).tolist())
    return replace(after, jumps=tuple(filter(math.isfinite, jumps)), rises=rises and feature.rises)


def _bent(feature: Feature, step: Callable[[Floats], Any]) -> Feature:
    """The feature after a step that is no line; what is empty stays so."""

    def known(numbers: Floats) -> Floats:
        return np.where(np.isnan(numbers), np.nan, step(numbers)).astype(np.float64)

    return scaled_feature(feature, known, math.nan, math.nan)


ScalingLine = tuple[ScalingStep, float, float]  # a step with its slope and offset


def _minus(amount: float) -> ScalingLine:
    return (lambda numbers: numbers - amount), 1.0, -amount


def _over(amount: float) -> ScalingLine:
    return (lambda numbers: numbers / amount), 1.0 / amount, 0.0


def _times(amount: float) -> ScalingLine:
    return (lambda numbers: numbers * amount), amount, 0.0


def _along(features: list[Feature], *lines: tuple[Any, Callable[[float], ScalingLine]]) -> list[Feature]:
    """The features after lines one after another, each by a number for each feature; None: without it."""
    for amounts, line in lines:
        if amounts is not None:
            features = [_scaled(each, *line(float(by))) for each, by in zip(features, amounts, strict=True)]
    return features


def _scaled(feature: Feature, step: ScalingStep, slope: float, offset: float) -> Feature:
    if not slope > 0:
        raise ModelFileError(f"The column '{feature.column}' is scaled by {slope:g}, not above 0.")
    return scaled_feature(feature, step, slope, offset)
