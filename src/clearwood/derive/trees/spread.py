"""Spread in figures: how far numbers are from their mean, by three sums, or from their median, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.numbers import BySums, WeightByValue
from clearwood.derive.trees.impurity import WrittenMeasure
from clearwood.derive.trees.place import TreePlace
from clearwood.formulas.expressions import (
    Applied,
    Expression,
    Extreme,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    count,
)
from clearwood.measures.absolute_error import absolute_error
from clearwood.working.figures import Figure

_MOST_TERMS: Final = 40  # a longer sum is named, not written out


def spread_of(numbers: BySums | WeightByValue) -> WrittenMeasure:
    """How the error of a tree of numbers is written."""
    match numbers:
        case BySums(_, origin):
            return _FROM_ZERO if origin == 0 else _FROM_NEAR
        case WeightByValue(values):
            return _from_the_median(values)


def centre_figures(place: TreePlace) -> tuple[Figure, ...]:
    """The number from which those of the rows are measured: their mean, or their median."""
    numbers = place.task.numbers
    assert numbers is not None
    _, centre, _ = place.task.summary(place.counts)
    if isinstance(numbers, WeightByValue):
        return (Figure("median", centre, rows=place.rows),)
    weight, distance, _ = place.counts.tolist()
    share = Quotient(count(distance), count(weight))
    if numbers.origin == 0:
        return (Figure("mean", centre, _mean(_Y), share, place.rows),)
    reason = "A round number near the mean: the squares of distances from it keep all their digits."
    return (
        Figure("c", numbers.origin, because=reason),
        Figure(
            "mean", centre, Sum((_C, _mean(_FROM_C))), Sum((count(numbers.origin), share)), place.rows
        ),
    )  # fmt: skip


_Y: Final = Symbol("y", means="the value of a row")
_C: Final = Symbol("c", means="a value near the mean, from which distances are taken")
_N: Final = Symbol("n", means="the sum of the rows' weights")
_W: Final = Symbol("w", means="the weight of a row")
_FROM_C: Final = Sum((_Y, Negative(_C)))
_TWO: Final = Number(2)


def _mean(of: Expression) -> Expression:
    return Quotient(Over("Σ", "i", Product((_W, of))), _N)


def _about_the_mean(squares: Expression, distances: Expression, weight: Expression) -> Expression:
    """Σ(y − ȳ)² ÷ n, by the sums of the distances and of their squares."""
    return Quotient(Sum((squares, Negative(Quotient(Power(distances, _TWO), weight)))), weight)


def _formula(distance: Expression) -> Expression:
    squares = Over("Σ", "i", Product((_W, Power(distance, _TWO))))
    return _about_the_mean(squares, Over("Σ", "i", Product((_W, distance))), _N)


def _by_sums(counts: Sequence[float], value: float) -> Expression:
    weight, distances, squares = counts
    if not weight > 0 or value == 0:
        return Number(0)
    return _about_the_mean(count(squares), count(distances), count(weight))


_MSE: Final = "the mean squared error"
_FROM_ZERO: Final = WrittenMeasure("MSE", _formula(_Y), _by_sums, means=_MSE)
_FROM_NEAR: Final = WrittenMeasure("MSE", _formula(_FROM_C), _by_sums, means=_MSE)


def _from_the_median(values: Floats) -> WrittenMeasure:
    def put_in(counts: Sequence[float], value: float) -> Expression:
        held = [(y, w) for y, w in zip(values.tolist(), counts, strict=True) if w > 0]
        total = count(sum(w for _, w in held))
        if not held:
            return Number(0)
        if len(held) > _MOST_TERMS:
            return Applied("mean absolute deviation", (total,), value)
        median = Number(float(absolute_error(values, np.asarray(counts))[0]))
        away = [(w, Sum((Number(y), Negative(median)))) for y, w in held]
        terms = [Product((count(w), Extreme("max", (gap, Negative(gap))))) for w, gap in away]
        return Quotient(Sum(tuple(terms)), total)

    gap = Sum((_Y, Negative(Symbol("median"))))
    return WrittenMeasure("MAE", _mean(Applied("abs", (gap,))), put_in, means="the mean absolute error")
