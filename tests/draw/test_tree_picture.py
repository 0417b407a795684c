"""A tree's picture shows what the tree says: every node, every condition, all rows, and the way of a case."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.draw.layout import Frame
from clearwood.draw.lettering import text_width
from clearwood.draw.palette import DARK, LIGHT, class_colours
from clearwood.draw.tree_picture import tree_picture
from clearwood.errors import ColumnError, SettingError
from clearwood.formulas.conditions import Above, AtMost, Equals, IsMissing, OneOf
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Tree
from clearwood.predicting.one import predict_one, reached
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.draw.test_layout import overlaps
from tests.shared_data import load_shared
from tests.trees import tennis_tree, trees, values_of
from tests.typed import mistyped

SVG = "{http://www.w3.org/2000/svg}"


def test_the_tennis_tree_says_what_the_book_says() -> None:
    answers = {number: texts(node) for number, node in nodes(tree_picture(tennis_tree()).svg).items()}
    assert answers[0] == ["Outlook", "Yes: 64 % · 14 rows"]
    assert answers[1] == ["Sunny", "5 rows", "Humidity", "No: 60 % · 5 rows"]
    assert answers[2] == ["High", "3 rows", "No", "100 % · 3 rows"]
    assert answers[4] == ["Overcast", "4 rows", "Yes", "100 % · 4 rows"]
    assert list(answers) == list(range(8))


def test_the_bar_of_a_node_is_divided_as_its_counts() -> None:
    no, yes = class_colours(("No", "Yes")).values()
    root = nodes(tree_picture(tennis_tree()).svg)[0]
    widths = {each.attrib["fill"]: float(each.attrib["width"]) for each in root.iter(f"{SVG}rect")}
    assert widths[yes] / widths[no] == pytest.approx(9 / 5, rel=0.01)


def test_an_edge_is_as_thick_as_its_part_of_the_rows() -> None:
    edges = edges_of(tree_picture(tennis_tree()).svg)
    thickness = {number: float(edge[0].attrib["stroke-width"]) - 1 for number, edge in edges.items()}
    assert thickness[1] / thickness[4] == pytest.approx(5 / 4, rel=0.05)


@pytest.mark.parametrize(("theme", "paper"), [("light", LIGHT.paper), ("dark", DARK.paper)])
def test_edges_can_be_seen_on_the_paper_by_day_and_by_night(theme: Any, paper: str) -> None:
    edges = edges_of(tree_picture(tennis_tree(), theme=theme).svg)
    for edge in edges.values():
        assert contrast(edge[0].attrib["stroke"], paper) >= 3


def test_the_legend_names_every_class_beside_its_colour() -> None:
    svg = tree_picture(tennis_tree()).svg
    for name, colour in class_colours(("No", "Yes")).items():
        assert re.search(rf'fill="{colour}"[^>]*/><text [^>]*>{name}</text>', svg)


@pytest.mark.slow
@given(trees(), st.sampled_from(("auto", "down", "right")), st.sampled_from(("auto", 0, 1, 2, None)))
@settings(max_examples=60, deadline=None)
def test_any_tree_is_drawn_as_well_formed_xml_with_each_node_once(
    tree: Tree, direction: Any, fold: Any
) -> None:
    node_answers = nodes(tree_picture(tree, direction=direction, fold=fold).svg)
    if fold in (None, "auto"):
        assert list(node_answers) == list(tree)
    assert set(edges_of(tree_picture(tree, fold=None).svg)) == set(range(1, tree.size))


@pytest.mark.slow
@given(trees(), st.sampled_from(("down", "right")))
@settings(max_examples=40, deadline=None)
def test_no_text_of_a_tree_stands_on_another(tree: Tree, direction: Any) -> None:
    places = []
    for group in groups(tree_picture(tree, direction=direction).svg, "node"):
        for text in group.iter(f"{SVG}text"):
            size = float(text.attrib["font-size"])
            width = text_width(text.text or "", size, "font-weight" in text.attrib)
            x, y = float(text.attrib["x"]), float(text.attrib["y"])
            left = x - width / 2 if text.attrib.get("text-anchor") == "middle" else x
            places.append(Frame(left, y - 0.7 * size, width, 0.7 * size))
    assert overlaps(places) == []


def test_names_from_data_are_escaped() -> None:
    attack = '<script>alert("1")</script> & <b>'
    schema = Schema((Nominal(attack, (attack, "b\n\x00]]>")),), Nominal(f"{attack}?", (attack, "'")))
    branches = (
        Branch(Equals(attack, attack), 0.5, Leaf((1.0, 0.0))),
        Branch(Equals(attack, "b\n\x00]]>"), 0.5, Leaf((0.0, 1.0))),
    )
    picture = tree_picture(tree_of(schema, Split((1.0, 1.0), {}, branches)), row={attack: attack})
    root = ET.fromstring(picture.svg)
    assert "<script" not in picture.svg
    assert not list(root.iter(f"{SVG}script"))
    assert any("b\\n\\x00]]>" in (text.text or "") for text in root.iter(f"{SVG}text"))


def test_a_branch_of_missing_cells_is_dashed() -> None:
    schema = Schema((Nominal("Wind", ("Weak",)),), Nominal("Play", ("No", "Yes")))
    branches = (
        Branch(Equals("Wind", "Weak"), 0.5, Leaf((1.0, 0.0))),
        Branch(IsMissing("Wind"), 0.5, Leaf((0.0, 1.0))),
    )
    svg = tree_picture(tree_of(schema, Split((1.0, 1.0), {}, branches))).svg
    weak, missing = edges_of(svg).values()
    assert "stroke-dasharray" not in weak[0].attrib
    assert "stroke-dasharray" in missing[0].attrib
    assert "missing" in texts(nodes(svg)[2])


def test_long_names_are_set_in_lines_and_never_cut() -> None:
    long = "a very long name of a category that no line of a picture can hold in its whole length"
    schema = Schema((Nominal("Wind", (long, "b")),), Nominal("Play", ("No", "Yes")))
    branches = (
        Branch(Equals("Wind", long), 0.5, Leaf((1.0, 0.0))),
        Branch(Equals("Wind", "b"), 0.5, Leaf((0.0, 1.0))),
    )
    answers = texts(nodes(tree_picture(tree_of(schema, Split((1.0, 1.0), {}, branches))).svg)[1])
    assert " ".join(answers).startswith(long)


def test_of_very_many_values_the_rest_are_counted_and_all_stand_in_the_title() -> None:
    values = tuple(f"place number {i}" for i in range(60))
    schema = Schema((Nominal("Place", values),), Nominal("Play", ("No", "Yes")))
    branches = (
        Branch(OneOf("Place", values[:50]), 0.5, Leaf((1.0, 0.0))),
        Branch(OneOf("Place", values[50:]), 0.5, Leaf((0.0, 1.0))),
    )
    node = nodes(tree_picture(tree_of(schema, Split((1.0, 1.0), {}, branches))).svg)[1]
    label = " ".join(texts(node))
    named, more = re.findall(r"place number \d+", label), re.search(r"… (\d+) more", label)
    assert more is not None
    assert len(named) + int(more[1]) == 50
    assert all(value in (node.findtext(f"{SVG}title") or "") for value in values[:50])


def test_a_number_is_shown_with_how_far_it_may_be_off() -> None:
    schema = Schema((Numeric("x"),), Numeric("y"))
    branches = (
        Branch(AtMost("x", 0.5), 0.5, Leaf((4.0, 10.0, 16.0))),
        Branch(Above("x", 0.5), 0.5, Leaf((4.0, 20.0, 0.0))),
    )
    node_answers = nodes(tree_picture(tree_of(schema, Split((8.0, 15.0, 216.0), {}, branches))).svg)
    assert texts(node_answers[1]) == ["≤ 0.5", "4 rows", "10 ± 2", "4 rows"]


@pytest.mark.slow
@given(trees(), st.data())
@settings(max_examples=60, deadline=None)
def test_the_way_of_a_case_is_the_way_predict_goes(tree: Tree, data: st.DataObject) -> None:
    row = {
        attribute.name: data.draw(
            st.none() | st.sampled_from((-2.0, 0.0, 1.0, 9.0))
            if isinstance(attribute, Numeric)
            else st.none() | st.sampled_from(values_of(attribute)[:3])
        )
        for attribute in tree.schema.inputs
    }
    picture = tree_picture(tree, row=row, fold=None)
    shown = {
        number
        for number, node in nodes(picture.svg).items()
        if any(each.attrib.get("stroke") == LIGHT.accent for each in node.iter(f"{SVG}rect"))
    }
    passed = {0}
    for leaf in reached(tree, row):
        node = 0
        for branch in leaf.path:
            node = tree.nodes.children(node)[branch]
            passed.add(node)
    assert shown == passed
    if not tree.is_numeric:
        assert f"is predicted as {predict_one(tree, row)}." in picture.alt


def test_a_case_that_goes_several_ways_says_with_what_part() -> None:
    node_answers = nodes(tree_picture(tennis_tree(), row={"Wind": "Weak"}).svg)
    assert "36 % of the case" in texts(node_answers[1])
    assert "29 % of the case" in texts(node_answers[4])


def test_a_case_with_an_unknown_column_is_refused() -> None:
    with pytest.raises(ColumnError, match=r"No column 'Windd'\. Did you mean 'Wind'"):
        tree_picture(tennis_tree(), row={"Windd": "Weak"})


def test_a_folded_part_says_how_many_leaves_it_holds() -> None:
    node_answers = nodes(tree_picture(tennis_tree(), fold=1).svg)
    assert list(node_answers) == [0, 1, 4, 5]
    assert "… 2 leaves below" in texts(node_answers[1])


@pytest.mark.slow
def test_a_large_tree_folds_by_itself_where_few_rows_go() -> None:
    tree = cw.C45().learn(load_shared("adult", train=True))
    few = nodes(tree_picture(tree).svg)
    above = {int(tree.nodes.parent[node]) for node in few}
    in_sight = [node for node in few if node not in above]
    folds = [node for node in in_sight if tree.nodes.end[node] > node + 1]
    assert 32 <= len(in_sight) <= 64
    assert folds
    assert sum(tree.nodes.counts[folds].sum(axis=1)) < 0.5 * tree.nodes.counts[0].sum()


@pytest.mark.slow
def test_a_case_unfolds_its_way() -> None:
    tree = deep_tree(300)
    assert len(nodes(tree_picture(tree, fold=None).svg)) == tree.size
    assert tree.size - 1 in nodes(tree_picture(tree, row={"x": 1e9}).svg)
    assert tree.size - 1 in nodes(tree_picture(tree, row={"x": 1e9}, fold=3).svg)


def test_a_wrong_wish_is_refused_with_what_there_is() -> None:
    with pytest.raises(SettingError, match="No direction called 'up'"):
        tree_picture(tennis_tree(), direction=mistyped("up"))
    with pytest.raises(SettingError, match="fold is a number of questions, 'auto', or None"):
        tree_picture(tennis_tree(), fold=-1)


def test_small_trees_grow_down_and_large_ones_to_the_right() -> None:
    soybean = tree_picture(cw.C45().learn(load_shared("soybean")))
    assert tree_picture(tennis_tree()).svg == tree_picture(tennis_tree(), direction="down").svg
    assert soybean.width < 2400


@pytest.mark.slow
def test_a_thousand_nodes_are_drawn_in_half_a_second() -> None:
    tree = deep_tree(500)
    assert tree.size == 999
    seconds = []
    for _ in range(3):
        started = time.process_time()
        tree_picture(tree, fold=None)
        seconds.append(time.process_time() - started)
    assert min(seconds) < 0.5


def deep_tree(leaves: int) -> Tree:
    """A chain of questions, each with a leaf of its own."""
    schema = Schema((Numeric("x"),), Nominal("Play", ("No", "Yes")))
    node: Split | Leaf = Leaf((1.0, 0.0))
    for limit in range(leaves - 1, 0, -1):
        leaf = Leaf((0.0, float(limit % 7)))
        counts = (node.counts[0] + leaf.counts[0], node.counts[1] + leaf.counts[1])
        node = Split(
            counts,
            {},
            (Branch(AtMost("x", float(limit)), 0.5, leaf), Branch(Above("x", float(limit)), 0.5, node)),
        )
    return tree_of(schema, node)


def nodes(svg: str) -> dict[int, ET.Element]:
    return {int(each.attrib["data-node"]): each for each in groups(svg, "node")}


def edges_of(svg: str) -> dict[int, ET.Element]:
    return {int(each.attrib["data-edge"]): each for each in groups(svg, "edge")}


def groups(svg: str, kind: str) -> Iterator[ET.Element]:
    return (each for each in ET.fromstring(svg).iter(f"{SVG}g") if each.attrib.get("class") == kind)


def texts(group: ET.Element) -> list[str]:
    return [each.text or "" for each in group.iter(f"{SVG}text")]


def contrast(one: str, other: str) -> float:
    """Of two colours, by the rule of the WCAG."""
    low, high = sorted(luminance(each) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
