"""Unusable cells: what a model asks about a row and cannot use, because it is empty or was never met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.formulas.conditions import IsMissing
from clearwood.models.columns_used import columns_used
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, ValueTerm
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_counts import rule_weights
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.predicting.columns import column_for
from clearwood.predicting.of_linear import averaged_columns
from clearwood.predicting.of_rules import first_rule, votes
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
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
    needed, with_a_way = columns_used(model), _takes_empty_cells(model)
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
            unseen = np.array([*_without_a_place(model, attribute), True, False])[cells]
        if name in with_a_way:
            missing = np.zeros_like(missing)
        if missing.any() or unseen.any():
            unusable.append(Unusable(name, unseen, missing))
    return tuple(unusable)


def rule_for_unusable(model: Model, name: str) -> str:
    """How the model answers such cells of a column, as the end of a sentence."""
    match model:
        case Tree():
            return "such rows follow a surrogate, the branch marked for them, or every branch"
        case RuleList():
            return "such a cell satisfies no condition"
        case BayesTables():
            return "missing cells are left out of the product, and unseen values count as n = 0"
        case LinearModel():
            if name in averaged_columns(model):
                return "such a cell adds what its column adds on average over the training rows"
            fill = model.fills[name]
            return f"such a cell counts as {f'{fill:.6g}' if isinstance(fill, float | int) else fill}"
        case Ensemble():
            return rule_for_unusable(model.members[0], name)
        case AdditiveModel():
            return "such a cell adds as much as the average row's"
        case _:
            assert_never(model)


def _takes_empty_cells(model: Model) -> set[str]:
    """The columns whose empty cells the model says something of its own about."""
    match model:
        case Tree():
            return _or_missing(model.schema, model.nodes)
        case RuleList():
            return {
                condition.name
                for rule in model
                for condition in rule.when
                if isinstance(condition, IsMissing) or getattr(condition, "or_missing", False)
            }
        case BayesTables():
            return set()
        case LinearModel():
            return {term.name for term in (*model.terms, *model.dependent) if isinstance(term, MissingTerm)}
        case Ensemble():
            if model.trees is not None:
                return _or_missing(model.schema, model.trees.nodes)
            return set().union(*map(_takes_empty_cells, model.models))
        case AdditiveModel():
            return {shape.name for shape in model.shapes if any(row[-2] for row in shape.points)}
        case _:
            assert_never(model)


def _or_missing(schema: Schema, nodes: Nodes) -> set[str]:
    places = set(nodes.attribute[nodes.or_missing].tolist())
    return {schema.attributes[place].name for place in places if place >= 0}


def _without_a_place(model: Model, attribute: Nominal | Ordinal) -> list[bool]:
    """[code] Is it a value that the schema lists, but no training row of a linear model had?"""
    match model:
        case Tree() | RuleList() | BayesTables():
            return [False] * len(attribute.values)
        case LinearModel():
            name, reference = attribute.name, model.references.get(attribute.name)
            terms = (*model.terms, *model.dependent)
            own = {term.value for term in terms if isinstance(term, ValueTerm) and term.name == name}
            return [value not in own and value != reference for value in attribute.values]
        case Ensemble():
            if model.trees is not None:
                return [False] * len(attribute.values)
            own_lists = (_without_a_place(member, attribute) for member in model.models)
            return [any(lacking) for lacking in zip(*own_lists, strict=True)]
        case AdditiveModel():
            rows = next((shape.rows for shape in model.shapes if shape.name == attribute.name), ())
            return [not weight > 0 for weight in rows[:-2]] if rows else [False] * len(attribute.values)
        case _:
            assert_never(model)


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
