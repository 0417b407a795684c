"""Rows to judge a model's shares by: those of a class it knows, for which it gives shares."""

from __future__ import annotations

from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What the model gave each row, and what the row is; `left_out` counts those that cannot be judged."""

    shares: npt.NDArray[np.float64]  # [row, class]
    truth: npt.NDArray[np.int64]  # [row] code of the true class
    weights: npt.NDArray[np.float64]  # [row]
    left_out: int


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
    return Judged(predicted[kept], truth[kept], weights[kept], int((~kept).sum()))


def judged_together(parts: Sequence[Judged]) -> Judged:
    """The rows of several tables, each with the shares that its own model gave it."""
    return Judged(
        np.concatenate([part.shares for part in parts]),
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.weights for part in parts]),
        sum(part.left_out for part in parts),
    )


def check_judged(rows: Judged) -> None:
    """Refuse rows by which no share can be judged."""
    if not (rows.weights > 0).any():
        raise SchemaError("There are no rows to judge the shares by: none has a class that the model knows.")
