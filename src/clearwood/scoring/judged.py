"""Rows to judge a model's shares by: those of a class it knows, for which it gives shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.errors import SchemaError
from clearwood.models.model import Model
from clearwood.predict import shares
from clearwood.predict.columns import table_for
from clearwood.scoring.evaluation import true_answers
from clearwood.table.table import Table
from clearwood.table.weights import WeightsAre, effective_rows


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


def check_judged(rows: Judged) -> None:
    """Refuse rows by which no share can be judged."""
    if not (rows.weights > 0).any():
        raise SchemaError(
            "There are no rows to evaluate the probabilities on: none has a class that the model knows."
        )
