"""Whatever a learner grows and a pruner leaves is a tree that the strict reader of model files takes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from clearwood.learners.trees.pruning.chi_square import prune_chi_square
from clearwood.learners.trees.pruning.cost_complexity import prune_cost_complexity
from clearwood.learners.trees.pruning.description_length import prune_description_length
from clearwood.learners.trees.pruning.error_based import prune_error_based
from clearwood.learners.trees.pruning.reduced_error import prune_reduced_error
from clearwood.learners.trees.pruning.siblings import prune_siblings
from clearwood.models.files import from_json, to_json
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables

LEARNERS: dict[str, Any] = {
    "ID3": ID3(),
    "ID3 with priors": ID3(priors="equal"),
    "C4.5": C45(min_rows=1),
    "C4.5 unpruned, grouped": C45(min_rows=1, prune=False, group_values=True, priors="equal"),
    "C4.5 cut hard": C45(min_rows=1, confidence=0.05, collapse=False),
    "CART": CART(),
    "CART by direction": CART(missing="direction", min_leaf=2, priors="equal"),
    "CART pruned": CART(alpha=0.02),
    "CHAID": CHAID(min_rows=2, min_leaf=1, alpha_merge=0.6, alpha_split=0.9, max_depth=None),
    "CHAID exhaustive": CHAID(min_rows=2, min_leaf=1, exhaustive=True, alpha_split=0.9, bonferroni=False),
}


def others(table: Table) -> Table:
    """Other rows than these: the first of them once more."""
    return table.take(np.append(np.arange(len(table)), 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=random_tables(("nominal", "ordinal"), max_values=30))
def test_a_tree_for_classes_comes_back_however_it_was_pruned(name: str, table: Table) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = LEARNERS[name].learn(table)
    pruned = [
        prune_chi_square(tree),
        prune_siblings(tree),
        prune_cost_complexity(tree, 0.02),
        prune_error_based(tree, table),
        prune_error_based(tree, raise_subtrees=False),
        prune_description_length(tree),
        prune_reduced_error(tree, others(table)),
    ]
    for each in (tree, *(one.tree for one in pruned)):
        assert from_json(to_json(each)) == each


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LEARNERS if LEARNERS[name].learns_numbers])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=random_tables(("numeric",), max_values=30))
def test_a_tree_for_numbers_comes_back(name: str, table: Table) -> None:
    learner = replace(LEARNERS[name], priors=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = learner.learn(table)
    for each in (
        tree,
        prune_chi_square(tree).tree,
        prune_cost_complexity(tree, 0.02).tree,
        prune_reduced_error(tree, others(table)).tree,
    ):
        assert from_json(to_json(each)) == each
