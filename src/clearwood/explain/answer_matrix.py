"""A model's answers to many rows as one matrix: the share of each class, or one number."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.model import Model
from clearwood.predict import predict, shares
from clearwood.table.table import Table


def score_names(model: Model) -> tuple[str, ...]:
    """What the columns of the matrix are called: the classes, or the number that is predicted."""
    assert model.schema.target is not None
    return (model.schema.target.name,) if model.is_numeric else model.schema.classes


def answer_matrix(model: Model, table: Table) -> Floats:
    """[row, score]; NaN, or shares of 0, where a rule list says nothing."""
    if not model.is_numeric:
        return shares(model, table)
    return np.asarray(predict(model, table), dtype=np.float64)[:, None]
