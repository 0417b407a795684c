"""The columns that a model uses, and the schema of rows that have just these."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

import numpy as np

from clearwood.models.kept import kept
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.table.attributes import Attribute
from clearwood.table.schema import Schema


def columns_used(model: Model) -> set[str]:
    """The columns that rows must have to be predicted."""
    return set(_columns_used(model))


@kept
def _columns_used(model: Model) -> Collection[str]:
    match model:
        case Tree():
            return {model.schema.attributes[position].name for position in tested_by(model.nodes)}
        case RuleList():
            return {condition.name for rule in model for condition in rule.when}
        case BayesTables():
            return set(model.columns)
        case LinearModel():
            return set(model.columns())
        case Ensemble():
            if model.trees is None:
                return set().union(*map(columns_used, model.models))
            return {model.schema.attributes[position].name for position in tested_by(model.trees.nodes)}
        case AdditiveModel():
            return set(model.columns)
        case _:
            assert_never(model)


def tested_by(nodes: Nodes) -> list[int]:
    """The positions of the attributes that a branch or a surrogate tests."""
    # Not np.union1d, which loads NumPy's masked arrays: 20 ms of a small program.
    asked = np.concatenate([nodes.attribute, nodes.s_attribute])
    positions: list[int] = np.bincount(asked[asked >= 0]).nonzero()[0].tolist()
    return positions


@kept
def schema_of_rows(model: Model) -> Schema:
    """The model's schema without the target and the weight, as rows have it that are to be predicted."""
    return replace(model.schema, target=None, weight=None)


def inputs_used(model: Model) -> tuple[Attribute, ...]:
    """The attributes of these columns, in the order of the schema."""
    used = columns_used(model)
    return tuple(each for each in model.schema.inputs if each.name in used)
