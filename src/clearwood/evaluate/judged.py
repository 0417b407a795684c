"""Rows to judge a model's shares by: those of a class it knows, and of which it says something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.errors import SchemaError
from clearwood.evaluate.evaluation import true_answers
from clearwood.models.model import Model
from clearwood.predict import shares
from clearwood.predict.columns import table_for


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What the model gave each row, and what the row is; `left_out` counts those that cannot be judged."""

    shares: npt.NDArray[np.float64]  # [row, class]
    truth: npt.NDArray[np.int64]  # [row] code of the true class
    weights: npt.NDArray[np.float64]  # [row]
    left_out: int


def judged(model: Model, table: Any) -> Judged:
    """A model's shares beside the truth; `table` is a Table, or anything a table can be made of."""
    table = table_for(model, table, with_target=True)
    found = shares(model, table)
    truth = np.asarray(true_answers(model, table), dtype=np.int64)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    kept = (truth >= 0) & (found.sum(axis=1) > 0)
    if not (weights[kept] > 0).any():
        raise SchemaError("There are no rows to judge the shares by: none has a class that the model knows.")
    return Judged(found[kept], truth[kept], weights[kept], int((~kept).sum()))
