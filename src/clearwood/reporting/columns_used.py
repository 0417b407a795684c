"""Which columns a model uses, the most important first."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.explaining.curve_groups import columns_by_points
from clearwood.explaining.importances import importances_of_trees, tree_importances
from clearwood.measures import IMPURITIES
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used, space_of
from clearwood.predicting.batch import leaf_of
from clearwood.reporting.page import Summary
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Column, Table
from clearwood.words.numbers import amount, many


def columns_by_importance(model: Model) -> list[str]:
    """A tree's columns by the impurity their splits take away, a rule list's by the rows of the rules that
    use them; those of tables and weights as they come.

    >>> import clearwood as cw
    >>> columns_by_importance(cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")))
    ['Humidity', 'Wind', 'Outlook']
    """
    if isinstance(model, Tree):
        parts = tree_importances(model, measure_of(model))
        used = set(model.nodes.attribute[1:].tolist())
        order = np.argsort(-parts, kind="stable").tolist()
        return [model.schema.attributes[place].name for place in order if place in used]
    if isinstance(model, RuleList):
        rows: dict[str, float] = defaultdict(float)
        for rule in model:
            weight = model.weight(rule)
            for name in dict.fromkeys(condition.name for condition in rule.when):
                rows[name] += weight
        return sorted(rows, key=rows.__getitem__, reverse=True)
    if isinstance(model, Ensemble):
        return _of_members(model)
    return columns_by_points(model) if isinstance(model, AdditiveModel) else list(space_of(model).columns())


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


# What the rows at each node of a tree are like: the columns that the tree uses, one line for each.


_MOST: Final = 8  # columns of a summary
_VALUES: Final = 3  # values of a column in it


def summaries_of(tree: Tree, table: Table) -> list[Summary]:
    """A summary for each node. A row with an empty cell on its way counts where its largest part goes; rows
    count by their weight, a median goes by their number.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> summaries_of(cw.ID3().learn(table), table)[1].lines[0]
    ('Humidity', 'High 2, Normal 2')
    """
    ended = np.asarray(leaf_of(tree, table))
    order = np.argsort(ended, kind="stable")
    # Leaves are numbered in preorder: the rows of a subtree stand next to each other.
    nodes = np.arange(len(tree.nodes) + 1)
    starts = np.searchsorted(ended[order], nodes)
    spans = [(int(starts[node]), int(starts[end])) for node, end in enumerate(tree.nodes.end.tolist())]
    weights = (np.ones(len(table)) if table.weights is None else table.weights)[order]
    columns = [
        (table.schema[name], table.columns[name][order]) for name in columns_by_importance(tree)[:_MOST]
    ]
    return [
        Summary(
            tuple(
                (each.name, _cells(each, column[start:stop], weights[start:stop]))
                for each, column in columns
                if stop > start
            )
        )
        for start, stop in spans
    ]


def _cells(attribute: Attribute, cells: Column, weights: Floats) -> str:
    match attribute:
        case Nominal() | Ordinal():
            return _values(attribute.values, cells, weights)
        case Numeric():
            empty = np.isnan(cells)
            known = cells[~empty].astype(np.float64)
            return f"{_range(known)}{_missing(weights[empty])}" if known.size else "missing"
        case Text() | Ignored():
            return ""
        case _:
            assert_never(attribute)


def _values(values: tuple[str, ...], cells: Column, weights: Floats) -> str:
    known = cells >= 0
    counts = np.bincount(cells[known], weights[known], minlength=len(values))
    places = np.argsort(-counts, kind="stable")[:_VALUES].tolist()
    value_texts = [f"{values[place]} {amount(float(counts[place]))}" for place in places if counts[place]]
    left = int((counts > 0).sum()) - len(value_texts)
    more = f", {many(left, 'other', 'others')}" if left else ""
    return f"{', '.join(value_texts)}{more}{_missing(weights[~known])}" if value_texts else "missing"


def _range(known: Floats) -> str:
    ranked, middle = np.sort(known), known.size // 2
    low, high = float(ranked[0]), float(ranked[-1])
    if low == high:
        return amount(low)
    median = float(ranked[middle] if known.size % 2 else (ranked[middle - 1] + ranked[middle]) / 2)
    return f"{amount(low)} to {amount(high)}, median {amount(median)}"


def _missing(weights: Floats) -> str:
    return f", {amount(float(weights.sum()))} missing" if weights.size else ""
