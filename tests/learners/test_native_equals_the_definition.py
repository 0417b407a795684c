"""The native growers give the very tree of the definition, on any table."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.id3 import ID3
from clearwood.table.attributes import Numeric, Ordinal
from clearwood.table.table import Table
from tests.definitions.trees import learn_by_counts
from tests.learners.random_tables import random_tables
from tests.same_nodes import same_nodes

CLASSES: dict[str, ID3 | C45 | CART] = {
    "id3": ID3(),
    "id3 gini": ID3(measure="gini", min_leaf=2, min_gain=0.01),
    "id3 of gains": ID3(min_gain=0),
    "id3 error": ID3(measure="error", max_depth=3, min_rows=4),
    "c45": C45(),
    "c45 unpruned": C45(prune=False, collapse=False, min_rows=1),
    "c45 cut": C45(ordinal="cut", threshold="midpoint", min_gap=0),
    "c45 groups": C45(group_values=True, prune=False),
    "c45 quinlan": C45(confidence_table="quinlan", confidence=0.4, raise_subtrees=False),
    "cart": CART(),
    "cart entropy": CART(measure="entropy", min_leaf=2, min_decrease=0.01),
    "cart error": CART(measure="error", max_depth=4),
    "cart direction": CART(missing="direction"),
    "cart direction entropy": CART(missing="direction", measure="entropy", min_leaf=3),
    "cart priors": CART(priors="equal", min_rows=5, min_leaf=2),
    "cart direction priors": CART(priors="equal", min_leaf=3, missing="direction"),
    "cart rare": CART(min_value=3),
    "cart rare direction": CART(min_value=2, missing="direction", priors="equal"),
    "id3 priors": ID3(priors="equal", min_leaf=2),
    "c45 priors": C45(priors="equal"),
}
NUMBERS = {
    "cart": CART(),
    "cart absolute": CART(measure="absolute", max_depth=4),
    "cart direction": CART(missing="direction", min_leaf=2),
    "cart rare": CART(min_value=3),
    "cart absolute rare": CART(measure="absolute", min_value=2, missing="direction", max_depth=4),
    "cart absolute direction": CART(measure="absolute", missing="direction", max_depth=4),
}
LIMITED: dict[str, C45 | CART] = {
    "c45": C45(ordinal="cut"),
    "c45 unpruned": C45(ordinal="cut", prune=False, collapse=False, min_rows=1),
    "c45 groups": C45(ordinal="cut", group_values=True, prune=False, threshold="midpoint", min_gap=0),
    "c45 priors": C45(ordinal="cut", priors="equal"),
    "cart": CART(),
    "cart entropy": CART(measure="entropy", min_leaf=2),
    "cart direction": CART(missing="direction"),
    "cart direction priors": CART(priors="equal", min_leaf=3, missing="direction"),
    "cart costs": CART(costs={("c0", "c1"): 3}, min_leaf=2),
}
LIMITED_NUMBERS = {"cart": CART(), "cart direction": CART(missing="direction", min_leaf=2)}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@many
@given(table=random_tables(("nominal", "ordinal")))
def test_the_same_tree_of_classes(name: str, table: Table) -> None:
    same_nodes(CLASSES[name].learn(table).nodes, learn_by_counts(CLASSES[name], table).nodes)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in CLASSES.items() if each.priors is None])
@many
@given(table=random_tables(("nominal", "ordinal"), weights=("none", "ones", "whole", "some zero")))
def test_the_same_scores_and_parts_of_rows_to_the_last_digit(name: str, table: Table) -> None:
    learner = CLASSES[name]
    if isinstance(learner, C45):
        learner = replace(learner, prune=False)  # pruning sends rows again, and divides them without units
    native, defined = learner.learn(table).nodes, learn_by_counts(learner, table).nodes
    for each in ("counts", "scores", "share", "low", "high", "s_limit", "s_agreement"):
        np.testing.assert_array_equal(getattr(native, each), getattr(defined, each), err_msg=each)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(NUMBERS))
@many
@given(table=random_tables(("numeric",)))
def test_the_same_tree_of_numbers(name: str, table: Table) -> None:
    same_nodes(NUMBERS[name].learn(table).nodes, learn_by_counts(NUMBERS[name], table).nodes)


@st.composite
def directions(draw: st.DrawFn, table: Table, of: str) -> dict[str, str]:
    """Up or down, for one or more of the columns that have an order; none where no column has."""
    ordered = [each.name for each in table.schema.attributes if isinstance(each, Numeric | Ordinal)]
    limited = draw(st.lists(st.sampled_from(ordered), min_size=1, unique=True)) if ordered else []
    return {name: draw(st.sampled_from(["up", "down"])) + of for name in limited}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LIMITED))
@many
@given(table=random_tables(("nominal",), min_classes=2, max_classes=2, spare_class=False), data=st.data())
def test_the_same_tree_of_classes_within_limits(name: str, table: Table, data: st.DataObject) -> None:
    learner = replace(LIMITED[name], monotone=data.draw(directions(table, ":c0")))
    same_nodes(learner.learn(table).nodes, learn_by_counts(learner, table).nodes)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LIMITED_NUMBERS))
@many
@given(table=random_tables(("numeric",)), data=st.data())
def test_the_same_tree_of_numbers_within_limits(name: str, table: Table, data: st.DataObject) -> None:
    learner = replace(LIMITED_NUMBERS[name], monotone=data.draw(directions(table, "")))
    same_nodes(learner.learn(table).nodes, learn_by_counts(learner, table).nodes)
