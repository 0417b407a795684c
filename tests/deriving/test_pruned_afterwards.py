"""Trees pruned after learning: their derivation ends at the tree at hand, or says that it cannot."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood import catalogue
from clearwood.deriving.trees import pessimistic_errors as error_based_derivation
from clearwood.deriving.trees.deriving import CHAPTER
from clearwood.errors import LearningError
from clearwood.learners.trees.pruning import own, pessimistic, weakest_links
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Edited
from clearwood.table.table import Table
from clearwood.working.derivation import BecameLeaf, Raised
from tests.book_tables import book_table
from tests.deriving.checking import check
from tests.deriving.replaying import lines_of, replayed
from tests.learners.random_tables import random_tables

LEARNERS: tuple[Any, ...] = (cw.ID3(), cw.C45(min_rows=1, confidence=0.9), cw.CART(alpha=0.001), cw.CHAID())


def hire() -> Table:
    return book_table("hire", target="Hire")


def pruned(name: str, tree: Tree, table: Table) -> Tree:
    match name:
        case "reduced-error":
            if len(table) == 1:  # there are no others
                return tree
            return cw.prune_reduced_error(tree, table.take(np.arange(0, len(table), 2))).tree
        case "error-based":
            # A replay by hand knows no surrogates, by which CART's rows would be sent down anew.
            raising = tree.origin.learner != "CART"
            return cw.prune_error_based(tree, table, confidence=0.1, raise_subtrees=raising).tree
        case "cost-complexity":
            return cw.prune_cost_complexity(tree, alpha=0.03).tree
        case "chi-square":
            return cw.prune_chi_square(tree, alpha=0.05).tree
        case _:
            pruner = catalogue.PRUNERS[name]
            rows = () if pruner.needs == "none" else (table,)
            return pruner.prune(tree, *rows).tree


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    table=random_tables(("nominal",), max_values=12),
    learner=st.sampled_from(LEARNERS),
    names=st.lists(st.sampled_from(list(catalogue.PRUNERS)), min_size=1, max_size=2),
)
def test_replaying_gives_the_tree_whatever_pruned_it(table: Table, learner: Any, names: list[str]) -> None:
    tree = learner.learn(table)
    for name in names:
        tree = pruned(name, tree, table)
    derivation = cw.derive(tree, table)
    assert replayed(learner.grow(table), table, derivation) == lines_of(tree)
    assert sorted({step.node for step in derivation if step.node is not None}) == list(range(tree.size))
    check(derivation)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(table=random_tables(("numeric",), max_values=12), alpha=st.sampled_from(["cv", 0.01, None]))
def test_a_tree_of_numbers_is_told_to_its_end(table: Table, alpha: Any) -> None:
    if len(table) < 3:
        return
    learner = cw.CART(alpha=alpha, folds=3)
    tree = cw.prune_cost_complexity(learner.learn(table), alpha=0.3).tree
    derivation = cw.derive(tree, table)
    assert replayed(learner.grow(table), table, derivation) == lines_of(tree)


def test_a_split_cut_after_learning_has_the_numbers_that_cut_it(tmp_path: Path) -> None:
    table = hire()
    cw.save(cw.prune_error_based(cw.ID3().learn(table), table).tree, tmp_path / "tree.json")
    tree = cw.load(tmp_path / "tree.json")
    derivation = cw.derive(tree, table)
    afterwards = [step for step in derivation if step.chapter == f"{CHAPTER}: error-based"]
    (cut,) = [step for step in afterwards if isinstance(step.outcome, BecameLeaf)]
    assert cut.title == "Prune the split on Highest Degree where Favorite Language = Java?"
    assert cut.decision == "A leaf should err 2.342 times, the split 2.922: it becomes a leaf."
    assert (cut.outcome, cut.node) == (BecameLeaf(5), 5)
    here = list(cw.derive(tree, table, at="Favorite Language = Java"))
    assert [step.outcome for step in here[1:]] == [BecameLeaf(5)]
    assert cut.chapter in {step.chapter for step in cw.derive(tree, table, nodes=[5])}
    assert not any(isinstance(step.outcome, BecameLeaf) for step in cw.derive(tree, table, nodes=[0, 1]))


def test_a_branch_raised_after_learning_is_found_where_it_stood() -> None:
    columns = {"a": "yxxxxyyyxx", "b": "xxyxxxyyxx", "c": "xxyyxxyyxy", "y": "pppnnppppn"}
    table = cw.read_table({name: list(cells) for name, cells in columns.items()}, target="y")
    grown = cw.ID3().learn(table)
    tree = cw.prune_error_based(grown, table).tree
    afterwards = [step for step in cw.derive(tree, table) if step.chapter.startswith(CHAPTER)]
    (raised,) = [step for step in afterwards if isinstance(step.outcome, Raised)]
    assert raised.title == "Prune the split on a at the root?"
    assert raised.outcome == Raised(0, 0)
    assert replayed(grown, table, afterwards) == lines_of(tree)


def test_a_tree_changed_otherwise_is_refused() -> None:
    table = hire()
    tree, other = cw.ID3().learn(table), cw.CART().learn(table)
    with pytest.raises(LearningError, match="ID3 makes another tree of this table"):
        cw.derive(replace(other, origin=tree.origin), table)
    counts = replace(tree.nodes, counts=tree.nodes.counts * 2)
    with pytest.raises(LearningError, match="changed otherwise"):
        cw.derive(replace(tree, nodes=counts), table)


def test_a_tree_whose_lineage_cannot_be_done_again_is_refused_by_what_was_done() -> None:
    table = hire()
    tree = cw.ID3().learn(table)
    edited = replace(tree, origin=tree.origin.then(Edited("delete", (2,))))
    with pytest.raises(LearningError, match="changed after ID3 had learned it: rule 2 deleted"):
        cw.derive(edited, table)


@pytest.mark.parametrize("learner", [*LEARNERS, cw.CART(alpha="cv", folds=3)], ids=repr)
def test_nothing_is_learned_or_pruned_again_to_find_out_what_happened(
    learner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = hire()
    kept = table.take(np.arange(0, len(table), 2))
    tree = learner.learn(table)
    for name in catalogue.PRUNERS:
        tree = pruned(name, tree, table)
    tree = cw.prune_reduced_error(tree, kept).tree

    def again(*_: Any, **__: Any) -> Any:
        raise AssertionError("done again")

    grown: list[Table] = []
    grow = type(learner).grow

    def once(self: Any, rows: Table) -> Any:
        grown.append(rows)
        return grow(self, rows)

    monkeypatch.setattr(type(learner), "learn", again)
    monkeypatch.setattr(type(learner), "grow", once)
    for name in (*(each.prune.__name__ for each in catalogue.PRUNERS.values()), "cut_to_leaves"):
        for module in list(sys.modules.values()):
            if getattr(module, "__name__", "").startswith("clearwood.") and callable(
                getattr(module, name, None)
            ):
                monkeypatch.setattr(module, name, again)
    for name in ("prune_with_raising", "prune_without_raising", "collapse", "cut_at"):
        for home in (own, pessimistic, weakest_links):
            if hasattr(home, name):
                monkeypatch.setattr(home, name, again)
    judged: list[Tree] = []
    for name in ("judge_with_raising", "judge_without_raising"):
        judge = getattr(error_based_derivation, name)

        def counting(of: Tree, *rest: Any, judge: Any = judge) -> Any:
            judged.append(of)
            return judge(of, *rest)

        monkeypatch.setattr(error_based_derivation, name, counting)
    assert len(cw.derive(tree, table)) > tree.size
    folds = 3 if learner == cw.CART(alpha="cv", folds=3) else 0
    assert [len(rows) for rows in grown].count(len(table)) == 1
    assert len(grown) == 1 + folds
    assert len(judged) == (2 if isinstance(learner, cw.C45) else 1)


def test_a_tree_pruned_by_rows_kept_back_is_derived_from_those_it_grew_from() -> None:
    table = hire()
    grew, kept = table.take(np.arange(9)), table.take(np.arange(9, 14))
    tree = cw.prune_reduced_error(cw.ID3().learn(grew), kept).tree
    derivation = cw.derive(tree, grew)
    assert any(isinstance(step.outcome, BecameLeaf | Raised) for step in derivation)
    assert replayed(cw.ID3().learn(grew), grew, derivation) == lines_of(tree)
    with pytest.raises(LearningError, match="9 of them, and here are 14"):
        cw.derive(tree, table)
