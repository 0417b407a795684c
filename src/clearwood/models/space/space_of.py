"""The space of a model, whichever kind it is, and the columns that it uses."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_space import TreeSpace
from clearwood.models.model import Model, kept
from clearwood.models.space.model_space import ModelSpace
from clearwood.table.attributes import Attribute, Numeric
from clearwood.table.schema import Schema

if TYPE_CHECKING:
    from clearwood.models.kinds.rules.rules_space import RulesSpace


def space_of(model: Model) -> ModelSpace:
    """Where its answers can turn."""
    return kind_of(model).space(model)


def divided_space_of(model: Tree | RuleList) -> TreeSpace | RulesSpace:
    """Of trees and rules also the conditions that divide it, so that boxes of rows walk through them."""
    if isinstance(model, Tree):
        return TreeSpace(model)
    from clearwood.models.kinds.rules.rules_space import RulesSpace  # late: of trees there are none

    return RulesSpace(model)


@kept
def thresholds_of(model: Model) -> Mapping[str, tuple[float, ...]]:
    """By numeric column, ascending: the numbers at which a model's answer can turn; none where every number
    counts differently (bells, weights).

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> thresholds_of(cw.C45().learn(table))
    {'Humidity': (75.0,)}
    """
    numbers: dict[str, set[float]] = {}
    for name, limits in space_of(model).limits():
        if isinstance(model.schema[name], Numeric):
            numbers.setdefault(name, set()).update(limits)
    return {name: tuple(sorted(filter(math.isfinite, limits))) for name, limits in numbers.items()}


def columns_used(model: Model) -> set[str]:
    """The columns that rows must have to be predicted."""
    return set(_columns_used(model))


@kept
def _columns_used(model: Model) -> Collection[str]:
    return space_of(model).columns()


@kept
def schema_of_rows(model: Model) -> Schema:
    """The model's schema without the target and the weight, as rows have it that are to be predicted."""
    return replace(model.schema, target=None, weight=None)


def inputs_used(model: Model) -> tuple[Attribute, ...]:
    """The attributes of these columns, in the order of the schema."""
    used = columns_used(model)
    return tuple(each for each in model.schema.inputs if each.name in used)
