"""The pruners' ledgers, derived: every cut of the ledger is a step, every number shows its work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.catalogue import PRUNERS
from clearwood.errors import LearningError, SettingError
from clearwood.learners.trees.pruning.pruner import PrunedTree
from clearwood.table.table import Table
from clearwood.working.derivation import BecameLeaf, Kept, Raised
from tests.deriving.checking import check
from tests.deriving.replaying import lines_of, replayed
from tests.learners.random_tables import random_tables

Prune = Callable[[cw.Tree, Table], PrunedTree]


def by_default(name: str) -> Prune:
    """A pruner of the list with its usual settings."""
    pruner = PRUNERS[name]
    return lambda tree, rows: pruner.prune(tree) if pruner.needs == "none" else pruner.prune(tree, rows)


ANY: dict[str, Prune] = {
    **{name: by_default(name) for name in PRUNERS if name != "error-based"},  # which takes classes alone
    "reduced-error": cw.prune_reduced_error,
    "cost-complexity": lambda tree, _: cw.prune_cost_complexity(tree, 0.02),
    "chi-square": lambda tree, _: cw.prune_chi_square(tree, 0.1),
}
OF_CLASSES: dict[str, Prune] = {
    **ANY,
    "by impurity": lambda tree, _: cw.prune_cost_complexity(tree, 0.02, risk="gini"),
    "error-based": cw.prune_error_based,
    "without raising": lambda tree, _: cw.prune_error_based(tree, raise_subtrees=False, confidence=0.1),
}


def others(table: Table) -> Table:
    """Other rows than these: the first of them once more."""
    return table.take(np.append(np.arange(len(table)), 0))


def derived(name: str, tree: cw.Tree, table: Table) -> None:
    prune = OF_CLASSES[name]
    rows = others(table) if name in PRUNERS and PRUNERS[name].needs == "fresh" else table
    pruned = prune(tree, rows)
    steps = cw.derive_pruning(pruned.ledger, tree, rows)
    check(steps)
    assert replayed(tree, table, steps) == lines_of(pruned.tree)
    decided = [step.outcome for step in steps]
    cuts = sorted(each.place or 0 for each in decided if isinstance(each, BecameLeaf | Raised))
    assert cuts == sorted(cut.node for cut in pruned.ledger)
    assert all(isinstance(each, BecameLeaf | Raised | Kept | None) for each in decided)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(table=random_tables(("nominal", "ordinal"), max_values=12), name=st.sampled_from(sorted(OF_CLASSES)))
def test_a_pruned_tree_of_classes_comes_of_its_steps(table: Table, name: str) -> None:
    derived(name, cw.C45(prune=False, min_rows=1, collapse=False).learn(table), table)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(table=random_tables(("numeric",), max_values=12), name=st.sampled_from(sorted(ANY)))
def test_a_pruned_tree_of_numbers_comes_of_its_steps(table: Table, name: str) -> None:
    derived(name, cw.CART(min_leaf=2).learn(table), table)


@settings(max_examples=20, deadline=None)
@given(table=random_tables(("nominal",), max_values=12))
def test_costs_count_on_validation_rows(table: Table) -> None:
    classes = table.schema.classes
    costs = {(classes[0], classes[-1]): 3.0} if len(classes) > 1 else None
    derived("reduced-error", cw.ID3(costs=costs).learn(table), table)


def test_a_split_that_stays_has_its_step() -> None:
    table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    tree = cw.ID3().learn(table)
    steps = cw.derive_pruning(cw.prune_chi_square(tree, alpha=0.05).ledger, tree)
    assert [type(step.outcome) for step in steps] == [Kept, Kept]
    assert steps[0].decision == "Chance alone gives such branches with p = 0.030, at most 0.05: it stays."
    assert steps.figure("χ²(split)").value == pytest.approx(7)


def test_bits_are_those_of_the_ledger() -> None:
    table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    tree = cw.ID3().learn(table)
    ledger = cw.prune_description_length(tree).ledger
    steps = {
        step.outcome.place: step
        for step in cw.derive_pruning(ledger, tree)
        if isinstance(step.outcome, BecameLeaf)
    }
    for cut in ledger:
        as_leaf, subtree, _ = steps[cut.node].figures
        assert as_leaf.value == cut.after["bits"]
        assert subtree.value == cut.before["bits"]


@pytest.mark.parametrize(
    ("prune", "sentence"),
    [
        (lambda tree, rows: cw.prune_reduced_error(tree, others(rows)), "validation rows"),
        (lambda tree, rows: cw.prune_error_based(tree, rows), "training rows"),
    ],
)
def test_rows_that_are_needed_are_asked_for(prune: Any, sentence: str) -> None:
    table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    tree = cw.ID3().learn(table)
    with pytest.raises(SettingError, match=sentence):
        cw.derive_pruning(prune(tree, table).ledger, tree)


def test_the_tree_before_the_pruning_is_asked_for() -> None:
    table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    tree = cw.ID3().learn(table)
    pruned = cw.prune_chi_square(tree, alpha=0.01)
    with pytest.raises(LearningError, match="before the pruning"):
        cw.derive_pruning(pruned.ledger, pruned.tree)


def test_steps_are_made_when_they_are_asked_for() -> None:
    rng = np.random.default_rng(0)
    table = cw.read_table(
        {"x": rng.normal(size=2000), "z": rng.normal(size=2000), "y": rng.choice(list("ab"), 2000)},
        target="y",
    )
    tree = cw.CART().learn(table)
    steps = cw.derive_pruning(cw.prune_siblings(tree).ledger, tree)
    assert len(steps) > 100
    assert steps[len(steps) - 1].title
