"""Many rows at once, whatever the model: their classes or numbers, and the shares behind them."""

from __future__ import annotations

from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.models.deciding import ShareSmoothing, adjusted, decided
from clearwood.models.kept import check_kind
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.predicting.bayes import codes_of_bayes, shares_of_bayes
from clearwood.predicting.columns import table_for
from clearwood.predicting.of_additive import codes_of_additive, numbers_of_additive, shares_of_additive
from clearwood.predicting.of_linear import codes_of_linear, shares_of_linear
from clearwood.predicting.of_rules import codes_of_rules, named_by_rules, numbers_of_rules, shares_of_rules
from clearwood.predicting.of_trees import (
    codes_of_ensemble,
    codes_of_tree,
    leaves_of_tree,
    numbers_of_ensemble,
    numbers_of_tree,
    shares_of_ensemble,
    shares_of_tree,
)
from clearwood.table.table import Table


def predict(model: Model, rows: Any) -> npt.NDArray[Any]:
    """[row] the name of each row's class, or its number where the model predicts numbers.

    `rows` is a Table, or anything a table can be made of. Where a rule list says nothing the prediction is
    None, or NaN for a number; it is None as well where the decision refers a row.
    """
    check_kind("predict", model)
    if not model.is_numeric:
        names = np.array([*model.schema.classes, None], dtype=object)
        return names[predict_codes(model, rows)]
    table = table_for(model, rows)
    match model:
        case Tree():
            return numbers_of_tree(model, table)
        case RuleList():
            return numbers_of_rules(model, table)
        case BayesTables():
            raise AssertionError("a Bayes model predicts classes")
        case LinearModel():
            raise SettingError("A linear model predicts classes, not numbers.")
        case Ensemble():
            return numbers_of_ensemble(model, table)
        case AdditiveModel():
            return numbers_of_additive(model, table)
        case _:
            assert_never(model)


def predict_codes(model: Model, rows: Any) -> Ints:
    """[row] the position of each row's class in `model.schema.classes`; −1 where there is no answer: a rule
    list says nothing, or the row is referred."""
    classes_only(model)
    table = table_for(model, rows)
    if not model.decision.is_plain:
        named = named_by_rules(model, table) if isinstance(model, RuleList) else None
        shares = adjusted(plain_shares(model, table, None), model.decision)
        return decided(shares, model.decision, model.schema.classes, named)
    match model:
        case Tree():
            return codes_of_tree(model, table)
        case RuleList():
            return codes_of_rules(model, table)
        case BayesTables():
            return codes_of_bayes(model, table)
        case LinearModel():
            return codes_of_linear(model, table)
        case Ensemble():
            return codes_of_ensemble(model, table)
        case AdditiveModel():
            return codes_of_additive(model, table)
        case _:
            assert_never(model)


def shares(model: Model, rows: Any, *, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the probability of each class; `smoothing` "laplace" adds 1 to each class's rows, m adds m
    × the shares of all rows. Where a rule list says nothing, every probability is 0. A Bayes model has its
    own smoothing. The decision's calibration and prevalence are in them."""
    check_kind("shares", model)
    classes_only(model)
    return adjusted(plain_shares(model, table_for(model, rows), smoothing), model.decision)


def plain_shares(model: Model, table: Table, smoothing: ShareSmoothing) -> Floats:
    """[row, class] as they are before the decision adjusts them."""
    match model:
        case Tree():
            return shares_of_tree(model, table, smoothing)
        case RuleList():
            return shares_of_rules(model, table, smoothing)
        case BayesTables():
            return shares_of_bayes(model, table, smoothing)
        case LinearModel():
            if smoothing is not None:
                raise SettingError("smoothing is for counts; a linear model has none.")
            return shares_of_linear(model, table)
        case Ensemble():
            return shares_of_ensemble(model, table, smoothing)
        case AdditiveModel():
            if smoothing is not None:
                raise SettingError("smoothing is for counts; an additive model has none.")
            return shares_of_additive(model, table)
        case _:
            assert_never(model)


def leaf_of(tree: Tree, rows: Any) -> Ints:
    """[row] the leaf that each row reaches; of several, the one with its largest part (first of equals)."""
    check_kind("leaf_of", tree, Tree)
    return leaves_of_tree(tree, table_for(tree, rows))


def classes_only(model: Model) -> None:
    """Refuse a model that predicts numbers."""
    if model.is_numeric:
        kind = "tree predicts" if isinstance(model, Tree) else "model predicts"
        raise SettingError(f"This {kind} a number: it has values, by predict, but no class probabilities.")
