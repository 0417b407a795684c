"""Values of few rows, as identifiers have, do not spoil ensembles: they follow the missing cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clearwood.learners.ensembles.boosting import Boosting
from clearwood.learners.ensembles.forest import Forest
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.batch import shares
from clearwood.table.attributes import Attribute, Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.shared_data import load_shared


def of_a_number_and_an_id(rows: int = 300, per_id: int = 1) -> Table:
    random = np.random.default_rng(0)
    x = random.normal(size=rows)
    y = (random.random(rows) < 1 / (1 + np.exp(-2 * x))).astype(np.int32)
    ids = (random.permutation(rows) // per_id).astype(np.int32)
    schema = Schema(
        (Numeric("x"), Nominal("id", tuple(f"id{i}" for i in range(rows)))), Nominal("y", ("no", "yes"))
    )
    return Table(schema, {"x": x, "id": ids, "y": y})


def log_loss(learner: Any, table: Table) -> float:
    train, test = table.take(np.arange(200)), table.take(np.arange(200, len(table)))
    right = shares(learner.learn(train), test)[np.arange(len(test)), test.target]
    return float(-np.log(np.clip(right, 1e-7, 1)).mean())


def without_the_id(table: Table) -> Table:
    schema = Schema(table.schema.attributes[:1], table.schema.target)
    return Table(schema, {"x": table.columns["x"], "y": table.target})


@pytest.mark.parametrize("per_id", [1, 3])
def test_an_identifier_costs_boosting_little(per_id: int) -> None:
    table = of_a_number_and_an_id(per_id=per_id)
    alone = log_loss(Boosting(), without_the_id(table))
    assert log_loss(Boosting(), table) < alone + 0.03
    assert log_loss(Boosting(min_value=0), table) > alone + 0.2


def test_a_forest_is_better_where_rare_values_are_not_grouped() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(4, 600))
    y = (random.random(600) < 1 / (1 + np.exp(-2 * x[0] - x[1]))).astype(np.int32)
    ids = Nominal("id", tuple(f"id{i}" for i in range(300)))
    attributes: tuple[Attribute, ...] = (*(Numeric(f"x{i}") for i in range(4)), ids)
    columns = {f"x{i}": x[i] for i in range(4)} | {"id": (random.permutation(600) // 2).astype(np.int32)}
    table = Table(Schema(attributes, Nominal("y", ("no", "yes"))), {**columns, "y": y})
    assert log_loss(Forest(), table) < log_loss(Forest(min_value=0), table) - 0.02


def with_identifiers(table: Table) -> Table:
    """The table and three columns of chance, whose values have one, two and four rows."""
    random = np.random.default_rng(7)
    ids = {f"id{per}": (random.permutation(len(table)) // per).astype(np.int32) for per in (1, 2, 4)}
    values = tuple(f"v{i}" for i in range(len(table)))
    attributes = (*table.schema.attributes, *(Nominal(name, values) for name in ids))
    return Table(Schema(attributes, table.schema.target), {**table.columns, **ids})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["car", "glass", "vote"])
def test_identifiers_cost_a_forest_little(name: str) -> None:
    table = load_shared(name)
    table = table.take(np.random.default_rng(1).permutation(len(table))[:600])
    fold = np.random.default_rng(3).permutation(len(table)) % 3

    def accuracy(rows: Table) -> float:
        right = []
        for held in range(3):
            test = rows.take(fold == held)
            made = shares(Forest(trees=60, out_of_bag=False).learn(rows.take(fold != held)), test)
            right += (made.argmax(axis=1) == test.target).tolist()
        return float(np.mean(right))

    assert accuracy(with_identifiers(table)) > accuracy(table) - 0.03


@pytest.mark.slow
def test_an_identifier_beside_one_number_makes_no_forest_worse() -> None:
    """Probabilities of 0 and 1 that trees of one number give cost more than what the identifier does."""
    for per_id in (1, 3):
        table = of_a_number_and_an_id(per_id=per_id)
        assert log_loss(Forest(), table) < log_loss(Forest(), without_the_id(table)) + 0.03


@pytest.mark.parametrize("learner", [Boosting(trees=3, min_child=0), Forest(trees=5, rows=1.0)])
def test_rare_values_are_in_no_group_and_go_with_the_missing(learner: Any) -> None:
    table = of_a_number_and_an_id()
    common = np.where(np.arange(300) % 2 == 0, 0, table.columns["id"]).astype(np.int32)
    y = np.where(common == 0, table.target, 1).astype(np.int32)
    table = Table(table.schema, {"x": np.zeros(300), "id": common, "y": y})
    model = learner.learn(table)
    tree = model.members[0]
    assert isinstance(tree, Tree)
    codes = set(tree.nodes.set_codes.tolist())
    assert codes == {0}
    rare, missing, new = (
        Table(table.schema, {**table.take(np.arange(1)).columns, "id": np.array([code], dtype=np.int32)})
        for code in (int(common[common > 0][0]), -1, 299)
    )
    assert shares(model, rare).tolist() == shares(model, missing).tolist() == shares(model, new).tolist()


def test_three_values_have_no_rare_one() -> None:
    schema = Schema((Nominal("v", ("a", "b", "c")),), Nominal("y", ("no", "yes")))
    v = np.array([0] * 20 + [1] * 20 + [2] * 4, dtype=np.int32)
    table = Table(schema, {"v": v, "y": (v == 2).astype(np.int32)})
    assert shares(Boosting(min_child=0).learn(table), table)[-1, 1] > 0.9
