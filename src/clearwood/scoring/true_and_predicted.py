"""True and predicted: the numbers that a model answers beside those that came true."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SchemaError, SettingError
from clearwood.models.kept import check_kind
from clearwood.models.model import Model
from clearwood.predicting import predict
from clearwood.predicting.columns import table_for
from clearwood.records import dataclass
from clearwood.scoring.evaluation import true_answers
from clearwood.table.table import Table


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
    true = np.asarray(true_answers(model, table), dtype=np.float64)
    predicted = np.asarray(predict(model, table), dtype=np.float64)
    known = ~np.isnan(true) & ~np.isnan(predicted)  # rules may leave a row unanswered
    assert model.schema.target is not None
    return TrueAndPredicted(model.schema.target.name, true[known], predicted[known], int((~known).sum()))
