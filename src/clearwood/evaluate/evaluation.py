"""An Evaluation: how often, and where, a model's answers are wrong on a table's rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.errors import SchemaError
from clearwood.measures.wilson import wilson
from clearwood.models.tree import Tree
from clearwood.predict import predict, predict_codes
from clearwood.predict.columns import column_for
from clearwood.table.table import Table

Matrix: TypeAlias = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class ClassEvaluation:
    """Row weights by true class (down) and called class (across), and what follows from them.

    >>> print(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0))))
    accuracy 0.7857 (0.5241 to 0.9243 at 95 %), 14 rows
    true / called  No  Yes  recall  precision
    No              3    2  0.6000     0.7500
    Yes             1    8  0.8889     0.8000
    """

    classes: tuple[str, ...]
    confusion: Matrix

    @property
    def weight(self) -> float:
        return sum(map(sum, self.confusion))

    @property
    def accuracy(self) -> float:
        right = sum(row[i] for i, row in enumerate(self.confusion))
        return right / self.weight if self.weight else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, at 95 %."""
        right = sum(row[i] for i, row in enumerate(self.confusion))
        low, high = wilson(right, self.weight)
        return float(low), float(high)

    @property
    def recall(self) -> dict[str, float]:
        """By class: the part of its rows that were called so; NaN where it has none."""
        return {
            name: _part(self.confusion[i][i], sum(self.confusion[i])) for i, name in enumerate(self.classes)
        }

    @property
    def precision(self) -> dict[str, float]:
        """By class: the part of the rows called so that are of it; NaN where none was."""
        return {
            name: _part(self.confusion[i][i], sum(row[i] for row in self.confusion))
            for i, name in enumerate(self.classes)
        }

    def __str__(self) -> str:
        low, high = self.interval
        heading = f"accuracy {self.accuracy:.4f} ({low:.4f} to {high:.4f} at 95 %), {self.weight:g} rows"
        recall, precision = self.recall, self.precision
        rows = [["true / called", *self.classes, "recall", "precision"]]
        for i, name in enumerate(self.classes):
            cells = [f"{count:g}" for count in self.confusion[i]]
            rows.append([name, *cells, f"{recall[name]:.4f}", f"{precision[name]:.4f}"])
        return "\n".join([heading, *aligned(rows)])


@dataclass(frozen=True, slots=True)
class NumberEvaluation:
    """The errors of predicted numbers: Σ w, Σ w · |error|, Σ w · error², and Σ w · (y − mean y)²."""

    weight: float
    absolute: float
    squared: float
    spread: float

    @property
    def rmse(self) -> float:
        """The root of the mean squared error."""
        return math.sqrt(_part(self.squared, self.weight))

    @property
    def mae(self) -> float:
        """The mean absolute error."""
        return _part(self.absolute, self.weight)

    @property
    def r2(self) -> float:
        """The part of the spread about the mean that the model takes away."""
        return 1 - _part(self.squared, self.spread)

    def __str__(self) -> str:
        return f"RMSE {self.rmse:.6g}, MAE {self.mae:.6g}, R² {self.r2:.4f}, {self.weight:g} rows"


Evaluation: TypeAlias = ClassEvaluation | NumberEvaluation


def evaluate(model: Tree, table: Table) -> Evaluation:
    """A model's answers beside the truth; rows whose target is empty are left out."""
    if len(table) == 0:
        raise SchemaError("There are no rows to evaluate on.")
    truth = true_answers(model, table)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    if model.is_numeric:
        return number_evaluation(truth, predict(model, table), weights)
    return class_evaluation(model.schema.classes, truth, predict_codes(model, table), weights)


def true_answers(model: Tree, table: Table) -> npt.NDArray[np.generic]:
    """[row] The table's target as the model codes it."""
    target = model.schema.target
    if target is None or target.name not in table.columns:
        raise SchemaError("To evaluate a model the table needs the column it predicts.")
    return column_for(target, table)


def class_evaluation(
    classes: tuple[str, ...],
    truth: npt.NDArray[np.generic],
    called: npt.NDArray[np.generic],
    weights: npt.NDArray[np.float64],
) -> ClassEvaluation:
    """Codes [row] of true and called classes, counted by weight; rows of other classes are left out."""
    k = len(classes)
    codes = np.asarray(truth, dtype=np.int64)
    known = (codes >= 0) & (codes < k)
    cells = codes[known] * k + np.asarray(called, dtype=np.int64)[known]
    counted = np.bincount(cells, weights[known], minlength=k * k).reshape(k, k)
    return ClassEvaluation(classes, tuple(map(tuple, counted.tolist())))


def number_evaluation(
    truth: npt.NDArray[np.generic], said: npt.NDArray[np.generic], weights: npt.NDArray[np.float64]
) -> NumberEvaluation:
    """Numbers [row], true and predicted."""
    y = np.asarray(truth, dtype=np.float64)
    known = ~np.isnan(y)
    y, w = y[known], weights[known]
    error = y - np.asarray(said, dtype=np.float64)[known]
    total = float(w.sum())
    mean = float((w * y).sum()) / total if total else 0.0
    return NumberEvaluation(
        total,
        float((w * np.abs(error)).sum()),
        float((w * error**2).sum()),
        float((w * (y - mean) ** 2).sum()),
    )


def aligned(rows: list[list[str]]) -> list[str]:
    """Rows of cells as lines: the first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]


def _part(some: float, whole: float) -> float:
    return some / whole if whole > 0 else float("nan")
