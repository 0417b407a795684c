"""C4.5 gives WEKA J48's very trees, line for line: the native grower, and the definition it is held to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clearwood.learners.trees.c45 import C45
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from tests import shared_data
from tests.definitions.trees import learn_by_counts
from tests.generated_tables import generated_table
from tests.outlines import Outline, outline

FIGURES = json.loads((Path(__file__).parents[1] / "figures" / "j48.json").read_text(encoding="utf-8"))
WAYS: dict[str, Callable[[C45, Table], Tree]] = {"native": C45.learn, "by counts": learn_by_counts}

both_ways = pytest.mark.parametrize("way", list(WAYS))


def _expected(figure: dict[str, Any]) -> Outline:
    return Outline(tuple(figure["lines"]), tuple(figure["weights"]))


@pytest.mark.slow
@both_ways
@pytest.mark.parametrize("figure", FIGURES["generated"], ids=lambda f: f"{f['flavour']}-{f['seed']}")
def test_every_line_of_j48s_tree_on_a_generated_table(figure: dict[str, Any], way: str) -> None:
    tree_outline = outline(
        WAYS[way](C45(**figure["settings"]), generated_table(figure["flavour"], figure["seed"]))
    )
    assert tree_outline.lines == tuple(figure["lines"])
    assert tree_outline.same_as(_expected(figure))


@pytest.mark.slow
@both_ways
@pytest.mark.parametrize("name", sorted(set(FIGURES["reference"]) & set(shared_data.NAMES)) or ["none"])
def test_every_line_of_j48s_tree_on_a_reference_table(name: str, way: str) -> None:
    if name not in shared_data.NAMES:
        pytest.skip("the reference tables are not here")
    figure = FIGURES["reference"][name]
    tree = WAYS[way](C45(), shared_data.load_shared(name, train=True))
    assert (tree.leaves, tree.size) == (figure["leaves"], figure["nodes"])
    assert outline(tree).same_as(_expected(figure))
