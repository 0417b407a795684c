"""How sure is an answer? An interval from the rows that stand behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.measures.wilson import wilson
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.kept import kept
from clearwood.models.kinds import check_kind
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.answers import holds_medians, node_shares, node_values, reach_of, weighted_counts
from clearwood.predict.batch import predict_codes
from clearwood.predict.columns import table_for
from clearwood.predict.of_linear import intervals_of_linear
from clearwood.predict.of_rules import intervals_of_rules
from clearwood.predict.of_trees import averages
from clearwood.table.table import Table


def intervals(model: Model, rows: Any, confidence: float = 0.95) -> Floats:
    """[row, 2] both ends: for the probability of the predicted class (Wilson), or for the mean of a number.

    The rows behind a prediction are those of its leaf or of the rule that took it; a row in several leaves
    has the average of their probabilities and of their weights. A number's interval is value ± z·√(error ÷
    weight²). Medians have none: the absolute error kept with them does not tell how far the median may lie.
    Nor have probabilities that a calibration or another prevalence has changed; a row without a prediction
    has NaN, and so has one whose rule took no rows in training, as of a list written by hand.
    """
    check_kind("intervals", model)
    table = table_for(model, rows)
    decision = model.decision
    if decision.adjusts or (decision.cutoff is not None and _cutoff_changes_counts(model)):
        raise SettingError(
            "This model's calibration, prevalence or cutoff changes its predictions, "
            "so the interval of its counts is not that of the prediction."
        )
    if decision.refer is not None:
        answered = predict_codes(model, table) >= 0
        whole = replace(model, decision=replace(decision, refer=None))
        return np.where(answered[:, None], intervals(whole, table, confidence), np.nan)
    match model:
        case Tree():
            return _of_tree(model, table, confidence)
        case RuleList():
            return intervals_of_rules(model, table, confidence)
        case BayesTables():
            raise SettingError(
                "A Bayes model has no intervals: its predictions do not rest on the rows of one leaf. "
                "It has probabilities, and explains them by evidence."
            )
        case LinearModel():
            return intervals_of_linear(model, table, confidence)
        case Ensemble():
            raise SettingError(
                "An ensemble has no intervals: its predictions do not rest on the rows of one leaf. "
                "An explanation of a row says how far its members agree."
            )
        case AdditiveModel():
            raise SettingError(
                "An additive model has no intervals for its predictions: the bands are of each curve by "
                "itself. "
                "A picture of the model and its report show them."
            )
        case _:
            assert_never(model)


def _cutoff_changes_counts(model: Model) -> bool:
    """Does a cutoff answer by other rows than those that the interval is of?"""
    match model:
        case RuleList():
            return True  # its intervals are of the rows of the rule's own class
        case Tree() | BayesTables() | LinearModel() | Ensemble() | AdditiveModel():
            return False
        case _:
            assert_never(model)


def _of_tree(tree: Tree, rows: Table, confidence: float) -> Floats:
    if tree.answers == "step":
        raise SettingError(
            "This tree is a member of a sum, and its numbers are steps: they have no intervals."
        )
    if holds_medians(tree):
        raise SettingError(
            "This tree predicts medians, and its leaves do not keep what an interval of a median needs."
            " For intervals, grow a tree of means: ",
            Advice("measure", "squared", setting=True),
            ".",
        )
    if tree.is_numeric:
        value, spread, weight = averages(tree, rows, _moments(tree)).T
        reach = reach_of(spread, weight, confidence)
        return np.stack([value - reach, value + reach], axis=1)
    figures = averages(tree, rows, _shares_and_weights(tree))
    weight = figures[:, -1]
    share = np.take_along_axis(figures[:, :-1], predict_codes(tree, rows)[:, None], axis=1)[:, 0]
    return np.stack(wilson(share * weight, weight, confidence), axis=1)


@kept
def _shares_and_weights(tree: Tree) -> Floats:
    """[node, class and weight]."""
    return np.column_stack([node_shares(tree), node_weight(tree)])


def node_weight(tree: Tree) -> Floats:
    """[node] the weight of the rows that answer at each node: its own, or the nearest above that has some."""
    counts = weighted_counts(tree, factors=False)
    return counts[:, 0] if tree.is_numeric else counts.sum(axis=1)


def node_reach(tree: Tree, confidence: float = 0.95) -> Floats:
    """[node] how far the interval of a node's mean reaches to each side; not for a tree of medians."""
    _, spread, weight = _moments(tree).T
    return reach_of(spread, weight, confidence)


def _moments(tree: Tree) -> Floats:
    """[node, 3] value, error per unit of weight, weight."""
    counts = weighted_counts(tree)
    weight = np.where(counts[:, 0] > 0, counts[:, 0], 1.0)
    return np.column_stack([node_values(tree), counts[:, 2] / weight, weight])
