"""CHAID gives the trees of the CHAID package (5.5.1) wherever the two mean the same.

The package has no Bonferroni factor, never joins values that have rows of one class only, and splits a
node only above its least size; these tables meet none of that. Its figures are stored here.
"""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.learners.trees.chaid import CHAID
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.shared_data import load_shared

# Nominal columns only, depth 3, nodes of 100 rows: how many nodes, and the chi-square of every split.
FIGURES: dict[str, tuple[int, list[float]]] = {
    "breast_cancer": (7, [5.3852, 8.761, 31.2222]),
    "car": (16, [114.8, 176.6723, 189.0118, 310.8736, 479.3224]),
    "credit_g": (19, [9.5103, 12.3091, 12.7558, 18.5818, 24.0414, 25.6457, 123.7209]),
    "monks_1": (3, [181.7947]),
    "penguins": (4, [299.5503]),
    "soybean": (16, [361.0455, 734.0, 814.0, 2171.007]),
    "vote": (10, [12.4965, 17.905, 37.5615, 363.0397]),
    "zoo": (3, [101.0]),
}


@pytest.mark.parametrize("name", FIGURES)
def test_the_packages_tree(name: str) -> None:
    table = load_shared(name)
    nominal = tuple(each for each in table.schema.attributes if isinstance(each, Nominal))
    only = Table(Schema(nominal, table.schema.target), table.columns)
    tree = CHAID(bonferroni=False, min_leaf=0).learn(only)
    statistics = np.sort(tree.nodes.scores[~tree.nodes.is_leaf, 0])
    size, expected = FIGURES[name]
    assert tree.size == size
    np.testing.assert_allclose(statistics, expected, atol=1e-4)


def test_categories_of_one_class_do_not_end_the_merging() -> None:
    """Twelve categories, four of them all of one class. The CHAID package (5.4.2) stops at ten
    groups and χ² = 67.62, two of them with the same counts; here no two groups are alike in the end."""
    counts = [
        (12, 0),
        (1, 11),
        (4, 6),
        (7, 1),
        (2, 5),
        (11, 0),
        (7, 0),
        (4, 5),
        (1, 8),
        (9, 0),
        (1, 11),
        (9, 5),
    ]
    values = [f"j{place:02d}" for place, both in enumerate(counts) for _ in range(sum(both))]
    classes = [name for no, yes in counts for name in ("D",) * no + ("T",) * yes]
    table = cw.read_table({"v": values, "y": classes}, target="y")
    tree = cw.CHAID(max_depth=1, min_rows=2, min_leaf=1).learn(table)
    root = cw.derive(tree, table, at=0)
    assert root.figure("χ²(v)").value == pytest.approx(66.0621, abs=1e-4)
    below = tree.nodes.children(0)
    assert [len(str(tree.condition(each)).split(",")) for each in below] == [4, 3, 3, 2]
