"""Rare values of nominal columns: CART sets them aside by `min_value`, CHAID's tests merge them."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.predicting import shares
from clearwood.table.table import Table


def identified(rows: int = 600) -> Table:
    """A number that decides, beside an identifier and a name that say nothing."""
    dice = np.random.default_rng(0)
    x, name = dice.normal(size=rows), dice.integers(0, 40, rows)
    y = np.where(dice.random(rows) < 1 / (1 + np.exp(-2 * x)), "yes", "no")
    cells = {"x": x.tolist(), "id": [f"id{i}" for i in range(rows)], "name": [f"n{i}" for i in name]}
    kinds: dict[str, str] = {"x": "numeric", "id": "nominal", "name": "nominal"}
    return cw.read_table({**cells, "y": y.tolist()}, target="y", kinds=kinds)


def _loss(model: cw.Tree, table: Table) -> float:
    chance = np.clip(shares(model, table), 0.01, 0.99)
    return float(-np.log(chance[np.arange(len(table)), table.target]).mean())


def test_values_of_few_rows_are_set_aside_and_an_identifier_is_not_split_on() -> None:
    table = identified()
    train, test = table.take(np.arange(400)), table.take(np.arange(400, 600))
    free = CART(max_depth=3, min_leaf=10).learn(train)
    limited = CART(max_depth=3, min_leaf=10, min_value=5).learn(train)
    assert free.nodes.attribute[1] == 1
    assert 1 not in limited.nodes.attribute
    assert _loss(limited, test) < 0.5 < 2 < _loss(free, test)
    assert _loss(CHAID(min_rows=20, min_leaf=10).learn(train), test) < 0.5


def test_a_rare_value_goes_as_an_unknown_one_does_and_the_derivation_says_so() -> None:
    rows = [("a", "yes")] * 9 + [("b", "no")] * 5 + [("c", "yes")] * 4 + [("d", "no")] * 2
    table = cw.read_table({"x": [x for x, _ in rows], "y": [y for _, y in rows]}, target="y")
    tree = CART(min_value=3).learn(table)
    left, right = tree.nodes.children(0)
    assert {str(tree.condition(left)), str(tree.condition(right))} == {"x in {a, c}", "x = b"}
    larger = left if "a" in str(tree.condition(left)) else right
    assert tree.nodes.counts[larger].sum() == 15  # with the two rows of d
    step = next(iter(cw.derive(tree, table)))
    said = {each.name: each.because for each in step.figures}
    assert said["Decrease(x)"] == "Values of fewer than 3 rows here count as unknown."
    assert said["Without x"].startswith(
        "A row without x, or with a value that is too rare, goes to the larger side"
    )
    kept = CART().learn(table)
    assert kept.nodes.counts[kept.nodes.children(0)].sum(axis=1).tolist() == [13, 7]


@pytest.mark.parametrize("values", ["ab", "abc"])
def test_few_values_are_grouped_however_rare(values: str) -> None:
    cells = [*values, *values[0] * 5]
    answers = ["no" if each == "b" else "yes" for each in cells]
    table = cw.read_table({"x": cells, "y": answers}, target="y")
    assert CART(min_value=4).learn(table).nodes == CART().learn(table).nodes
