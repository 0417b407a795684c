"""TreeRules: a tree, its rules, and the tests that shorten them, under one name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from clearwood import datasets
from clearwood.errors import SettingError
from clearwood.learners.class_order import by_name
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying import simplify_rules
from clearwood.learners.rules.tree_rules import TreeRules
from clearwood.learners.training import made_of
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from clearwood.table import read_table
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables
from tests.rule_lists import answer_of, rows_of
from tests.typed import mistyped


def fifty_six() -> Table:
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    return table.take(np.tile(np.arange(14), 4))


def test_it_is_the_tree_its_rules_and_their_simplification() -> None:
    table = by_name(fifty_six())
    rules, ledger = TreeRules(drop_rules=False).learn_with_ledger(table)
    by_hand = simplify_rules(rules_of(C45().learn(table)), table, drop_rules=False)
    assert ledger == by_hand.ledger
    assert rules.rules == by_hand.rules.rules
    assert TreeRules(drop_rules=False).learn(table) == rules


def test_the_rules_say_where_they_came_from() -> None:
    origin = TreeRules(tree=ID3(), alpha=0.01).learn(fifty_six()).origin
    assert (origin.learner, origin.rows, origin.settings["alpha"]) == ("TreeRules", 56, 0.01)
    assert origin.settings["tree"] == made_of(ID3())


@pytest.mark.slow
@pytest.mark.parametrize(
    "tree", [ID3(), C45(), CART(), CHAID(min_rows=4, min_leaf=2)], ids=lambda t: type(t).__name__
)
@pytest.mark.parametrize("tables", ["marginal", "conditional"])
@given(table=random_tables(("nominal", "ordinal"), max_rows=40, max_values=10))
@settings(max_examples=15)
def test_any_tree_on_any_table_gives_rules_that_answer_every_row(
    tree: Any, tables: Any, table: Table
) -> None:
    rules, ledger = TreeRules(tree=tree, tables=tables).learn_with_ledger(table)
    assert all(answer_of(rules, row) in table.schema.classes for row in rows_of(table))
    plain = TreeRules(tree=tree, simplify=False).learn(table)
    assert rules.conditions <= plain.conditions
    assert len(ledger) == len(plain)


def test_a_row_without_weight_leaves_the_rules_as_they_are() -> None:
    table = fifty_six()
    columns = {name: np.concatenate([cells, cells[:1]]) for name, cells in table.columns.items()}
    columns["Outlook"][-1] = -1
    more = Table(table.schema, columns, np.append(np.ones(56), 0.0))
    for simplify in (True, False):
        learner = TreeRules(simplify=simplify)
        assert learner.learn(more).rules == learner.learn(table).rules


def test_numbers_have_rules_but_no_tests() -> None:
    table = read_table(
        {"a": [1.0, 2.0, 3.0, 4.0], "y": [1.5, 2.5, 7.5, 8.5]}, target="y", kinds={"y": "numeric"}
    )
    assert TreeRules(tree=CART(), simplify=False).learn(table).is_numeric
    with pytest.raises(SettingError, match="'y' is a number\\. Use simplify=False"):
        TreeRules(tree=CART()).learn(table)


def test_without_tests_there_is_no_ledger() -> None:
    with pytest.raises(SettingError, match="simplify=True"):
        TreeRules(simplify=False).learn_with_ledger(fifty_six())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"tree": "c45"}, "tree must be a learner of trees, such as C45\\(\\), not 'c45'"),
        ({"alpha": 2}, "alpha must lie above 0"),
        ({"tables": "x"}, "No tables called 'x'"),
        ({"simplify": "yes"}, "simplify must be True or False"),
    ],
)
def test_a_wrong_setting_is_refused_when_made(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        TreeRules(**wrong)


def test_a_learner_of_something_else_is_refused() -> None:
    with pytest.raises(SettingError, match="TreeRules gave a RuleList"):
        TreeRules(tree=mistyped(TreeRules())).learn(fifty_six())


def test_rules_stay_where_their_errors_are_dear() -> None:
    cells = {"a": ["y"] * 20 + ["n"] * 20, "k": (["w"] * 18 + ["s"] * 2) + ["s"] * 11 + ["w"] * 9}
    table = read_table(cells, target="k")
    plain, _ = TreeRules(tree=CART()).learn_with_ledger(table)
    dear, ledger = TreeRules(tree=CART(costs={("s", "w"): 20.0})).learn_with_ledger(table)
    assert ledger.weighed
    assert "training errors, by their costs, 27 → 27 of 40 rows" in str(ledger)
    assert [answer_of(dear, row) for row in rows_of(table)] == ["s"] * 40
    assert [answer_of(plain, row) for row in rows_of(table)] == ["w"] * 20 + ["s"] * 20
