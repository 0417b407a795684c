"""A feature: a number that another program's model reads, as it comes from one column of the user's table.

In front of a model may stand encoders and scalers. Each feature behind them is still made of one column: a
number, scaled step by step, or a value that stands for a number. So a threshold on a feature is a threshold,
or a set of values, of the column.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.errors import ModelFileError
from clearwood.importing.moved_thresholds import largest_double
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal

ScalingStep: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class NumberFeature:
    """A number of a column after `steps` in double precision, each of them rising, if it `rises`.

    `slope` and `offset` are the same as one line: slope · x + offset, but for rounding; NaN where the steps
    are no line. Where they are stairs, `jumps` are the last numbers of the column before each step up or
    down. `missing` is the number that an empty cell becomes; NaN where it stays empty.
    """

    column: str
    steps: tuple[ScalingStep, ...] = ()
    slope: float = 1.0
    offset: float = 0.0
    missing: float = math.nan
    filled: float | str | None = None  # what an imputer puts into an empty cell of the column
    jumps: tuple[float, ...] = ()
    rises: bool = True

    @property
    def is_line(self) -> bool:
        return not math.isnan(self.slope)

    def at(self, numbers: Floats) -> Floats:
        """[·] the feature of these numbers of the column."""
        with np.errstate(over="ignore", invalid="ignore"):
            for step in self.steps:
                numbers = step(numbers)
        return numbers


@dataclass(frozen=True, slots=True)
class LookupFeature:
    """A number for each value of a column, for an empty cell and for a value never met.

    NaN is a number that stays missing. `unseen` is None where the origin refuses such rows.
    """

    column: str
    values: tuple[str, ...]
    numbers: tuple[float, ...]
    missing: float = math.nan
    unseen: float | None = None
    is_ordered: bool = False  # the values stand from low to high
    originals: tuple[Any, ...] = ()  # the values as the origin has them; none: as numbers
    original_missing: Any = math.nan  # an empty cell as the origin has it


Feature: TypeAlias = NumberFeature | LookupFeature


def scaled_feature(feature: Feature, step: ScalingStep, slope: float, offset: float) -> Feature:
    """The feature after one step more, which is slope · x + offset; both NaN where it is no line."""

    def one(number: float) -> float:
        return float(step(np.array([number], dtype=np.float64))[0])

    if isinstance(feature, NumberFeature):
        return replace(
            feature,
            steps=(*feature.steps, step),
            slope=feature.slope * slope,
            offset=feature.offset * slope + offset,
            missing=one(feature.missing),
        )
    return replace(
        feature,
        numbers=tuple(map(one, feature.numbers)),
        missing=one(feature.missing),
        unseen=None if feature.unseen is None else one(feature.unseen),
    )


def attribute_of(features: list[Feature]) -> Attribute:
    """What the column of these features is."""
    first = features[0]
    for feature in features:
        if type(feature) is not type(first) or getattr(feature, "values", ()) != getattr(first, "values", ()):
            raise ModelFileError(
                f"The column '{first.column}' is read as numbers by one step and as values by another; "
                "here a column is one of them."
            )
    if isinstance(first, LookupFeature):
        return (Ordinal if first.is_ordered else Nominal)(first.column, first.values)
    return Numeric(first.column)


def moved(feature: NumberFeature, holds: Callable[[Floats], Bools], many: int) -> Floats:
    """[many] the largest number of the column for which each question about the feature holds."""
    if not feature.rises:
        raise ModelFileError(
            f"Several columns are made of the number '{feature.column}', each 1 within an interval; a "
            "threshold on a bin indicator is not a threshold on the number. Fit KBinsDiscretizer with "
            "encode='ordinal'."
        )
    return largest_double(lambda numbers: holds(feature.at(numbers)), many)
