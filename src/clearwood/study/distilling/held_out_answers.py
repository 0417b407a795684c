"""What a model and its imitation answer on held-out rows, compared with each other and with the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats
from clearwood.explain.dependence import answer_matrix
from clearwood.measures.intervals import wilson
from clearwood.measures.p_values import normal_quantile
from clearwood.models.model import Model
from clearwood.models.predicted import predicted_quantile
from clearwood.scoring.evaluation import number_evaluation
from clearwood.study.distilling.rows import codes_or_numbers, truth_of
from clearwood.table.table import Column, Table


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutAnswers:
    """The answers of both, as codes of classes or numbers; `truth` is None where the table has none."""

    model: Column
    imitation: Column
    truth: Column | None
    weights: Floats
    numeric: bool
    quantile: float | None  # that the model predicts

    @classmethod
    def of(cls, model: Model, imitation: Model, rows: Table) -> HeldOutAnswers:
        return cls(
            codes_or_numbers(model, rows),
            codes_or_numbers(imitation, rows),
            truth_of(model, rows),
            np.ones(len(rows)) if rows.weights is None else rows.weights,
            model.is_numeric,
            predicted_quantile(model),
        )

    @property
    def fidelity(self) -> tuple[float, tuple[float, float]]:
        """Of the imitation, with its interval."""
        return self._alike(self.model, self.imitation)

    @property
    def difference(self) -> float | None:
        """The mean absolute difference of both; None where no quantile is predicted."""
        return None if self.quantile is None else difference_of(self.model, self.imitation, self.weights)

    def accuracy(self, answers: Column) -> float | None:
        """Against the truth; None where there is none, or where a quantile is predicted."""
        if self.truth is None or self.quantile is not None:
            return None
        return self._alike(self.truth, answers)[0]

    def loss(self, answers: Column) -> float | None:
        """The quantile loss against the truth; None where there is none, or no quantile is predicted."""
        if self.truth is None or self.quantile is None:
            return None
        return number_evaluation(self.truth, answers, self.weights, self.quantile).score[1]

    def _alike(self, one: Column, other: Column) -> tuple[float, tuple[float, float]]:
        absolute = self.quantile is not None
        return fidelity_of(one, other, self.weights, numeric=self.numeric, absolute=absolute)


def shares_off(model: Model, imitation: Model, rows: Table, weights: Floats) -> float | None:
    """How much of a row's shares stands at another class, on average; NaN where one has none, None of
    numbers."""
    if model.is_numeric:
        return None
    theirs, ours = answer_matrix(model, rows), answer_matrix(imitation, rows)
    known = (theirs.sum(axis=1) > 0) & (ours.sum(axis=1) > 0) & (weights > 0)
    if not known.any():
        return float("nan")
    off = np.abs(theirs - ours).sum(axis=1)[known] / 2
    return float(np.average(off, weights=weights[known]))


# Fidelity: how far one model answers as another does, with an interval from the rows that were compared.


def fidelity_of(
    one: Column, other: Column, weights: Floats, *, numeric: bool, absolute: bool = False
) -> tuple[float, tuple[float, float]]:
    """Of classes the part that is equal; of numbers the part of the first's variance that the second follows.

    With it the interval at 95 %: Wilson's of a part; of a variance by the spread of what each row adds to it
    (the delta method). `absolute`: in place of the variance the mean absolute deviation from the median, for
    numbers that are quantiles. Rows where the first has no answer do not count; the result is NaN where none
    has.

    >>> one, other = np.array([0, 1, 1, -1]), np.array([0, 1, 0, 0])
    >>> round(fidelity_of(one, other, np.ones(4), numeric=False)[0], 3)
    0.667
    >>> value, (low, high) = fidelity_of(
    ...     np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 3.0]), np.ones(4), numeric=True
    ... )
    >>> round(value, 3), round(low, 3), round(high, 3)
    (0.8, 0.52, 1.0)
    """
    known = np.isfinite(one) if numeric else one >= 0
    one, other, weights = one[known], other[known], weights[known]
    total = float(weights.sum())
    if not total > 0:
        return math.nan, (math.nan, math.nan)
    if not numeric:
        alike = float(weights[one == other].sum())
        low, high = wilson(alike, total)
        return alike / total, (float(low), float(high))
    part = weights / total
    middle = _median(one, part) if absolute else float((part * one).sum())
    from_middle = np.abs(one - middle) if absolute else (one - middle) ** 2
    gap = one - np.nan_to_num(other, nan=middle)
    off = np.abs(gap) if absolute else gap**2
    spread, left = float((part * from_middle).sum()), float((part * off).sum())
    if not spread > 0:
        value = float(left == 0)
        return value, (value, value)
    value = 1 - left / spread
    pull = (off - (1 - value) * from_middle) / spread  # how far a row draws 1 − value from where it is
    reach = normal_quantile(0.975) * math.sqrt(float((part**2 * pull**2).sum()))
    return value, (float(value - reach), min(float(value + reach), 1.0))


def difference_of(one: Column, other: Column, weights: Floats) -> float:
    """The mean absolute difference of numbers, over the rows where both have one; NaN where none has.

    >>> difference_of(np.array([1.0, 2.0, np.nan]), np.array([1.0, 4.0, 7.0]), np.ones(3))
    1.0
    """
    known = np.isfinite(one) & np.isfinite(other) & (weights > 0)
    if not known.any():
        return math.nan
    return float(np.average(np.abs(one - other)[known], weights=weights[known]))


def _median(numbers: Column, part: Floats) -> float:
    order = np.argsort(numbers, kind="stable")
    place = int(np.searchsorted(np.cumsum(part[order]), 0.5))
    return float(numbers[order[min(place, len(order) - 1)]])
