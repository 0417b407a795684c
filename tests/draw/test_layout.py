"""A layout is tidy: nothing overlaps, parents stand in the middle, and depth is no obstacle."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.draw.layout import Direction, Frame, Layout, NodeSize, lay_out

SIZES = st.floats(1, 90)
BLOCKS = st.builds(NodeSize, SIZES, SIZES, st.just(0.0) | SIZES, st.just(0.0) | SIZES)


@st.composite
def shapes(draw: st.DrawFn) -> list[int]:
    """The parents of a random tree, in preorder."""
    parents, way = [-1], [0]
    for node in range(1, draw(st.integers(1, 30))):
        way = way[: draw(st.integers(1, len(way)))]
        parents.append(way[-1])
        way.append(node)
    return parents


def laid(parents: list[int], blocks: list[NodeSize], direction: Direction) -> Layout:
    return lay_out(parents, blocks, direction, gap_across=6, gap_along=12, gap_label=2)


@pytest.mark.slow
@given(st.data(), st.sampled_from(("down", "right")))
@settings(max_examples=150, deadline=None)
def test_boxes_and_labels_never_overlap_and_lie_inside(data: st.DataObject, direction: Direction) -> None:
    parents = data.draw(shapes())
    layout = laid(parents, [data.draw(BLOCKS) for _ in parents], direction)
    places = [place for place in (*layout.boxes, *layout.labels) if place.width and place.height]
    assert overlaps(places) == []
    for place in places:
        assert place.x >= -1e-9
        assert place.y >= -1e-9
        assert place.x + place.width <= layout.width + 1e-9
        assert place.y + place.height <= layout.height + 1e-9


@given(shapes(), st.sampled_from(("down", "right")))
@settings(max_examples=50, deadline=None)
def test_a_parent_of_equal_blocks_stands_in_the_middle_of_its_children(
    parents: list[int], direction: Direction
) -> None:
    layout = laid(parents, [NodeSize(20, 20)] * len(parents), direction)
    for node in range(len(parents)):
        children = [child for child, parent in enumerate(parents) if parent == node]
        if children:
            ends = [across(layout, children[0]), across(layout, children[-1])]
            assert across(layout, node) == pytest.approx(sum(ends) / 2)


def test_a_small_sibling_between_large_ones_stands_in_the_middle() -> None:
    parents = [-1, 0, 1, 1, 1, 0, 0, 6, 6, 6]
    layout = laid(parents, [NodeSize(20, 20)] * len(parents), "down")
    assert across(layout, 5) == pytest.approx((across(layout, 1) + across(layout, 6)) / 2)


def test_to_the_right_each_leaf_has_a_line_of_its_own() -> None:
    parents = [-1, 0, 0, 2, 2, 4, 4]
    layout = laid(parents, [NodeSize(20, 10)] * len(parents), "right")
    leaves = sorted(layout.boxes[leaf].y for leaf in (1, 3, 5, 6))
    assert leaves == [0, 16, 32, 48]


def test_boxes_of_a_level_stand_in_a_line() -> None:
    layout = laid(
        [-1, 0, 0, 0], [NodeSize(9, 9), NodeSize(5, 9, 3, 3), NodeSize(8, 4, 9, 9), NodeSize(7, 7)], "right"
    )
    assert len({box.x for box in layout.boxes[1:]}) == 1


def test_a_chain_of_thousands_of_questions_is_laid_out() -> None:
    parents = [-1, *(node - 1 if node % 2 else node - 2 for node in range(1, 4001))]
    started = time.process_time()
    laid(parents, [NodeSize(20, 20)] * len(parents), "right")
    assert time.process_time() - started < 1


def across(actual: Layout, node: int) -> float:
    box = actual.boxes[node]
    return box.x + box.width / 2 if actual.direction == "down" else box.y + box.height / 2


def overlaps(places: list[Frame]) -> list[tuple[Frame, Frame]]:
    """Every two rectangles that share more than an edge."""
    x, y, width, height = np.array([(p.x, p.y, p.width, p.height) for p in places]).T
    apart_x = (x[:, None] + width[:, None] <= x + 1e-6) | (x[:, None] >= x + width - 1e-6)
    apart_y = (y[:, None] + height[:, None] <= y + 1e-6) | (y[:, None] >= y + height - 1e-6)
    return [(places[i], places[j]) for i, j in np.argwhere(~(apart_x | apart_y)) if i < j]
