"""C4.5rules on rows it has not seen, beside C4.5's pruned tree on the same folds."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from clearwood.formulas.conditions import Condition, holds
from clearwood.learners.rules.c45_rules import C45Rules
from clearwood.learners.trees.c45 import C45
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Nominal
from clearwood.table.folding import folds
from clearwood.table.table import Table
from tests import shared_data
from tests.judging import judged

TABLES = (
    "balance_scale", "breast_cancer", "breast_w", "car", "credit_g", "diabetes", "glass", "iris", "labor",
    "penguins", "soybean", "tic_tac_toe", "titanic", "vote", "zoo",
)  # fmt: skip


@cache
def _shares_right(name: str) -> tuple[float, float, float]:
    """Of the rules, of the tree, and the standard error of the latter, over ten folds dealt ten times: one
    deal moves the difference by more than a standard error."""
    table = shared_data.load_shared(name)
    rules = tree = 0.0
    for seed in range(10):
        for learned, held in folds(table, 10, seed):
            train, test = table.take(learned), table.take(held)
            rules += share_right(C45Rules().learn(train), test) * len(test) / 10
            tree += judged(C45().learn(train), test).accuracy * len(test) / 10
    share = tree / len(table)
    return rules / len(table), share, math.sqrt(share * (1 - share) / len(table))


@pytest.mark.slow
def test_rules_are_as_good_as_the_tree_on_most_tables() -> None:
    worse = [
        name for name in TABLES if _shares_right(name)[0] < _shares_right(name)[1] - _shares_right(name)[2]
    ]
    assert len(worse) <= len(TABLES) // 5, worse


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_rules_are_never_much_worse_than_the_tree(name: str) -> None:
    rules, tree, error = _shares_right(name)
    assert rules >= tree - 2 * error


@pytest.mark.slow
def test_rules_that_do_no_harm_are_as_good_as_the_tree_on_adult() -> None:
    table, train = shared_data.load_shared("adult"), shared_data.load_shared("adult", train=True)
    test = table.take(np.arange(len(train), len(table)))
    rules = C45Rules(drop_harmful=True).learn(train)
    tree = C45().learn(train)
    assert len(rules) < tree.leaves / 5
    assert share_right(rules, test) >= judged(tree, test).accuracy - 0.003


def share_right(rules: RuleList, table: Table) -> float:
    """By the rules as they are printed, a condition after another."""
    classes = rules.schema.classes
    answer = np.full(len(table), classes.index(str(rules.otherwise.then)))
    for rule in reversed(rules.rules):
        taken = np.logical_and.reduce([_holding(condition, table) for condition in rule.when])
        answer[taken] = classes.index(str(rule.then))
    return float(np.mean(answer == table.target))


def _holding(condition: Condition, table: Table) -> npt.NDArray[np.bool_]:
    cells, attribute = table.columns[condition.name], table.schema[condition.name]
    if isinstance(attribute, Nominal):
        return np.array([*(holds(condition, value) for value in attribute.values), False])[cells]
    values, place = np.unique(cells, return_inverse=True)
    return np.array([holds(condition, value) for value in values.tolist()])[place]
