"""The space of a model, whichever kind it is."""

from __future__ import annotations

import math
from collections.abc import Mapping

from clearwood.models.kept import kept
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_space import RulesSpace
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_space import TreeSpace
from clearwood.models.model import Model
from clearwood.models.space.model_space import ModelSpace
from clearwood.table.attributes import Numeric


def space_of(model: Model) -> ModelSpace:
    """Where its answers can turn."""
    return kind_of(model).space(model)


def divided_space_of(model: Tree | RuleList) -> TreeSpace | RulesSpace:
    """Of trees and rules also the conditions that divide it, so that boxes of rows walk through them."""
    return TreeSpace(model) if isinstance(model, Tree) else RulesSpace(model)


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
