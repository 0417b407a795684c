"""Class weights: what `class_weight` multiplies each row's weight by."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.balancing.class_weights import equal_factors
from clearwood.errors import SettingError, no_such
from clearwood.table.raw import Codes
from clearwood.table.table import Weights


def weigh_classes(
    class_weight: Mapping[Any, float] | str | None,
    classes: npt.NDArray[Any],
    codes: Codes,
    weights: Weights | None,
) -> Weights | None:
    """The rows' weights: "balanced" gives every class the same total, a dict a factor per label (else 1).

    >>> weigh_classes("balanced", np.array(["no", "yes"]), np.array([0, 0, 0, 1]), None).round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    if class_weight is None:
        return weights
    factors = _factors(class_weight, classes, np.bincount(codes, weights, minlength=len(classes)))[codes]
    return factors if weights is None else factors * weights


def _factors(
    class_weight: Mapping[Any, float] | str, classes: npt.NDArray[Any], totals: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """[class] the factor on its rows."""
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise SettingError(f"class_weight must be None, 'balanced' or a dict, not {class_weight!r}.")
        return equal_factors(totals)
    if not isinstance(class_weight, Mapping):
        raise SettingError(f"class_weight must be None, 'balanced' or a dict, not {class_weight!r}.")
    labels = classes.tolist()
    for label, factor in class_weight.items():
        if label not in labels:
            raise SettingError(f"class_weight: {no_such('class', label, labels, plural='classes')}")
        if not (isinstance(factor, Real) and 0 <= factor < np.inf):
            raise SettingError(f"class_weight of {label!r} must be a number from 0 upward, not {factor!r}.")
    return np.array([float(class_weight.get(label, 1.0)) for label in labels])
