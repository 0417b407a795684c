"""What a model and its imitation answer on held-out rows, compared with each other and with the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats
from clearwood.explain.dependence import answer_matrix
from clearwood.models.model import Model
from clearwood.models.predicted import predicted_quantile
from clearwood.scoring.evaluation import number_evaluation
from clearwood.study.distilling.fidelity import difference_of, fidelity_of
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
