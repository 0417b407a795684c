"""Our trees in the form other programs' figures are stored in."""

from __future__ import annotations

import json
from pathlib import Path

from tests.generated_tables import generated_table
from tests.outlines import Outline, outline
from tests.trees import tennis_tree

FIGURES = json.loads((Path(__file__).parent / "figures" / "j48.json").read_text(encoding="utf-8"))


def test_the_tennis_tree_reads_as_j48_would_print_it() -> None:
    tree_outline = outline(tennis_tree())
    assert tree_outline.lines == (
        "a0 = v0",
        "|  a2 = v0: c0",
        "|  a2 = v1: c1",
        "a0 = v1: c1",
        "a0 = v2",
        "|  a3 = v0: c1",
        "|  a3 = v1: c0",
    )
    assert tree_outline.weights == (3.0, 2.0, 4.0, 3.0, 2.0)
    assert (tree_outline.leaves, tree_outline.nodes) == (5, 8)


def test_outlines_differ_when_a_test_or_a_weight_does() -> None:
    one = Outline(("a0 <= 1: c0", "a0 > 1: c1"), (3.0, 4.0))
    assert not one.same_as(Outline(("a0 <= 2: c0", "a0 > 2: c1"), (3.0, 4.0)))
    assert not one.same_as(Outline(one.lines, (3.5, 3.5)))
    assert one.same_as(Outline(one.lines, (3.004, 3.996)))


def test_stored_figures_are_of_the_tables_the_generator_makes_today() -> None:
    for stored in FIGURES["generated"]:
        table = generated_table(stored["flavour"], stored["seed"])
        assert abs(sum(stored["weights"]) - len(table)) <= 0.006 * stored["leaves"]
