"""The picture of a tree in a terminal."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.draw.text import draw_tree
from clearwood.formulas.conditions import Above, AtMost, Equals, OneOf
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Surrogate, Tree
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.words.columns import display_width, wrapped
from tests.trees import tennis_tree, trees

TENNIS = """\
PlayTennis                 predicted  probability  95 % interval  rows  No  Yes
───────────────────────────────────────────────────────────────────────────────
all rows                   Yes               64 %      39 – 84 %    14   5    9
├─ Outlook = Sunny         No                60 %      23 – 88 %     5   3    2
│  ├─ Humidity = High    → No               100 %     44 – 100 %     3   3    0
│  └─ Humidity = Normal  → Yes              100 %     34 – 100 %     2   0    2
├─ Outlook = Overcast    → Yes              100 %     51 – 100 %     4   0    4
└─ Outlook = Rainy         Yes               60 %      23 – 88 %     5   2    3
   ├─ Wind = Weak        → Yes              100 %     44 – 100 %     3   0    3
   └─ Wind = Strong      → No               100 %     34 – 100 %     2   2    0

5 leaves, 8 nodes, depth 2 · ID3 from 14 rows
Missing and unknown values follow every branch, weighted by its share."""


def test_the_tennis_tree() -> None:
    assert str(tennis_tree()) == TENNIS


def test_colour_changes_nothing_but_the_colour() -> None:
    drawn = draw_tree(tennis_tree(), colour=True)
    assert "\x1b[" in drawn
    assert re.sub(r"\x1b\[[0-9;]*m", "", drawn) == TENNIS


def test_a_tree_drawn_to_a_depth_says_what_is_left_out() -> None:
    drawn = draw_tree(tennis_tree(), max_depth=1)
    assert drawn.count("└─ … 2 leaves below") == 2
    assert "Humidity" not in drawn
    assert "all rows" in draw_tree(tennis_tree(), max_depth=0)


def test_a_tree_of_medians_shows_no_interval() -> None:
    schema = Schema((Numeric("area"),), Numeric("price"))
    small = Branch(AtMost("area", 50.5), 0.5, Leaf((4.0, 10.25, 8.0)))
    large = Branch(Above("area", 50.5), 0.5, Leaf((4.0, 20.0, 0.0)))
    tree = replace(tree_of(schema, Split((8.0, 15.125, 48.125), {}, (small, large))), answers="median")
    assert str(tree).splitlines()[0].split() == ["price", "median", "rows"]
    assert "±" not in str(tree)


def test_a_tree_of_numbers_shows_value_rows_and_an_interval_where_its_numbers_differ() -> None:
    schema = Schema((Numeric("area"),), Numeric("price"))
    small = Branch(AtMost("area", 50.5), 0.5, Leaf((4.0, 10.25, 8.0)))
    large = Branch(Above("area", 50.5), 0.5, Leaf((4.0, 20.0, 0.0)))
    assert str(tree_of(schema, Split((8.0, 15.125, 198.125), {}, (small, large)))).splitlines()[:5] == [
        "price             value  95 %     rows",
        "──────────────────────────────────────",
        "all rows          15.12  ± 3.448     8",
        "├─ area ≤ 50.5  → 10.25  ± 1.386     4",
        "└─ area > 50.5  → 20                 4",
    ]


def two_ways(**more: object) -> Tree:
    schema = Schema((Numeric("x"), Numeric("y")), Nominal("t", ("a", "b")))
    branches = (
        Branch(AtMost("x", 1.0), 0.5, Leaf((0.5, 0.0))),
        Branch(Above("x", 1.0), 0.5, Leaf((0.0, 0.0))),
    )
    return tree_of(schema, Split((0.5, 0.0), {}, branches, **more))  # type: ignore[arg-type]


def test_the_way_of_cells_that_no_branch_takes_is_told() -> None:
    surrogate = Surrogate(AtMost("y", 0.0), 0, Above("y", 0.0), 0.9)
    drawn = str(two_ways(surrogates=(surrogate,), otherwise=1))
    assert "└─ x > 1 *" in drawn
    assert drawn.endswith("follow a surrogate column, else the branch marked *.")


def test_missing_cells_that_a_branch_takes_are_not_said_to_be_left() -> None:
    schema = Schema((Nominal("x", ("u", "v")),), Nominal("t", ("a", "b")))

    def parted(below: Split | Leaf) -> Split:
        taking = Branch(OneOf("x", ("u",), or_missing=True), 0.5, Leaf((1.0, 0.0)))
        return Split((1.0, 1.0), {}, (taking, Branch(Equals("x", "v"), 0.5, below)), otherwise=0)

    leaf = Leaf((0.0, 1.0))
    unasked = Split(
        (0.0, 1.0), {}, (Branch(Equals("x", "u"), 0.5, leaf), Branch(Equals("x", "v"), 0.5, leaf))
    )
    assert "Unknown values follow" in str(tree_of(schema, parted(leaf)))
    assert "Unknown and some missing values follow" in str(tree_of(schema, parted(unasked)))


def test_an_empty_leaf_shows_no_share() -> None:
    line = next(line for line in str(two_ways()).splitlines() if "x > 1" in line)
    assert line.split() == ["└─", "x", ">", "1", "→", "a", "0", "0", "0"]


def test_a_share_close_to_all_is_not_printed_as_all() -> None:
    tree = tree_of(Schema((), Nominal("t", ("a", "b"))), Leaf((99_999.0, 1.0)))
    assert ">99 %" in str(tree)
    assert "100 %" not in str(tree)


def test_many_classes_share_a_column() -> None:
    classes = tuple(f"class number {i}" for i in range(9))
    tree = tree_of(Schema((), Nominal("t", classes)), Leaf((0.0, 5.0, 2.0, 2.0, 9.0, 0.0, 0.0, 0.0, 1.5)))
    assert str(tree).splitlines()[2].endswith("class number 4 9, class number 1 5, class number 2 2, 2 more")


def test_a_condition_with_hundreds_of_values_names_some_and_counts_the_rest() -> None:
    values = tuple(f"value {i}" for i in range(300))
    schema = Schema((Nominal("place", values),), Nominal("t", ("a",)))
    branches = (
        Branch(OneOf("place", values[:250]), 0.9, Leaf((9.0,))),
        Branch(OneOf("place", values[250:]), 0.1, Leaf((1.0,))),
    )
    drawn = str(tree_of(schema, Split((10.0,), {}, branches)))
    assert "… 239 more}" in drawn
    assert "… 39 more}" in re.sub(r"\s+", " ", drawn)
    assert max(map(display_width, drawn.splitlines())) < 130


def test_a_name_with_a_line_break_stays_on_its_line() -> None:
    schema = Schema((Nominal("a\nb", ("x\ty",)),), Nominal("t", ("a",)))
    drawn = str(tree_of(schema, Split((1.0,), {}, (Branch(Equals("a\nb", "x\ty"), 1.0, Leaf((1.0,))),))))
    assert r'└─ "a\nb" = "x\ty"' in drawn


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(trees(), st.booleans(), st.none() | st.integers(0, 3), st.sampled_from((None, 20, 60, 80, 120)))
def test_every_tree_is_drawn_with_every_column_in_line(
    tree: Tree, colour: bool, max_depth: int | None, width: int | None
) -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", draw_tree(tree, colour=colour, width=width, max_depth=max_depth))
    lines = plain.splitlines()
    rule = len(lines[1])
    assert set(lines[1]) == {"─"}
    for line in lines[2 : lines.index("")]:
        assert display_width(line) <= rule
    if width is not None and width >= 80:
        assert rule <= width


def test_a_very_deep_tree_is_drawn() -> None:
    node: Split | Leaf = Leaf((1.0,))
    for _ in range(2000):
        node = Split((1.0,), {}, (Branch(AtMost("x", 1.0), 1.0, node),))
    tree = tree_of(Schema((Numeric("x"),), Nominal("t", ("a",))), node)
    assert "depth 2,000" in str(tree).replace("depth 2000", "depth 2,000")
    assert len(draw_tree(tree, max_depth=5).splitlines()) < 20


@pytest.mark.parametrize("width", [8, 11, 20, 40])
@pytest.mark.parametrize(
    "text", ["", "a", "one two three", "x" * 50, "ab " * 20, "高さ" * 20, " lead", "a " + "y" * 30]
)
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(display_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
