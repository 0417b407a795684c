"""A tree read as rules: the same answers, whatever the learner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.formulas.conditions import Equals, OneOf
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.tree_rules import TreeRules
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from clearwood.predicting import predict
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from tests.learners.random_tables import random_tables
from tests.rule_lists import answer_of, covers, rows_of
from tests.shared_data import load_shared

LEARNERS: dict[str, Any] = {
    "ID3": ID3(),
    "C45": C45(),
    "C45 of groups": C45(group_values=True, prune=False),
    "CART": CART(),
    "CART by direction": CART(missing="direction", surrogates=0),
    "CHAID": CHAID(min_rows=4, min_leaf=2, alpha_split=0.5),
}


def complete(table: Table) -> list[int]:
    """The rows without an empty cell."""
    empty = np.zeros(len(table), dtype=np.bool_)
    for attribute in table.schema.inputs:
        column = table.columns[attribute.name]
        empty |= column < 0 if column.dtype == np.int32 else np.isnan(column)
    weightless = np.zeros(len(table), dtype=np.bool_) if table.weights is None else table.weights == 0
    return np.flatnonzero(~empty & ~weightless).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@given(table=random_tables(("nominal", "ordinal"), max_values=12))
@settings(max_examples=40)
def test_rows_with_known_cells_get_the_trees_answers(name: str, table: Table) -> None:
    same_answers(LEARNERS[name], table)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CART", "CHAID"])
@given(table=random_tables(("numeric",), max_values=12))
@settings(max_examples=40)
def test_rows_with_known_cells_get_the_trees_numbers(name: str, table: Table) -> None:
    same_answers(LEARNERS[name], table)


def same_answers(learner: Any, table: Table) -> None:
    tree = learner.learn(table)
    rules, rows, answers = rules_of(tree), rows_of(table), predict(tree, table)
    for row in complete(table):
        assert answer_of(rules, rows[row]) == answers[row]
        assert sum(covers(rule, rows[row]) for rule in rules) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CART by direction", "CHAID"])
@given(table=random_tables(("nominal",), max_values=12), seed=st.integers(0, 1000))
@settings(max_examples=40)
def test_where_a_tree_never_divides_a_row_the_rules_answer_every_row_as_it_does(
    name: str, table: Table, seed: int
) -> None:
    tree, fresh = LEARNERS[name].learn(table), mixed(table, seed)
    rules, answers = rules_of(tree), predict(tree, fresh)
    assert [answer_of(rules, row) for row in rows_of(fresh)] == answers.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ID3", "C45"])
@given(table=random_tables(("nominal",), max_values=12), seed=st.integers(0, 1000))
@settings(max_examples=40)
def test_fresh_rows_with_known_cells_get_the_trees_answers(name: str, table: Table, seed: int) -> None:
    tree, fresh = LEARNERS[name].learn(table), mixed(table, seed)
    rules, rows, answers = rules_of(tree), rows_of(fresh), predict(tree, fresh)
    for row in complete(fresh):
        assert answer_of(rules, rows[row]) == answers[row]


def mixed(table: Table, seed: int) -> Table:
    """Other rows of the same values, unheard-of in their combination."""
    random = np.random.default_rng(seed)
    return Table(table.schema, {name: random.permutation(column) for name, column in table.columns.items()})


@pytest.mark.parametrize("name", ["C45", "CART"])
@given(table=random_tables(("nominal",), missing=(0.3,), max_values=6))
@settings(max_examples=30)
def test_columns_that_may_be_empty_leave_no_row_without_a_rule(name: str, table: Table) -> None:
    rules = rules_of(LEARNERS[name].learn(table), may_be_empty=[a.name for a in table.schema.inputs])
    if all(any(rule.counts) for rule in rules):  # a leaf that met no row may have been left out
        for row in rows_of(table):
            assert any(covers(rule, dict.fromkeys(row)) for rule in rules)


def test_a_value_the_node_never_met_goes_where_the_tree_sends_it() -> None:
    schema = Schema((Numeric("x"), Nominal("c", ("a", "b", "d"))), Nominal("y", ("n", "y")))
    x = np.array([0.0] * 6 + [1.0] * 6)
    c = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2], dtype=np.int32)
    y = np.array([0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0], dtype=np.int32)
    tree = CART(surrogates=0, missing="direction").learn(Table(schema, {"x": x, "c": c, "y": y}))
    row = Table(schema, {"x": np.zeros(1), "c": np.array([2], np.int32)})
    assert answer_of(rules_of(tree), rows_of(row)[0]) == predict(tree, row)[0]


def test_an_empty_cell_follows_the_heaviest_branch_where_it_may_be_empty() -> None:
    schema = Schema((Nominal("c", ("a", "b")),), Nominal("y", ("n", "y")))
    c = np.array([0] * 6 + [1] * 4 + [MISSING], dtype=np.int32)
    y = np.array([0] * 6 + [1] * 4 + [0], dtype=np.int32)
    table = Table(schema, {"c": c, "y": y})
    tree = C45().learn(table)
    assert [rule.when for rule in rules_of(tree)] == [(Equals("c", "a"),), (Equals("c", "b"),)]
    actual = [rule.when for rule in rules_of(tree, may_be_empty=["c"])]
    assert actual == [(OneOf("c", ("a",), or_missing=True),), (Equals("c", "b"),)]


@pytest.mark.slow
def test_rules_of_soybean_are_nearly_as_good_as_its_tree() -> None:
    table = load_shared("soybean")
    tree = C45().learn(table)
    truth = np.array(table.schema.classes, dtype=object)[table.target]
    rows = rows_of(table)
    by_tree = int((predict(tree, table) != truth).sum())
    with_empty_cells, without = (
        sum(answer_of(rules, row) != answers for row, answers in zip(rows, truth, strict=True))
        for rules in (TreeRules(simplify=False).learn(table), rules_of(tree))
    )
    assert with_empty_cells - by_tree < (without - by_tree) / 5
