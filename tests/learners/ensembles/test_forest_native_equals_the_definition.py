"""The native forest has the very trees of the definition, on any table."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from clearwood.learners.ensembles.forest import Forest
from clearwood.learners.training import class_weights, decision_of, usable_rows
from clearwood.table.table import Table
from tests.definitions.forest import tree_by_counts
from tests.learners.random_tables import random_tables
from tests.same_nodes import same_nodes

CLASSES = {
    "plain": Forest(trees=3),
    "one column": Forest(trees=3, columns=1, seed=5),
    "leaves of two": Forest(trees=3, min_leaf=2, min_rows=5, max_depth=6),
    "entropy": Forest(trees=3, measure="entropy"),
    "priors": Forest(trees=3, priors="equal", min_leaf=2),
    "a part": Forest(trees=3, rows=0.7),
    "all rows": Forest(trees=2, rows=1.0),
    "random cuts": Forest(trees=3, cuts="random", rows=1.0),
    "random cuts of drawn rows": Forest(trees=3, cuts="random", min_leaf=2),
    "rare values set aside": Forest(trees=3, min_value=4),
    "rare values, drawn groups": Forest(trees=3, cuts="random", min_value=2.5),
}
NUMBERS = {
    "plain": Forest(trees=3),
    "leaves of one": Forest(trees=3, min_leaf=1),
    "a part": Forest(trees=3, rows=0.7, min_leaf=2),
    "random cuts": Forest(trees=3, cuts="random", min_leaf=1),
    "rare values set aside": Forest(trees=3, min_leaf=1, min_value=4),
}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def same_forest(forest: Forest, table: Table) -> None:
    learned = forest.learn(table)
    rows = usable_rows(forest, table)
    task = forest.task(rows, decision_of(rows.schema, class_weights(rows), forest.priors, forest.costs))
    assert learned.trees is not None
    for number, tree in enumerate(learned.trees):
        same_nodes(tree, tree_by_counts(task, number))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@many
@given(table=random_tables(("nominal", "ordinal")))
def test_the_same_trees_of_classes(name: str, table: Table) -> None:
    same_forest(CLASSES[name], table)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(NUMBERS))
@many
@given(table=random_tables(("numeric",)))
def test_the_same_trees_of_numbers(name: str, table: Table) -> None:
    same_forest(NUMBERS[name], table)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [5000, 9000])
def test_the_same_trees_of_more_rows_than_are_grown_in_the_cache(rows: int) -> None:
    from clearwood.table.attributes import Nominal, Numeric
    from clearwood.table.schema import Schema

    random = np.random.default_rng(rows)
    classes = rows // 2500
    x = random.normal(size=rows)
    few = random.integers(0, 5, rows).astype(np.float64)
    x[random.random(rows) < 0.1] = np.nan
    group = random.integers(-1, 12, rows).astype(np.int32)
    target = (np.nan_to_num(x) + 0.2 * group + random.normal(size=rows) > 1).astype(np.int32) * (classes - 1)
    table = Table(
        Schema(
            (Numeric("x"), Numeric("few"), Nominal("group", tuple("abcdefghijkl"))),
            Nominal("y", tuple(f"c{i}" for i in range(classes))),
        ),
        {"x": x, "few": few, "group": group, "y": target},
    )
    same_forest(Forest(trees=1, columns=2, max_depth=8), table)
