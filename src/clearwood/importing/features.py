"""A feature: a number that another program's model reads, as it comes from one column of the user's table.

In front of a model may stand encoders and scalers. Each feature behind them is still made of one column: a
number, scaled step by step, or a value that stands for a number. So a threshold on a feature is a threshold,
or a set of values, of the column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import ModelFileError
from clearwood.models.kinds.bayes.distributions import Exact, Gaussian
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


# Thresholds moved to the double that decides alike, where another program rounds or scales a number before
# it compares it.
#
# scikit-learn and XGBoost round each cell to single precision first. For doubles x, float32(x) ≤ t is
# the same as x ≤ m for one double m: the largest that is still rounded to a number ≤ t.


_LAST_FLOAT32: Final = float(np.finfo(np.float32).max)
_HALF_OF_LAST_STEP: Final = 2.0**103  # half of what lies between the last float32 and 2¹²⁸
_SIGN: Final = np.int64(-(2**63))


def at_most_float32(thresholds: Floats) -> Floats:
    """[threshold] the largest double x with float32(x) ≤ t; ±∞ where all or none are.

    >>> at_most_float32(np.array([78.5])).tolist()
    [78.50000381469727]
    >>> float(np.float32(78.500003)), float(np.float32(78.500004))
    (78.5, 78.50000762939453)
    """
    wide = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(over="ignore"):
        near = wide.astype(np.float32)
        below = np.where(near.astype(np.float64) > wide, np.nextafter(near, np.float32(-np.inf)), near)
    return _last_rounded_to(below.astype(np.float32))


def below_float32(thresholds: Floats) -> Floats:
    """[threshold] the largest double x with float32(x) < float32(t).

    >>> below_float32(np.array([2.0])).tolist() == [np.nextafter(2.0 - 2.0**-24, 0)]
    True
    """
    with np.errstate(over="ignore"):
        near = np.asarray(thresholds, dtype=np.float64).astype(np.float32)
        before = np.nextafter(near, np.float32(-np.inf))
    return np.where(near == -np.inf, -np.inf, _last_rounded_to(before))


def _last_rounded_to(single: Floats) -> Floats:
    """The largest double that is rounded to this float32 or to one below it."""
    with np.errstate(over="ignore"):
        above = np.nextafter(single, np.float32(np.inf)).astype(np.float64)
    low = single.astype(np.float64)
    # Beyond the last float32 the next one is taken to be 2¹²⁸, at both ends.
    edge = _LAST_FLOAT32 + _HALF_OF_LAST_STEP
    middle = np.where(np.isinf(above), edge, np.where(np.isinf(low), -edge, low / 2 + above / 2))
    # Halfway is rounded to the even one: infinity counts as even, the last float32 is odd.
    even = (single.view(np.int32) & 1) == 0
    moved = np.where(even, middle, np.nextafter(middle, -np.inf))
    return np.where(single == np.inf, np.inf, moved)


def largest_double(holds: Callable[[Floats], Bools], many: int) -> Floats:
    """[many] the largest double for which each of so many questions holds; each holds up to some number, and
    not above it. −∞ where one never holds, ∞ where it always does.

    >>> largest_double(lambda x: (x - 0.1) / 3.0 <= 0.3, 1).tolist()
    [1.0]
    """
    last = _order(np.array([np.finfo(np.float64).max]))[0]
    low, high = np.full(many, -last - 1, dtype=np.int64), np.full(many, last, dtype=np.int64)
    while (low < high).any():
        # Up from the middle, so that two neighbours end; halved first, since a sum would overflow.
        middle = (low >> 1) + (high >> 1) + ((low | high) & 1)
        yes = holds(_double(middle)) & (middle > -last - 1)
        low, high = np.where(yes, middle, low), np.where(yes, high, np.minimum(middle - 1, high))
        high = np.maximum(high, low)
    found = _double(low)
    return np.where(low == last, np.inf, np.where(low < -last, -np.inf, found))


def _order(numbers: Floats) -> Longs:
    """Doubles as whole numbers in the same order, neighbours one apart."""
    bits = numbers.view(np.int64)
    return np.where(bits >= 0, bits, _SIGN - bits)


def _double(order: Longs) -> Floats:
    bits = np.where(order >= 0, order, _SIGN - order)
    return bits.view(np.float64)


# A bell curve that another program gives by mean and variance, as the sums that a Bayes model holds.


def bell_curve(
    name: str,
    weights: Sequence[Exact],
    means: Sequence[float],
    variances: Sequence[float],
    slope: float = 1.0,
    offset: float = 0.0,
) -> Gaussian:
    """The curves [class] of slope · x + offset, as those of the column x itself.

    >>> bell_curve("x", (2, 4), (1.0, 3.0), (0.5, 0.25)).sums
    (2, 12)
    """
    scale, moved = Fraction(slope), Fraction(offset)
    sums, squares = [], []
    for weight, mean, variance in zip(weights, means, variances, strict=True):
        own = (Fraction(mean) - moved) / scale
        sums.append(_exact(weight * own))
        squares.append(_exact(weight * (Fraction(variance) / scale**2 + own * own)))
    return Gaussian(name, tuple(weights), tuple(sums), tuple(squares), 0.0)


def _exact(value: Fraction) -> Exact:
    return value.numerator if value.denominator == 1 else value
