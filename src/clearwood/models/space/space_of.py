"""The space of a model, whichever kind it is: the one place that asks which."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import assert_never

from clearwood.models.kept import kept
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.additive.additive_space import AdditiveSpace
from clearwood.models.kinds.bayes.bayes_space import BayesSpace
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.ensemble_space import EnsembleSpace
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.linear.linear_space import LinearSpace
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_space import RulesSpace
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_space import TreeSpace
from clearwood.models.model import Model
from clearwood.models.space.model_space import ModelSpace
from clearwood.table.attributes import Numeric


def space_of(model: Model) -> ModelSpace:
    """Where its answers can turn."""
    match model:
        case Tree() | RuleList():
            return divided_space_of(model)
        case BayesTables():
            return BayesSpace(model)
        case LinearModel():
            return LinearSpace(model)
        case Ensemble():
            return EnsembleSpace(model, tuple(map(space_of, model.models)))
        case AdditiveModel():
            return AdditiveSpace(model)
        case _:
            assert_never(model)


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
