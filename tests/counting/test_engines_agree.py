"""Every counting engine grows the same trees, byte for byte: in memory, in a database, in batches of rows."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.counting.engine import CountingEngine
from clearwood.counting.in_memory import engine_in_memory
from clearwood.learners.learner import TreeLearner
from clearwood.learners.trees.growing_by_counts import finish, grow_draft, task_at
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.lineage import Origin
from clearwood.table.table import Table
from tests.counting.engine_in_batches import InBatches
from tests.counting.engine_in_duckdb import engine_in_duckdb
from tests.learners.random_tables import random_tables

CLASSES: dict[str, TreeLearner] = {
    "id3": cw.ID3(),
    "id3 gini": cw.ID3(measure="gini", min_leaf=2),
    "c45": cw.C45(min_rows=1),
    "c45 groups": cw.C45(group_values=True),
    "c45 priors": cw.C45(priors="equal"),
    "cart": cw.CART(),
    "cart direction": cw.CART(missing="direction"),
    "cart priors": cw.CART(priors="equal", min_leaf=2),
    "chaid": cw.CHAID(min_rows=4, min_leaf=2, bins=4, alpha_split=0.5, alpha_merge=0.2),
}
NUMBERS: dict[str, TreeLearner] = {
    "cart": cw.CART(),
    "cart absolute": cw.CART(measure="absolute", max_depth=3, missing="direction"),
    "chaid": cw.CHAID(min_rows=4, min_leaf=2, bins=4, alpha_split=0.5),
}


def grown(learner: TreeLearner, engine: CountingEngine) -> Nodes:
    task = task_at(learner, engine)
    draft = grow_draft(task, learner.split_chooser(task), 4)
    return finish(task, draft, learner.score_names, Origin("")).nodes


def assert_same_bytes(one: Nodes, other: Nodes) -> None:
    for each in fields(Nodes):
        first: Any = getattr(one, each.name)
        second: Any = getattr(other, each.name)
        assert first.dtype == second.dtype, each.name
        assert first.tobytes() == second.tobytes(), each.name


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@settings(max_examples=15, deadline=None)
@given(table=random_tables(("nominal",), max_columns=4, max_values=30))
def test_a_database_grows_the_tree_that_memory_does(name: str, table: Table) -> None:
    assert_same_bytes(
        grown(CLASSES[name], engine_in_duckdb(table)), grown(CLASSES[name], engine_in_memory(table))
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@settings(max_examples=15, deadline=None)
@given(table=random_tables(("nominal", "ordinal"), max_values=30), size=st.integers(1, 90))
def test_batches_of_rows_grow_the_tree_that_memory_does(name: str, table: Table, size: int) -> None:
    engine = engine_in_memory(table)
    assert_same_bytes(grown(CLASSES[name], InBatches(engine, size)), grown(CLASSES[name], engine))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(NUMBERS))
@settings(max_examples=15, deadline=None)
@given(table=random_tables(("numeric",), max_values=30), size=st.integers(1, 90))
def test_batches_of_rows_grow_the_tree_of_numbers(name: str, table: Table, size: int) -> None:
    engine = engine_in_memory(table)
    assert_same_bytes(grown(NUMBERS[name], InBatches(engine, size)), grown(NUMBERS[name], engine))


@pytest.mark.parametrize("learner", [cw.ID3(max_depth=3), cw.C45(max_depth=3), cw.CART(max_depth=3)])
def test_the_order_of_the_rows_is_no_part_of_the_tree(learner: TreeLearner) -> None:
    chance = np.random.default_rng(5)
    rows = 400
    x, z = chance.normal(size=(2, rows)).round(2)
    x[chance.random(rows) < 0.3] = np.nan
    z[chance.random(rows) < 0.3] = np.nan
    y = np.where(np.nan_to_num(x) + np.nan_to_num(z) > 0.2, "yes", "no")
    table = cw.read_table({"x": x, "z": z, "y": y}, target="y", kinds={"x": "numeric", "z": "numeric"})
    table = Table(table.schema, table.columns, chance.uniform(0.1, 3, rows))
    assert table.weights is not None
    order = chance.permutation(rows)
    other = Table(
        table.schema, {name: each[order] for name, each in table.columns.items()}, table.weights[order]
    )
    assert_same_bytes(grown(learner, engine_in_memory(other)), grown(learner, engine_in_memory(table)))
    assert_same_bytes(grown(learner, engine_in_duckdb(other)), grown(learner, engine_in_memory(table)))
