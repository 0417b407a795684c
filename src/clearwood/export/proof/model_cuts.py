"""The numbers at which a model changes its mind, read from the model itself.

What an export is made from, the model's program, is not asked: a cut that was lost on the way there is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never

import numpy as np

from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import Above, AtLeast, AtMost, Below, Between, limits_of
from clearwood.models.distributions import Bag, Cuts
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.table.attributes import Numeric

_ColumnNumbers: TypeAlias = tuple[str, Iterable[float]]


def cuts_of_model(model: Model) -> dict[str, tuple[float, ...]]:
    """By column, ascending: the limits of conditions and surrogates, and the cuts of curves and tables.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> cuts_of_model(cw.C45().learn(table))
    {'Humidity': (75.0,)}
    """
    by_name: dict[str, set[float]] = {}
    for name, numbers in _numbers(model):
        by_name.setdefault(name, set()).update(numbers)
    finite = {name: sorted(filter(np.isfinite, numbers)) for name, numbers in by_name.items()}
    return {name: tuple(numbers) for name, numbers in finite.items() if numbers}


def _numbers(model: Model) -> Iterator[_ColumnNumbers]:
    match model:
        case Tree():
            yield from _of_tree(model)
        case RuleList():
            yield from _of_rules(model)
        case Ensemble():
            for member in model.members:
                yield from _numbers(member)
        case BayesTables():
            for each in model.distributions:
                if isinstance(each, Cuts):
                    yield each.name, each.cuts
                elif isinstance(each, Bag) and each.event == "bernoulli":
                    yield from ((name, (0.0,)) for name in each.names)
        case AdditiveModel():
            for shape in model.shapes:
                yield shape.name, shape.cuts
            for pair in model.pairs:
                yield from zip(pair.names, pair.cuts, strict=True)
        case LinearModel():
            return
        case _:
            assert_never(model)


def _of_tree(tree: Tree) -> Iterator[_ColumnNumbers]:
    nodes = tree.nodes
    for place, attribute in enumerate(tree.schema.attributes):
        if isinstance(attribute, Numeric):
            asked = (nodes.attribute == place) & (nodes.parent >= 0)
            yield attribute.name, nodes.low[asked].tolist()
            yield attribute.name, nodes.high[asked].tolist()
            yield attribute.name, nodes.s_limit[nodes.s_attribute == place].tolist()


def _of_rules(rules: RuleList) -> Iterator[_ColumnNumbers]:
    for rule in rules.rules:
        for condition in rule.when:
            if isinstance(condition, AtMost | Below | Above | AtLeast | Between):
                yield condition.name, [limit.number for limit in limits_of(condition)]
