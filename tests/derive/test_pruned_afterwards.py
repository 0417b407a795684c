"""Trees pruned after learning: their derivation ends at the tree at hand, or says that it cannot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.derive.outcomes import Cut, Raised
from clearwood.derive.trees.afterwards import CHAPTER
from clearwood.errors import LearningError
from clearwood.learners.for_trees.growing import grow
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from tests.derive.checking import check
from tests.derive.replaying import lines_of, replayed
from tests.learners.random_tables import random_tables

LEARNERS: tuple[Any, ...] = (cw.ID3(), cw.C45(min_rows=1, confidence=0.9), cw.CART(alpha=0.001), cw.CHAID())


def hire() -> Table:
    return cw.read_table(cw.datasets.path("hire"), target="Hire")


def pruned(name: str, tree: Tree, table: Table) -> Tree:
    match name:
        case "reduced_error":
            return cw.reduced_error(tree, table.take(np.arange(0, len(table), 2))).tree
        case "error_based":
            # A replay by hand knows no surrogates, by which CART's rows would be sent down anew.
            raising = tree.origin.learner != "CART"
            return cw.error_based(tree, table, confidence=0.1, raise_subtrees=raising).tree
        case "cost_complexity":
            return cw.cost_complexity(tree, alpha=0.03).tree
        case "chi_square":
            return cw.chi_square(tree, alpha=0.05).tree
        case "minimum_description_length":
            return cw.minimum_description_length(tree).tree
        case _:
            return cw.collapse_siblings(tree).tree


PRUNERS = (
    "reduced_error",
    "error_based",
    "cost_complexity",
    "chi_square",
    "minimum_description_length",
    "collapse_siblings",
)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    table=random_tables(("nominal",), max_values=12),
    learner=st.sampled_from(LEARNERS),
    names=st.lists(st.sampled_from(PRUNERS), min_size=1, max_size=2),
)
def test_replaying_gives_the_tree_whatever_pruned_it(table: Table, learner: Any, names: list[str]) -> None:
    tree = learner.learn(table)
    for name in names:
        tree = pruned(name, tree, table)
    found = cw.derive(tree, table)
    assert replayed(grow(learner, table), table, found) == lines_of(tree)
    assert sorted({step.node for step in found if step.node is not None}) == list(range(tree.size))
    check(found)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(table=random_tables(("numeric",), max_values=12), alpha=st.sampled_from(["cv", 0.01, None]))
def test_a_tree_of_numbers_is_told_to_its_end(table: Table, alpha: Any) -> None:
    if len(table) < 3:
        return
    learner = cw.CART(alpha=alpha, folds=3)
    tree = cw.cost_complexity(learner.learn(table), alpha=0.3).tree
    found = cw.derive(tree, table)
    assert replayed(grow(learner, table), table, found) == lines_of(tree)


def test_a_split_cut_after_learning_has_a_step_that_says_so(tmp_path: Path) -> None:
    table = hire()
    cw.save(cw.error_based(cw.ID3().learn(table), table).tree, tmp_path / "tree.json")
    tree = cw.load(tmp_path / "tree.json")
    found = cw.derive(tree, table)
    (last,) = [step for step in found if step.chapter == CHAPTER]
    assert last.title == "The split on Highest Degree where Favorite Language = Java"
    assert last.decision.startswith("It was cut after learning, and is a leaf since.")
    assert (last.outcome, last.node) == (Cut(5), 5)
    assert last.figures[1].value == pytest.approx(6 / 7)
    here = list(cw.derive(tree, table, at="Favorite Language = Java"))
    assert [step.outcome for step in here[1:]] == [Cut(5)]
    assert CHAPTER in {step.chapter for step in cw.derive(tree, table, nodes=[5])}
    assert CHAPTER not in {step.chapter for step in cw.derive(tree, table, nodes=[0, 1])}


def test_a_branch_raised_after_learning_is_found_where_it_stood() -> None:
    columns = {"a": "yxxxxyyyxx", "b": "xxyxxxyyxx", "c": "xxyyxxyyxy", "y": "pppnnppppn"}
    table = cw.read_table({name: list(cells) for name, cells in columns.items()}, target="y")
    grown = cw.ID3().learn(table)
    tree = cw.error_based(grown, table).tree
    (last,) = [step for step in cw.derive(tree, table) if step.chapter == CHAPTER]
    assert last.title == "The split on a at the top"
    assert last.outcome == Raised(1, 0)
    assert last.decision.startswith("After learning it gave way to its branch a = x.")
    assert replayed(grown, table, [last]) == lines_of(tree)


def test_a_tree_changed_otherwise_is_refused() -> None:
    table = hire()
    tree, other = cw.ID3().learn(table), cw.CART().learn(table)
    with pytest.raises(LearningError, match="nor that tree with splits cut or raised"):
        cw.derive(replace(other, origin=tree.origin), table)
    counts = replace(tree.nodes, counts=tree.nodes.counts * 2)
    with pytest.raises(LearningError, match="changed otherwise"):
        cw.derive(replace(tree, nodes=counts), table)


def test_a_tree_pruned_by_rows_kept_back_is_derived_from_those_it_grew_from() -> None:
    table = hire()
    grew, kept = table.take(np.arange(9)), table.take(np.arange(9, 14))
    tree = cw.reduced_error(cw.ID3().learn(grew), kept).tree
    assert any(isinstance(step.outcome, Cut | Raised) for step in cw.derive(tree, grew))
    with pytest.raises(LearningError, match="9 of them, and here are 14"):
        cw.derive(tree, table)
