"""How sure is an answer? An interval from the rows that stand behind it."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.errors import SettingError
from clearwood.measures.p_values import normal_quantile
from clearwood.measures.wilson import wilson
from clearwood.models.nodes import Floats
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_shares, node_values, weighted_counts
from clearwood.predict.batch import averages, predict_codes


def intervals(tree: Tree, rows: Any, confidence: float = 0.95) -> Floats:
    """[row, 2] both ends: for the share of the predicted class (Wilson), or for the mean of a number.

    The rows behind an answer are those of its leaf; a row in several leaves has the average of their
    shares and of their weights. A number's interval is value ± z·√(error ÷ weight²). Medians have none:
    the absolute error that such a tree keeps does not tell how far its rows' median may lie.
    """
    if holds_medians(tree):
        raise SettingError(
            "This tree answers medians, and its leaves do not keep what an interval of a median needs."
            " For intervals grow a tree of means: measure='squared'."
        )
    if tree.is_numeric:
        value, spread, weight = averages(tree, rows, _moments(tree)).T
        reach = _reach(spread, weight, confidence)
        return np.stack([value - reach, value + reach], axis=1)
    said = averages(tree, rows, np.column_stack([node_shares(tree), node_weight(tree)]))
    weight = said[:, -1]
    share = np.take_along_axis(said[:, :-1], predict_codes(tree, rows)[:, None], axis=1)[:, 0]
    return np.stack(wilson(share * weight, weight, confidence), axis=1)


def holds_medians(tree: Tree) -> bool:
    """Whether the numbers are medians and the errors absolute, not means and squares."""
    return tree.is_numeric and tree.origin.settings.get("measure") == "absolute"


def node_weight(tree: Tree) -> Floats:
    """[node] the weight of the rows that answer at each node: its own, or the nearest above that has some."""
    counts = weighted_counts(tree, factors=False)
    return counts[:, 0] if tree.is_numeric else counts.sum(axis=1)


def node_reach(tree: Tree, confidence: float = 0.95) -> Floats:
    """[node] how far the interval of a node's mean reaches to each side; not for a tree of medians."""
    _, spread, weight = _moments(tree).T
    return _reach(spread, weight, confidence)


def _reach(spread: Floats, weight: Floats, confidence: float) -> Floats:
    reach: Floats = normal_quantile(0.5 + confidence / 2) * np.sqrt(spread / weight)
    return reach


def _moments(tree: Tree) -> Floats:
    """[node, 3] value, error per unit of weight, weight."""
    counts = weighted_counts(tree)
    weight = np.where(counts[:, 0] > 0, counts[:, 0], 1.0)
    return np.column_stack([node_values(tree), counts[:, 2] / weight, weight])
