"""A tree is a value, however deep: it compares, prints, copies and pickles. Nobody changes its origin."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clearwood.learners.trees.cart import CART
from clearwood.models.files import load, save
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Leaf, Split, Tree
from clearwood.models.lineage import Origin
from clearwood.predicting import predict
from clearwood.predicting.row import row_predictor
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table
from tests.trees import tennis_table, tennis_tree

ROWS = 5001


@pytest.fixture(scope="module")
def table() -> Table:
    """Classes that alternate along x: each question parts one row from the others."""
    columns: dict[str, Column] = {
        "x": np.arange(ROWS, dtype=np.float64),
        "y": (np.arange(ROWS) % 2).astype(np.int32),
    }
    return Table(Schema((Numeric("x"),), Nominal("y", ("even", "odd"))), columns)


@pytest.fixture(scope="module")
def chain(table: Table) -> Tree:
    """A tree of 5,000 questions on one path, its objects built."""
    tree = CART().learn(table)
    assert tree.depth == ROWS - 1
    assert isinstance(tree.root, Split)
    return tree


@pytest.mark.slow
def test_a_deep_tree_comes_back_from_its_file(chain: Tree, tmp_path: Path) -> None:
    assert load(save(chain, tmp_path / "chain.json")) == chain


@pytest.mark.slow
def test_a_deep_tree_is_pickled_and_copied_without_its_objects(chain: Tree) -> None:
    assert pickle.loads(pickle.dumps(chain)) == chain
    assert copy.deepcopy(chain) == copy.copy(chain) == chain
    assert "_root" not in vars(copy.copy(chain))


def test_a_deep_tree_answers(chain: Tree, table: Table) -> None:
    assert (predict(chain, table) == np.where(np.arange(ROWS) % 2, "odd", "even")).all()
    assert row_predictor(chain)({"x": 3000}) == "even"


def test_a_deep_tree_prints_its_upper_part_and_says_what_is_left_out(chain: Tree) -> None:
    text = str(chain)
    assert len(text) < 1_000_000
    assert f"… {ROWS - 100}" in text


def test_nobody_changes_the_settings_a_tree_was_learned_with() -> None:
    given: dict[str, Any] = {"priors": {"No": 0.5}, "costs": None}
    tree = replace(tennis_tree(), origin=Origin("CART", given))
    given["costs"] = given["priors"]["No"] = 7
    assert tree.origin.settings == {"priors": {"No": 0.5}, "costs": None}
    with pytest.raises(TypeError):
        tree.origin.settings["costs"] = 1  # type: ignore[index]
    with pytest.raises(TypeError):
        tree.origin.settings["priors"]["No"] = 1  # type: ignore[index]


def test_an_origin_is_compared_pickled_copied_and_saved_by_its_settings(tmp_path: Path) -> None:
    origin = Origin("CART", {"priors": {"No": 0.5}, "names": ("a", ("b",))}, "1", "ab", 3)
    assert pickle.loads(pickle.dumps(origin)) == copy.deepcopy(origin) == copy.copy(origin) == origin
    assert replace(origin, settings={}) != origin
    tree = replace(tennis_tree(), origin=origin)
    assert load(save(tree, tmp_path / "tree.json")).origin == origin


def test_a_learner_is_made_again_from_the_settings_of_its_tree(table: Table) -> None:
    learner = CART(max_depth=3, priors={"even": 0.25, "odd": 0.75})
    tree = learner.learn(table)
    again = CART(**tree.origin.settings)  # type: ignore[arg-type]
    assert again == learner
    assert again.learn(table) == tree


def test_a_tree_and_a_table_are_one_line_at_the_prompt() -> None:
    assert repr(tennis_tree()) == "<Tree ID3: 5 leaves, 8 nodes, depth 2>"
    assert repr(tennis_table()) == "<Table: 14 rows, 4 inputs, target 'PlayTennis'>"


def test_a_node_weighs_what_its_rows_weigh_for_classes_and_for_numbers() -> None:
    tree = tennis_tree()
    assert [tree.weight(node) for node in tree] == tree.weights.tolist()
    assert (tree.weight(0), tree.weight(1)) == (14.0, 5.0)
    numbers = tree_of(Schema((), Numeric("t")), Leaf((3.5, 71.0, 12.0)))
    assert numbers.weight(0) == numbers.weights[0] == 3.5
