"""Predictions: what models gave each judged row, beside what came true; every score is computed from them.

The rows may have been judged by several models, each by the one that had not learned from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Longs, distinct
from clearwood.errors import SchemaError, SettingError
from clearwood.models.model import Model, check_kind
from clearwood.models.predicted import predicted_quantile
from clearwood.predicting.batch import predict, predict_codes, shares
from clearwood.predicting.columns import table_for
from clearwood.records import dataclass
from clearwood.scoring.costs import Matrix
from clearwood.scoring.evaluation import (
    ClassEvaluation,
    NumberEvaluation,
    class_evaluation,
    number_evaluation,
    true_answers,
)
from clearwood.table.schema import WeightsAre, effective_rows
from clearwood.table.table import MISSING, Table


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClassPredictions:
    """The rows that have a true class; `left_out` counts those without one.

    `truth` and `answers` are positions in `classes`: a truth below 0 is a class that the model does not know,
    an answer below 0 is none. A row of `shares` that are all 0 got none. `places` are the rows' positions in
    the table, `part` numbers the model that judged each. `costs` are those that the model is judged by, none
    where nobody gave any. Rows of the same number in `units` belong together,
    as those of one customer do; None: each is by itself.
    """

    classes: tuple[str, ...]
    truth: Longs  # [row]
    answers: Longs  # [row]
    shares: Floats  # [row, class]
    weights: Floats  # [row], on the scale of rows
    places: Longs  # [row]
    part: Longs  # [row]
    left_out: int = 0
    weights_are: WeightsAre | None = None
    costs: Matrix = ()
    units: Longs | None = None  # [row]

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def evaluation(self) -> ClassEvaluation:
        """The answers, counted."""
        counted = class_evaluation(self.classes, self.truth, self.answers, self.weights)
        return replace(
            counted,
            left_out=self.left_out,
            costs=self.costs,
            effective=rows_that_speak(self, self.answers >= 0) if self.weighs else None,
        )

    @property
    def weighs(self) -> bool:
        """Do the weights say more than how many equal rows there are?"""
        return self.weights_are in ("sampling", "importance")

    @property
    def judged(self) -> Judged:
        """The rows by which shares can be judged: of a class that the model knows, and with some."""
        kept = (self.truth >= 0) & (self.shares.sum(axis=1) > 0)
        left_out = self.left_out + int((~kept).sum())
        places = len(distinct(self.places))
        return Judged(
            self.shares[kept],
            self.truth[kept],
            self.weights[kept],
            left_out,
            self.weights_are,
            len(self) / places if places else 1.0,
            None if self.units is None else self.units[kept],
        )

    def take(self, rows: Longs | Bools) -> ClassPredictions:
        """Those of these rows (positions, or a mask)."""
        return replace(self, left_out=0, **{name: cells[rows] for name, cells in _by_row(self).items()})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NumberPredictions:
    """The rows that have a true number; `left_out` counts those without one. An answer that is NaN is none.

    `quantile` is what the model predicts, None: means; rows of one number in `units` belong together.
    """

    target: str
    truth: Floats  # [row]
    answers: Floats  # [row]
    weights: Floats  # [row], on the scale of rows
    places: Longs  # [row]
    part: Longs  # [row]
    left_out: int = 0
    weights_are: WeightsAre | None = None
    quantile: float | None = None
    units: Longs | None = None  # [row]

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def evaluation(self) -> NumberEvaluation:
        """The errors, summed."""
        summed = number_evaluation(self.truth, self.answers, self.weights, self.quantile)
        return replace(summed, left_out=self.left_out)

    @property
    def answered(self) -> TrueAndPredicted:
        """The numbers of the rows that got an answer."""
        known = ~np.isnan(self.answers)
        left_out = self.left_out + int((~known).sum())
        return TrueAndPredicted(self.target, self.truth[known], self.answers[known], left_out)

    def take(self, rows: Longs | Bools) -> NumberPredictions:
        """Those of these rows (positions, or a mask)."""
        return replace(self, left_out=0, **{name: cells[rows] for name, cells in _by_row(self).items()})


Predictions: TypeAlias = ClassPredictions | NumberPredictions


def _by_row(predictions: Predictions) -> dict[str, Any]:
    """What has a cell for each row."""
    names = ("truth", "answers", "shares", "weights", "places", "part", "units")
    cells = {name: getattr(predictions, name, None) for name in names}
    return {name: each for name, each in cells.items() if each is not None}


P = TypeVar("P", ClassPredictions, NumberPredictions)


def predictions_of(
    model: Model,
    table: Table,
    *,
    places: Longs | None = None,
    part: int = 0,
    answers_only: bool = False,
    units: Longs | None = None,
) -> Predictions:
    """What a model gives the rows of a table in its own columns; `places` are their positions elsewhere, and
    those of the same number in `units` belong together.

    `answers_only` leaves the shares at 0, for scores that need none.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> predictions_of(cw.ID3(max_depth=1).learn(table), table).evaluation.accuracy
    0.7142857142857143
    """
    target = model.schema.predicted
    truth = np.asarray(true_answers(model, table), dtype=np.float64 if model.is_numeric else np.int64)
    known = ~np.isnan(truth) if model.is_numeric else truth != MISSING
    rows, count = len(table), int(known.sum())
    weights = np.ones(rows) if table.weights is None else table.weights
    shared: dict[str, Any] = {
        "truth": truth[known],
        "weights": weights[known],
        "places": (np.arange(rows, dtype=np.int64) if places is None else places)[known],
        "part": np.full(count, part, dtype=np.int64),
        "left_out": rows - count,
        "weights_are": table.weights_are,
        "units": None if units is None else units[known],
    }
    if model.is_numeric:
        numbers = np.asarray(predict(model, table), dtype=np.float64)[known]
        quantile = predicted_quantile(model)
        return NumberPredictions(target=target.name, answers=numbers, quantile=quantile, **shared)
    classes = model.schema.classes
    return ClassPredictions(
        classes=classes,
        answers=np.asarray(predict_codes(model, table), dtype=np.int64)[known],
        shares=np.broadcast_to(0.0, (count, len(classes))) if answers_only else shares(model, table)[known],
        costs=model.decision.costs_kept,
        **shared,
    )


def predictions_together(parts: Sequence[Predictions]) -> Predictions:
    """The rows of several models as one; all of them predict the same target.

    Where their costs differ there are none: each model would count in other units.
    """
    by_row = [_by_row(each) for each in parts]
    joined: dict[str, Any] = {
        name: np.concatenate([each[name] for each in by_row])
        for name in by_row[0]
        if all(name in each for each in by_row)
    }
    left_out = sum(each.left_out for each in parts)
    together = replace(parts[0], **{"units": None, **joined}, left_out=left_out)
    if not isinstance(together, ClassPredictions):
        return together
    alike = all(isinstance(each, ClassPredictions) and each.costs == together.costs for each in parts)
    return together if alike else replace(together, costs=())


def rows_that_speak(predictions: ClassPredictions, which: Bools) -> float:
    """The rows that some rows speak for: the sum of their weights, or of sampling and importance weights
    Kish's effective number of just these; one that several models judged is one row."""
    weights = predictions.weights[which]
    if not predictions.weighs:
        return float(weights.sum())
    _, inverse = np.unique(predictions.places[which], return_inverse=True)
    return effective_rows(np.bincount(inverse, weights).astype(np.float64))


