"""Rows at a node: the parts that come there are those of the definition, row by row."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.one import reached
from clearwood.predicting.through import parts_at
from tests.shared_data import load_shared


def rows_with_gaps() -> cw.Table:
    rng = np.random.default_rng(2)
    rows = 60
    colours = [None if rng.random() < 0.2 else "rgb"[rng.integers(3)] for _ in range(rows)]
    sizes = [None if rng.random() < 0.2 else float(rng.integers(9)) + 0.5 for _ in range(rows)]
    classes = ["xy"[rng.integers(2)] for _ in range(rows)]
    return cw.read_table({"colour": colours, "size": sizes, "class": classes}, target="class")


def leaves_by_path(tree: Tree) -> dict[tuple[int, ...], int]:
    paths: dict[int, tuple[int, ...]] = {0: ()}
    for node in tree:
        for place, child in enumerate(tree.nodes.children(node)):
            paths[child] = (*paths[node], place)
    return {paths[node]: node for node in np.flatnonzero(tree.nodes.is_leaf).tolist()}


@pytest.mark.parametrize(
    "learner",
    [
        cw.C45(min_rows=1, prune=False),
        cw.CART(min_rows=2),
        cw.CART(min_rows=2, missing="direction"),
        cw.ID3(),
    ],
    ids=["shares", "surrogates", "direction", "a value"],
)
def test_each_leaf_gets_the_parts_the_definition_gives_it(learner: cw.C45 | cw.CART | cw.ID3) -> None:
    table = rows_with_gaps()
    if isinstance(learner, cw.ID3):
        table = cw.Table(cw.Schema((table.schema["colour"],), table.schema.target), {
            name: table.columns[name] for name in ("colour", "class")
        })  # fmt: skip
    tree = learner.learn(table)
    places = leaves_by_path(tree)
    expected = np.zeros((len(table), len(tree.nodes)))
    for row in range(len(table)):
        cells = {
            attribute.name: _cell(attribute, table.columns[attribute.name][row])
            for attribute in table.schema.attributes
        }
        for each in reached(tree, cells):
            expected[row, places[each.path]] += each.weight
    for leaf in places.values():
        assert parts_at(tree, table, leaf) == pytest.approx(expected[:, leaf], abs=1e-12)


def _cell(attribute: object, cell: float) -> str | float | None:
    if isinstance(attribute, cw.Numeric):
        return None if np.isnan(cell) else float(cell)
    assert isinstance(attribute, cw.Nominal)
    return None if cell < 0 else attribute.values[int(cell)]


def test_the_counts_of_a_node_are_those_of_its_rows() -> None:
    table = load_shared("vote")
    tree = cw.C45(prune=False, collapse=False).learn(table)
    for node in tree:
        counts = np.bincount(table.target, parts_at(tree, table, node), minlength=2)
        assert counts == pytest.approx(tree.nodes.counts[node], abs=1e-6)
