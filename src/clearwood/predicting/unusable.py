"""Unusable cells: what a model asks about a row and cannot use, because it is empty or was never met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.models.kinds.rules.rule_list import RuleList, rule_weights
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used, space_of
from clearwood.predicting.columns import column_for
from clearwood.predicting.of_rules import first_rule, votes
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.table import MISSING, Table


@dataclass(frozen=True, slots=True, eq=False)
class Unusable:
    """Of one column [row]: does the cell hold a value that the model has never met, or is it empty where the
    model has no branch, rule, probability or weight for empty cells?"""

    name: str
    unseen: Bools
    missing: Bools

    @property
    def either(self) -> Bools:
        """[row] is the cell one of them?"""
        return self.unseen | self.missing


def unusable_cells(model: Model, table: Table) -> tuple[Unusable, ...]:
    """The columns that have such cells, in the schema's order. Texts have none: they are read by words.

    A cell counts wherever the model asks its column in some row, even if this row never comes to it.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> rows = cw.encode([{"Outlook": "Foggy", "Humidity": None, "Wind": "Weak", "Temperature": 20}],
    ...                  table.schema)
    >>> [(each.name, each.unseen.tolist(), each.missing.tolist())
    ...  for each in unusable_cells(cw.NaiveBayes().learn(table), rows)]
    [('Outlook', [True], [False]), ('Humidity', [False], [True])]
    """
    needed, space = columns_used(model), space_of(model)
    with_a_way = space.takes_missing()
    unusable = []
    for attribute in model.schema.inputs:
        name = attribute.name
        if name not in needed or isinstance(attribute, Text):
            continue
        cells = column_for(attribute, table)
        if isinstance(attribute, Numeric):
            missing, unseen = np.isnan(cells), np.zeros(len(table), dtype=np.bool_)
        else:
            assert isinstance(attribute, Nominal | Ordinal)
            missing = cells == MISSING
            # −2 picks the last but one: a value that the schema does not list.
            unseen = np.array([*space.without_a_place(attribute), True, False])[cells]
        if name in with_a_way:
            missing = np.zeros_like(missing)
        if missing.any() or unseen.any():
            unusable.append(Unusable(name, unseen, missing))
    return tuple(unusable)


def rule_for_unusable(model: Model, name: str) -> str:
    """How the model answers such cells of a column, as the end of a sentence."""
    return space_of(model).unusable(name)


# Rows left unanswered, and why: they are referred, or there is nothing that answers them.


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