def counted_once(predictions: Predictions) -> Predictions:
    """The predictions with the weight of a row divided among the models that judged it: all of them together
    count as one. As they are where none judged twice."""
    places, inverse, times = np.unique(predictions.places, return_inverse=True, return_counts=True)
    if len(places) == len(predictions):
        return predictions
    return replace(predictions, weights=predictions.weights / times[inverse])


def in_own_order(predictions: Predictions) -> Predictions:
    """The predictions in an order that only what rows are and are given decides, so that no sum over them
    follows the order of a file, not even in its last digit."""
    return replace(predictions.take(_own_order([predictions])), left_out=predictions.left_out)


def together_in_own_order(one: Predictions, other: Predictions) -> tuple[Predictions, Predictions]:
    """What two models gave the same rows, in an order that both decide."""
    order = _own_order([one, other])
    return (
        replace(one.take(order), left_out=one.left_out),
        replace(other.take(order), left_out=other.left_out),
    )


def _own_order(given: Sequence[Predictions]) -> Longs:
    first = given[0]
    keys: list[Longs | Floats] = [first.weights]
    for each in given:
        keys += [*each.shares.T] if isinstance(each, ClassPredictions) else []
        keys += [each.answers, each.part]
    return np.lexsort([*keys, first.truth])


# Rows to judge a model's shares by: those of a class it knows, for which it gives shares.


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What the model gave each row, and what the row is; `left_out` counts those that cannot be judged. Rows
    of the same number in `units` belong together; None: each is by itself."""

    shares: npt.NDArray[np.float64]  # [row, class]
    truth: npt.NDArray[np.int64]  # [row] code of the true class
    weights: npt.NDArray[np.float64]  # [row]
    left_out: int
    weights_are: WeightsAre | None = None
    times: float = 1.0  # a row is judged so often, each time with a part of its weight
    units: npt.NDArray[np.int64] | None = None  # [row]

    @property
    def weighs(self) -> bool:
        """Do the weights say more than how many equal rows there are?"""
        return self.weights_are in ("sampling", "importance")

    def rows_of(self, weights: npt.NDArray[np.float64]) -> float:
        """The rows that some of these weights speak for: their sum, or Kish's effective number."""
        return effective_rows(weights) / self.times if self.weighs else float(weights.sum())


