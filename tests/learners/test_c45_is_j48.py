"""C4.5 gives the very trees of WEKA's J48: line for line, on generated tables and on the reference tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clearwood.learners.c45 import C45
from tests import shared_data
from tests.generated_tables import generated_table
from tests.outlines import Outline, outline

FIGURES = json.loads((Path(__file__).parents[1] / "figures" / "j48.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("figure", FIGURES["generated"], ids=lambda f: f"{f['flavour']}-{f['seed']}")
def test_every_line_of_j48s_tree_on_a_generated_table(figure: dict[str, Any]) -> None:
    tree = C45(**figure["settings"]).learn(generated_table(figure["flavour"], figure["seed"]))
    found = outline(tree)
    assert found.lines == tuple(figure["lines"])
    assert found.same_as(Outline(tuple(figure["lines"]), tuple(figure["weights"])))


@pytest.mark.parametrize("name", sorted(set(FIGURES["reference"]) & set(shared_data.NAMES)) or ["none"])
def test_every_line_of_j48s_tree_on_a_reference_table(name: str) -> None:
    if name not in shared_data.NAMES:
        pytest.skip("the reference tables are not here")
    figure = FIGURES["reference"][name]
    tree = C45().learn(shared_data.load_shared(name, train=True))
    assert (tree.leaves, tree.size) == (figure["leaves"], figure["nodes"])
    assert outline(tree).same_as(Outline(tuple(figure["lines"]), tuple(figure["weights"])))
