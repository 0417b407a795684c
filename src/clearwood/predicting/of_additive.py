"""An additive model's answers: rows to cells, cells to points, points to scores, scores through the link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.models.account.account import ColumnPlaces
from clearwood.models.decision import Decision, cheapest, cost_matrix, divided
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.model import account_of
from clearwood.predicting.columns import column_for
from clearwood.table.schema import Schema
from clearwood.table.table import Table


def scores_of_additive(model: AdditiveModel, table: Table) -> Floats:
    """[row, score] base, then the points of each column's and pair's cell, in the model's order."""
    account = account_of(model)
    scored = list(account.scored)
    terms = [
        ([_side(model.schema, side, table) for side in term.sides], term.added.T[scored].ravel())
        for term in account.places
    ]
    return _native.additive_scores(terms, account.start[scored], len(table))


def shares_of_additive(model: AdditiveModel, table: Table) -> Floats:
    """[row, class] what the link makes of the scores, times the decision's factors."""
    return shares_of_scores(scores_of_additive(model, table), model.link, model.decision)


def codes_of_additive(model: AdditiveModel, table: Table) -> Ints:
    """[row] the position of the class of least expected cost, first of equals."""
    return cheapest(shares_of_additive(model, table), cost_matrix(model.decision))


def numbers_of_additive(model: AdditiveModel, table: Table) -> Floats:
    """[row] the number."""
    return linked(scores_of_additive(model, table), model.link)[:, 0]


def contributions_of_one(model: AdditiveModel, row: Mapping[str, Any]) -> list[list[float]]:
    """[term][score] the points of one row, its values as the schema spells them; this defines prediction."""
    account = account_of(model)
    return [term.added[term.place(row), list(account.scored)].tolist() for term in account.places]


def additive_scores_of_one(model: AdditiveModel, row: Mapping[str, Any]) -> Floats:
    """[1, score] of one row, term after term as `scores_of_additive` adds them."""
    scores = list(model.base)
    for points in contributions_of_one(model, row):
        scores = [score + each for score, each in zip(scores, points, strict=True)]
    return np.array([scores])


def _side(schema: Schema, side: ColumnPlaces, table: Table) -> tuple[Any, int, Floats]:
    values = -1 if side.values is None else len(side.values)
    return column_for(schema[side.name], table), values, np.array(side.cuts, dtype=np.float64)


# The link: from the scores of a sum, an ensemble's or an additive model's, to shares or a number.


def shares_of_scores(scores: Floats, link: Link, decision: Decision) -> Floats:
    """[row, class] what the link makes of scores [row, score], times the decision's factors.

    >>> shares_of_scores(np.array([[0.0]]), "logistic", Decision(factors=(3.0, 1.0))).tolist()
    [[0.75, 0.25]]
    """
    shares = linked(scores, link)
    return divided(shares * np.array(decision.factors)) if decision.factors else shares


def linked(scores: Floats, link: Link) -> Floats:
    """[row, class] the shares, or [row, 1] the numbers, of these scores [row, score].

    >>> linked(np.array([[0.0]]), "logistic").tolist(), linked(np.array([[1.0, 1.0]]), "softmax").tolist()
    ([[0.5, 0.5]], [[0.5, 0.5]])
    """
    match link:
        case "identity":
            return scores
        case "exp":
            with np.errstate(over="ignore"):
                numbers: Floats = np.exp(scores)
            return numbers
        case "logistic":
            tail = np.exp(-np.abs(scores[:, 0]))
            likely, other = 1.0 / (1.0 + tail), tail / (1.0 + tail)
            second = np.where(scores[:, 0] >= 0, likely, other)
            return np.stack([np.where(scores[:, 0] >= 0, other, likely), second], axis=1)
        case "softmax":
            parts = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares: Floats = parts / parts.sum(axis=1, keepdims=True)
            return shares
        case _:
            assert_never(link)