def judged(model: Model, table: Any) -> Judged:
    """A model's shares beside the truth; `table` is a Table, or anything a table can be made of."""
    rows = shares_beside(model, table_for(model, table, with_target=True))
    check_judged(rows)
    return rows


def shares_beside(model: Model, table: Table) -> Judged:
    """The same, of a table in the model's own columns, which may have no such rows."""
    predicted = shares(model, table)
    truth = np.asarray(true_answers(model, table), dtype=np.int64)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    kept = (truth >= 0) & (predicted.sum(axis=1) > 0)
    return Judged(predicted[kept], truth[kept], weights[kept], int((~kept).sum()), table.weights_are)


def judged_by_content(rows: Judged) -> Judged:
    """The rows in an order that only what they are and are given decides: sums and folds then do not follow
    the order of a file."""
    order = np.lexsort((rows.weights, *rows.shares.T, rows.truth))
    units = None if rows.units is None else rows.units[order]
    return replace(
        rows, shares=rows.shares[order], truth=rows.truth[order], weights=rows.weights[order], units=units
    )


def check_judged(rows: Judged) -> None:
    """Refuse rows by which no share can be judged."""
    if not (rows.weights > 0).any():
        raise SchemaError(
            "There are no rows to evaluate the probabilities on: none has a class that the model knows."
        )


# Small steps of weighing rows: the weights of some of them, and parts of sums that may be nothing.


def weights_of_rows(weights: Floats, rows: Longs) -> Floats:
    """The weights [draw, row] of these rows; no copy where they are all there are, in order or reversed."""
    if len(rows) and len(rows) == weights.shape[1]:
        if rows[0] == 0 and (np.diff(rows) == 1).all():
            return weights
        if rows[-1] == 0 and (np.diff(rows) == -1).all():
            return weights[:, ::-1]
    return np.take(weights, rows, axis=1)


def divided_or_nan(some: Floats, whole: Floats, nothing: float = float("nan")) -> Floats:
    """Some ÷ whole; `nothing` where the whole is not above 0."""
    parts: Floats = np.divide(some, whole, out=np.full(np.shape(some), nothing), where=whole > 0)
    return parts


def weighted_mean(weights: Floats, values: Floats) -> Floats:
    """[draw] The mean of the values [row] by weights [draw, row]; NaN where all weigh nothing."""
    return divided_or_nan(summed_by_weight(weights, values), weights.sum(axis=1))


def summed_by_weight(weights: Floats, values: Floats) -> Floats:
    """[draw] Σ weight · value, the same on any number of threads."""
    return np.asarray(np.einsum("dr,r->d", weights, values))


# Numbers: what a model answers beside what came true.


@dataclass(frozen=True, slots=True, eq=False)
class TrueAndPredicted:
    """The numbers of the rows that have a true answer and got one; `left_out` counts the others. `target` is
    the predicted column."""

    target: str
    true: Floats  # [row]
    predicted: Floats  # [row]
    left_out: int = 0


def true_and_predicted(model: Model, table: Any) -> TrueAndPredicted:
    """Compare predicted numbers with the truth; `table` is a Table, or anything a table can be made of.

    >>> from clearwood.learners.trees.cart import CART
    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1, 1, 2, 2], "y": [1.0, 2.0, 7.0, 9.0]}, target="y")
    >>> true_and_predicted(CART().learn(table), table).predicted.tolist()
    [1.5, 1.5, 8.0, 8.0]
    """
    check_kind("true_and_predicted", model)
    if not model.is_numeric:
        raise SettingError("This model predicts classes, not numbers: see evaluate, roc and calibration.")
    numbers = numbers_beside(model, table_for(model, table, with_target=True))
    if not len(numbers.true):
        raise SchemaError("There are no rows to compare with: none has a true value.")
    return numbers


def numbers_beside(model: Model, table: Table) -> TrueAndPredicted:
    """The same, of a table in the model's own columns, where no answer may be known."""
    numbers = predictions_of(model, table)
    assert isinstance(numbers, NumberPredictions)
    return numbers.answered
