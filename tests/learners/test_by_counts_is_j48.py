"""The definition of C4.5 gives J48's trees too, without the native code."""

from __future__ import annotations

from typing import Any

import pytest

from clearwood.learners.by_counts import grow_by_counts
from clearwood.learners.c45 import C45
from tests import shared_data
from tests.generated_tables import generated_table
from tests.learners.test_c45_is_j48 import FIGURES
from tests.outlines import Outline, outline


@pytest.mark.parametrize("figure", FIGURES["generated"], ids=lambda f: f"{f['flavour']}-{f['seed']}")
def test_every_line_of_j48s_tree_on_a_generated_table(figure: dict[str, Any]) -> None:
    tree = grow_by_counts(C45(**figure["settings"]), generated_table(figure["flavour"], figure["seed"]))
    found = outline(tree)
    assert found.lines == tuple(figure["lines"])
    assert found.same_as(Outline(tuple(figure["lines"]), tuple(figure["weights"])))


@pytest.mark.parametrize("name", sorted(set(FIGURES["reference"]) & set(shared_data.NAMES)) or ["none"])
def test_leaves_and_nodes_on_a_reference_table(name: str) -> None:
    if name not in shared_data.NAMES:
        pytest.skip("the reference tables are not here")
    tree = grow_by_counts(C45(), shared_data.load_shared(name, train=True))
    assert {"leaves": tree.leaves, "nodes": tree.size} == FIGURES["reference"][name]
