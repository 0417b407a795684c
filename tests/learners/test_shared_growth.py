"""Trees that differ only in where they stop, or in their pruning, are cut from one that was grown once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.id3 import ID3
from clearwood.learners.trees.shared_growth import growing_alike, grown_for, learned_from_grown
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from tests.generated_tables import FLAVOURS, generated_table

DEPTHS = (0, 1, 2, 3, 5, None)
OF_CART = [
    *(CART(max_depth=depth) for depth in DEPTHS),
    *(CART(max_depth=depth, min_rows=rows) for depth in (2, None) for rows in (5, 10.5)),
    *(CART(max_depth=depth, alpha=alpha) for depth in (3, None) for alpha in (0.0, 0.01)),
    *(CART(max_depth=depth, alpha=alpha, folds=3) for depth in (3, None) for alpha in ("cv", "1se")),
]
OF_C45 = [
    *(C45(max_depth=depth) for depth in DEPTHS),
    *(C45(confidence=part, raise_subtrees=up) for part in (0.05, 0.4) for up in (True, False)),
    *(C45(prune=False, collapse=each, max_depth=2) for each in (True, False)),
]
OF_ID3 = [ID3(max_depth=depth, min_rows=rows) for depth in DEPTHS for rows in (2, 6)]


def _weighted(table: Table, seed: int) -> Table:
    weights = np.random.default_rng(seed).uniform(0.2, 3, len(table))
    return Table(table.schema, table.columns, weights)


def _same(learners: list[Any], table: Table) -> None:
    assert growing_alike(learners) == [[*range(len(learners))]]
    grown = grown_for(learners, table)
    for learner in learners:
        shared, alone = learned_from_grown(learner, grown, table), learner.learn(table)
        assert isinstance(alone, Tree)
        assert shared == alone, learner


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("flavour", [each for each in FLAVOURS if each != "large"])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("learners", [OF_CART, OF_C45, OF_ID3], ids=["cart", "c45", "id3"])
def test_a_tree_cut_from_the_shared_one_is_the_tree_that_is_learned(
    flavour: str, seed: int, learners: list[Any]
) -> None:
    table = generated_table(flavour, seed)
    _same(learners, table)
    _same(learners, _weighted(table, seed))


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("seed", range(4))
def test_so_is_a_tree_of_numbers(seed: int) -> None:
    _same(OF_CART, generated_table("mixed", seed, regression=True))


def test_priors_costs_surrogates_and_measures_are_kept() -> None:
    table = generated_table("missing", 5)
    first = table.schema.classes[0]
    more: dict[str, Any] = {
        "priors": "equal",
        "costs": {(first, table.schema.classes[1]): 4.0},
        "surrogates": 2,
    }
    _same([CART(max_depth=depth, measure="entropy", **more) for depth in DEPTHS], table)
    _same([CART(max_depth=depth, missing="direction") for depth in DEPTHS], table)


def test_what_decides_splits_is_never_shared() -> None:
    apart = [CART(), CART(min_leaf=2), CART(measure="entropy"), C45(), C45(min_rows=5), ID3()]
    assert growing_alike(apart) == [[0], [1], [2], [3], [4], [5]]


def test_an_unknown_learner_is_alone() -> None:
    assert growing_alike([object(), object()]) == [[0], [1]]
