"""What a model and its imitation answer on held-out rows, compared with each other and with the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, assert_never

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.explaining.dependence import answer_matrix
from clearwood.formulas.conditions import Condition
from clearwood.measures.intervals import wilson
from clearwood.measures.p_values import normal_quantile
from clearwood.models.decision_words import all_of_shortened
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.paths import path_to
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.models.predicted import predicted_quantile
from clearwood.predicting import leaf_of
from clearwood.predicting.of_rules import first_rule
from clearwood.records import json_of
from clearwood.scoring.evaluation import number_evaluation
from clearwood.study.distilling.rows import codes_or_numbers, truth_of
from clearwood.table.table import Column, Table
from clearwood.words.numbers import figure, percent_to, row_count
from clearwood.words.numbers import rows as rows_of


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


# The regions of an imitation: its leaves or rules, and how far it differs from the model in each.


_VALUES: Final = 5  # of a set that are named


@dataclass(frozen=True, slots=True)
class DistilledRegion:
    """The rows under some conditions (none: the default rule), what both answer there, and how they differ.

    `number` is the leaf's node or the rule's place, −1 of the default rule. `disagreement` is the weighted
    part of the region's rows that the two answer differently; of numbers the root of the mean squared
    difference. `model_answers` are the model's classes there with their weight, or the mean of its numbers.
    """

    number: int
    when: tuple[Condition, ...]
    weight: float
    answer: str | float | None
    model_answers: dict[str, float] | float
    disagreement: float

    def to_json(self) -> dict[str, Any]:
        return json_of(self, when=[str(each) for each in self.when])

    def __str__(self) -> str:
        place = all_of_shortened(self.when, _VALUES) or ("otherwise" if self.number < 0 else "all rows")
        rows = row_count(self.weight)
        if isinstance(self.model_answers, dict):
            answer = "no prediction" if self.answer is None else self.answer
            theirs = ", ".join(f"{name} {rows_of(weight)}" for name, weight in self.model_answers.items())
            return f"{place}: {answer}, the model {theirs}; {percent_to(self.disagreement)} of {rows} differ"
        own = figure(self.answer) if isinstance(self.answer, float) else "no prediction"
        means = f"{own}, the model {figure(self.model_answers)} on average"
        return f"{place}: {means}; off by {figure(self.disagreement)} in {rows}"


def regions_of(
    learned: Model, table: Table, theirs: Column, ours: Column, weights: Floats
) -> tuple[DistilledRegion, ...]:
    """One for each leaf, or rule that is the first to hold, that rows come to; none of other models.

    Those that cost most fidelity come first.
    """
    match learned:
        case Tree():
            place: Longs = leaf_of(learned, table).astype(np.int64)
            conditions = {int(leaf): path_to(learned, int(leaf)) for leaf in np.unique(place)}
        case RuleList():
            place = first_rule(learned, table).astype(np.int64)
            conditions = {
                int(rule): learned.rules[rule].when if rule >= 0 else () for rule in np.unique(place)
            }
        case BayesTables() | LinearModel() | Ensemble() | AdditiveModel():
            return ()
        case _:
            assert_never(learned)
    made = [
        _region(learned, where, when, place == where, theirs, ours, weights)
        for where, when in conditions.items()
        if weights[place == where].sum() > 0
    ]
    return tuple(sorted(made, key=lambda each: (-_cost(each), each.number)))


def _cost(region: DistilledRegion) -> float:
    squared = not isinstance(region.model_answers, dict)
    return region.weight * (region.disagreement**2 if squared else region.disagreement)


def _region(
    learned: Model,
    where: int,
    when: tuple[Condition, ...],
    here: Column,
    theirs: Column,
    ours: Column,
    weights: Floats,
) -> DistilledRegion:
    theirs, ours, weights = theirs[here], ours[here], weights[here]
    total = float(weights.sum())
    if learned.is_numeric:
        off = float(np.sqrt(np.average((theirs - ours) ** 2, weights=weights)))
        answer, mean = float(np.average(ours, weights=weights)), float(np.average(theirs, weights=weights))
        return DistilledRegion(where, when, total, answer, mean, off)
    names = (*learned.schema.classes, "no prediction")
    counts = np.bincount(np.where(theirs < 0, len(names) - 1, theirs), weights, minlength=len(names))
    answers = {
        names[code]: float(counts[code]) for code in np.argsort(-counts, kind="stable") if counts[code] > 0
    }
    usual = int(np.bincount(np.where(ours < 0, len(names) - 1, ours), weights, minlength=len(names)).argmax())
    differs = float(np.average(theirs != ours, weights=weights))
    return DistilledRegion(
        where, when, total, None if usual == len(names) - 1 else names[usual], answers, differs
    )
