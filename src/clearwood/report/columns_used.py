"""Which columns a model uses, the most important first."""

from __future__ import annotations

from collections import defaultdict
from typing import assert_never

import numpy as np

from clearwood.explain.curve_groups import columns_by_points
from clearwood.explain.importances import importances_of_trees, tree_importances
from clearwood.measures import IMPURITIES
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.columns import columns_used


def columns_by_importance(model: Model) -> list[str]:
    """A tree's columns by the impurity their splits take away, a rule list's by the rows of the rules that
    use them; those of tables and weights as they come.

    >>> import clearwood as cw
    >>> columns_by_importance(cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")))
    ['Humidity', 'Wind', 'Outlook']
    """
    match model:
        case Tree():
            parts = tree_importances(model, measure_of(model))
            used = set(model.nodes.attribute[1:].tolist())
            order = np.argsort(-parts, kind="stable").tolist()
            return [model.schema.attributes[place].name for place in order if place in used]
        case RuleList():
            rows: dict[str, float] = defaultdict(float)
            for rule in model:
                weight = model.weight(rule)
                for name in dict.fromkeys(condition.name for condition in rule.when):
                    rows[name] += weight
            return sorted(rows, key=rows.__getitem__, reverse=True)
        case BayesTables():
            return list(model.columns)
        case LinearModel():
            return list(dict.fromkeys(model.columns()))
        case Ensemble():
            return _of_members(model)
        case AdditiveModel():
            return columns_by_points(model)
        case _:
            assert_never(model)


def _of_members(model: Ensemble) -> list[str]:
    """By importance where the members are trees, else in the schema's order."""
    used = columns_used(model)
    names = [attribute.name for attribute in model.schema.attributes]
    parts = importances_of_trees(model) if model.trees is not None else np.zeros(len(names))
    order = np.argsort(-parts, kind="stable").tolist()
    return [names[place] for place in order if names[place] in used]


def measure_of(tree: Tree) -> str:
    """The impurity that the tree's splits lowered, Gini where its learner did not score by one."""
    return tree.measure if tree.measure in IMPURITIES else "gini"
