"""Trees in other people's languages: Mermaid and DOT, which must not take a name for their own."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Equals, IsMissing
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Tree
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from tests.trees import tennis_tree, trees
from tests.typed import mistyped

ATTACK = '<script>alert("1")</script> \\ & # | ` \n end'


def attacking() -> Tree:
    schema = Schema((Nominal(ATTACK, (ATTACK,)),), Nominal("Play", (ATTACK, "Yes")))
    branches = (
        Branch(Equals(ATTACK, ATTACK), 0.5, Leaf((1.0, 0.0))),
        Branch(IsMissing(ATTACK), 0.5, Leaf((0.0, 1.0))),
    )
    return tree_of(schema, Split((1.0, 1.0), {}, branches))


@pytest.mark.slow
@given(trees())
@settings(max_examples=30, deadline=None)
def test_every_node_and_every_branch_is_told_once(tree: Tree) -> None:
    mermaid, dot = cw.to_mermaid(tree), cw.to_dot(tree)
    above = [f"n{parent}" for parent in tree.nodes.parent.tolist()[1:]]
    assert re.findall(r"(n\d+) -\.?->", mermaid) == above
    assert sorted(re.findall(r"(n\d+) -> n\d+ \[", dot)) == sorted(above)
    assert len(re.findall(r"^  n\d+ \[", dot, flags=re.MULTILINE)) == tree.size


def test_mermaid_meets_nothing_of_a_name_that_it_would_read() -> None:
    drawing = cw.to_mermaid(attacking())
    for label in re.findall(r'"([^"]*)"', drawing):
        assert not re.search(r"[<>&`\\]|#(?!\d+;)", label.replace("<br/>", ""))
    assert "#60;script#62;alert(#34;1#34;)#60;/script#62;" in drawing
    assert '-.->|"missing"|' in drawing


def test_every_text_of_dot_ends_where_it_should() -> None:
    drawing = cw.to_dot(attacking())
    assert re.fullmatch(r'(?:[^"]|"(?:[^"\\]|\\.)*")*', drawing)
    assert '\\"1\\"' in drawing
    assert "&amp;" in drawing
    assert len(drawing.splitlines()) == 3 + 3 + 2 + 1
    assert "style=dashed" in drawing


def test_a_folded_part_says_how_many_leaves_it_holds() -> None:
    assert cw.to_mermaid(tennis_tree(), fold=1).count("2 leaves below") == 2
    assert cw.to_dot(tennis_tree(), fold=1).count("2 leaves below") == 2


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(SettingError, match="to_dot takes a Tree, not a C45"):
        cw.to_dot(mistyped(cw.C45()))
