"""Thresholds: the numbers at which a model's answer can turn, column by column."""

from __future__ import annotations

import math
from typing import assert_never

from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import bounds_of
from clearwood.models.distributions import Bag, Categorical, Cuts, Distribution, Gaussian, Kernel, Words
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.table.attributes import Numeric


def thresholds_of(model: Model) -> dict[str, tuple[float, ...]]:
    """By numeric column, ascending; none where every number counts differently (bells, weights).

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> thresholds_of(cw.C45().learn(table))
    {'Humidity': (75.0,)}
    """
    numbers: dict[str, set[float]] = {}
    match model:
        case Tree():
            nodes, attributes = model.nodes, model.schema.attributes
            tested = zip(nodes.attribute.tolist(), nodes.low.tolist(), nodes.high.tolist(), strict=True)
            for place, low, high in list(tested)[1:]:  # nothing leads into the root
                numbers.setdefault(attributes[place].name, set()).update((low, high))
            for place, limit in zip(nodes.s_attribute.tolist(), nodes.s_limit.tolist(), strict=True):
                numbers.setdefault(attributes[place].name, set()).add(limit)
        case RuleList():
            for rule in model:
                for condition in rule.when:
                    numbers.setdefault(condition.name, set()).update(bounds_of(condition))
        case BayesTables():
            for each in model.distributions:
                numbers |= _steps(each)
        case LinearModel():
            pass
        case _:
            assert_never(model)
    return {
        name: tuple(sorted(filter(math.isfinite, limits)))
        for name, limits in numbers.items()
        if isinstance(model.schema[name], Numeric)
    }


def _steps(distribution: Distribution) -> dict[str, set[float]]:
    """By column the numbers at which a distribution changes."""
    match distribution:
        case Cuts(name, cuts):
            return {name: set(cuts)}
        case Bag(names, "bernoulli"):
            return {name: {0.0} for name in names}
        case Bag() | Categorical() | Gaussian() | Kernel() | Words():
            return {}
        case _:
            assert_never(distribution)
