"""Rows left unanswered, and why: they are referred, or there is nothing that answers them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.predict.matching import first_rule, votes
from clearwood.predict.of_rules import rule_weights
from clearwood.table.table import Table


def unanswered(called: npt.NDArray[np.generic]) -> Bools:
    """[row] is there no answer? `called` are positions of classes, or numbers.

    >>> unanswered(np.array([0, -1])).tolist(), unanswered(np.array([np.nan, 2.5])).tolist()
    ([False, True], [True, False])
    """
    empty: Bools = np.isnan(called) if called.dtype.kind == "f" else np.less(called, 0)
    return empty


def referred(model: Model, table: Table) -> Bools:
    """[row] of rows that are left unanswered: does a rule or the model's decision refer it?

    Otherwise no rule answers it, or every share of it is 0.
    """
    if not isinstance(model, RuleList):
        return np.full(len(table), model.decision.refer is not None)
    if model.otherwise.then is not None:
        return np.ones(len(table), dtype=np.bool_)
    if model.matching == "first":
        return first_rule(model, table) >= 0
    return votes(model, table, rule_weights(model)[:-1])[1] > 0
